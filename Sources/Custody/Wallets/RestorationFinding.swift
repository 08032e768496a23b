internal import Files
internal import Threshold

/// A fact that the owner of a restored wallet should know.
public enum RestorationFinding: Equatable, Sendable {
    /// Fewer share files were given than sign. A share of an interrupted creation is whole, and may be the only one.
    case fewerThanSign
    /// This file is a share from before a renewal on another machine. With enough others it still is the key.
    case oldShare(path: String)
    /// The wallet had no book here: policy, contacts and history are in that of the machine that had it before.
    case bookElsewhere

    /// Finds the facts.
    ///
    /// - Parameters:
    ///   - wallet: the restored wallet.
    ///   - before: the wallet on this machine before; nil if there was none.
    ///   - files: the number of share files that were given.
    ///   - hadBook: whether this machine had a book of the wallet before.
    public static func all(
        of wallet: WalletRecord, before: WalletRecord?, files: Int, hadBook: Bool
    ) -> [RestorationFinding] {
        guard let before else {
            return (files < wallet.parameters.threshold ? [.fewerThanSign] : []) + (hadBook ? [] : [.bookElsewhere])
        }
        guard before.epoch != wallet.epoch else { return [] }
        let present = Set(wallet.shares.map(\.path))
        return before.shares.map(\.path).filter { !present.contains($0) && FolderCreation.isOccupied($0) }
            .map { .oldShare(path: $0) }
    }
}
