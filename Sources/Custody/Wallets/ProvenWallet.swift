public import Secrets
internal import SecureStorage

/// A wallet's description that was compared with the sealed copy in one of its share files.
///
/// `wallet.json` is public, and a program that can write to the home can replace it; its addresses are then an
/// attacker's. When money is sent to an address of the wallet without a signature by its shares, the address is taken
/// from this type.
public struct ProvenWallet: Sendable {
    /// The sealed description.
    public let record: WalletRecord
    /// The share whose copy it was compared with.
    public let share: ShareLocation

    fileprivate init(_ record: WalletRecord, by share: ShareLocation) {
        self.record = record
        self.share = share
    }
}

extension WalletHome {
    /// Opens the first share whose file exists, and compares its sealed description with this one.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)`` if they differ; the error of opening if no share opens. A
    ///   missing or damaged share is skipped; any other problem is a reason not to trust the description.
    public func proven(
        _ wallet: WalletRecord, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> ProvenWallet {
        var obstacle: CustodyError?
        for share in wallet.shares {
            do throws(CustodyError) {
                let sealed = try await open(share.location, of: wallet, passphrase: passphrase)
                // The name is compared, too: a description of the same user's other wallet opens that wallet's shares.
                guard sealed.record.isSameWallet(as: wallet) else {
                    throw .share(share.location, .foreign(path: share.path))
                }
                return ProvenWallet(wallet, by: share.location)
            } catch {
                switch error {
                case .share(let location, .foreign(let path)), .share(let location, .unreadable(let path, .wrongKind)):
                    throw .damagedWallet(
                        name: wallet.name.description,
                        reason: "wallet.json and the \(location.name) share at \(path) are not of one wallet")
                case .share(_, .unreadable(_, let fault)) where fault.isRefusedPassphrase: throw error
                case .share(_, .missing), .share(_, .unreadable), .share(_, .behind): obstacle = obstacle ?? error
                default: throw error
                }
            }
        }
        throw obstacle ?? .damagedWallet(name: wallet.name.description, reason: "it lists no shares")
    }
}
