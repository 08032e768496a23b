internal import Files
public import Secrets
internal import SecureStorage
internal import Threshold

extension WalletHome {
    /// Opens a share and checks that it belongs to the wallet. It changes no share.
    ///
    /// - Returns: the counts of its ECDSA signatures; nil if they are missing or cannot be read.
    /// - Throws: the ``CustodyError`` of opening it; ``CustodyError/damagedWallet(name:reason:)`` if the wallet's record
    ///   is not the one that was sealed with the share.
    public func check(
        _ location: ShareLocation, of wallet: WalletRecord, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> SigningCounts? {
        let sealed = try await open(location, of: wallet, passphrase: passphrase)
        guard sealed.record.isSameWallet(as: wallet) else {
            throw .damagedWallet(
                name: wallet.name.description,
                reason: "wallet.json is not what was sealed with the \(location.name) share")
        }
        return sealed.counts
    }
}

/// The shares of a wallet that a check could not use, and what that means for its coins.
public struct UnusableShares: Equatable, Sendable {
    /// The number of all shares.
    public let total: Int
    /// The number of shares that cannot be used now.
    public let count: Int
    /// The number of shares that are needed to sign.
    public let threshold: Int
    /// The shares whose files are missing or damaged: a repair replaces them while enough others are there.
    public let lost: [ShareLocation]

    /// Creates the summary of a check.
    ///
    /// - Parameter errors: the error of each share that cannot be used.
    public init(of wallet: WalletRecord, _ errors: [CustodyError]) {
        total = wallet.shares.count
        count = errors.count
        threshold = wallet.parameters.threshold
        lost = errors.compactMap { error in
            if case .share(let location, let fault) = error, fault.isLoss { location } else { nil }
        }
    }

    /// The number of shares that have to be found before the coins can be spent; 0 if enough can be used.
    public var missing: Int { max(0, threshold - (total - count)) }
}

extension ShareFault {
    /// Whether the share's file is missing, damaged or another one, so that only a repair brings the share back.
    fileprivate var isLoss: Bool {
        switch self {
        case .missing, .foreign: true
        case .unreadable(_, let error):
            switch error {
            case .notAVault, .truncated, .damaged, .tampered, .itemSwapped, .wrongKind: true
            default: false
            }
        default: false
        }
    }
}

extension ShareRecord {
    /// Whether the mode of the share's file lets other users of this machine change it.
    public var isWritableByOthers: Bool { SecretFile.isWritableByOthers(path) }
}
