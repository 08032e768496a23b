internal import SecureStorage
internal import Threshold

/// A fact that the owner of a restored wallet should know.
public enum RestorationFinding: Equatable, Sendable {
    /// Fewer share files were given than sign. A share of an interrupted creation is whole, and may be the only one.
    case fewerThanSign
    /// This file is a share from before a renewal on another machine. With enough others it still is the key.
    case oldShare(path: String)

    /// Finds the facts.
    ///
    /// - Parameters:
    ///   - wallet: the restored wallet.
    ///   - before: the wallet on this machine before; nil if there was none.
    ///   - files: the number of share files that were given.
    public static func all(
        of wallet: WalletRecord, before: WalletRecord?, files: Int
    ) -> [RestorationFinding] {
        guard let before else { return files < wallet.parameters.threshold ? [.fewerThanSign] : [] }
        guard before.epoch != wallet.epoch else { return [] }
        let present = Set(wallet.shares.map(\.path))
        return before.shares.map(\.path).filter { !present.contains($0) && FolderCreation.isOccupied($0) }
            .map { .oldShare(path: $0) }
    }
}
