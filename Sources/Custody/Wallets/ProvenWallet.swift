public import Secrets
internal import SecureStorage

/// A wallet's description that is what was sealed beside one of its shares.
///
/// `wallet.json` is public, and anybody who writes to the home can put another one in its place: its addresses are then somebody
/// else's. Where money is to be sent to an address of the wallet, and no share signs, this is what the address is taken from.
public struct ProvenWallet: Sendable {
    /// The description, as it was sealed.
    public let record: WalletRecord
    /// The share that it was compared with.
    public let share: ShareLocation

    fileprivate init(_ record: WalletRecord, by share: ShareLocation) {
        self.record = record
        self.share = share
    }
}

extension WalletHome {
    /// Opens the first share that is there, and compares what is sealed with it with the description.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)`` if they differ; what opening throws if no share opens: a share that is
    ///   away or damaged says nothing, and any other problem is a reason not to trust the description.
    public func proven(
        _ wallet: WalletRecord, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> ProvenWallet {
        var obstacle: CustodyError?
        for share in wallet.shares {
            do throws(CustodyError) {
                let sealed = try await open(share.location, of: wallet, passphrase: passphrase)
                // The name too: a description of another wallet of the same person opens its own shares.
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
                case .share(_, .unreadable(_, .wrongPassphrase)): throw error
                case .share(_, .missing), .share(_, .unreadable): obstacle = obstacle ?? error
                default: throw error
                }
            }
        }
        throw obstacle ?? .damagedWallet(name: wallet.name.description, reason: "it lists no shares")
    }
}
