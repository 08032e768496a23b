/// The accounts of one wallet: one for each of its group keys, all on one network.
public struct Accounts: Equatable, Sendable {
    public let taproot: TaprootAccount
    /// Nothing for a wallet whose shares sign by Schnorr alone.
    public let segwit: SegwitAccount?

    /// A wallet with a key for Schnorr signatures alone.
    public init(taproot: TaprootAccount) {
        self.taproot = taproot
        segwit = nil
    }

    /// A wallet with a key for Schnorr signatures and another one for ECDSA.
    ///
    /// - Throws: ``WalletError/wrongNetwork`` if they are on different networks.
    public init(taproot: TaprootAccount, segwit: SegwitAccount) throws(WalletError) {
        guard taproot.network == segwit.network else { throw .wrongNetwork }
        self.taproot = taproot
        self.segwit = segwit
    }

    /// Of all accounts.
    public var network: Network { taproot.network }

    /// The keys of all accounts at a path.
    func keys(at path: AddressPath) throws(WalletError) -> [DerivedKey] {
        let taproot = DerivedKey.taproot(try taproot.key(at: path))
        guard let segwit else { return [taproot] }
        return [taproot, .segwit(try segwit.key(at: path))]
    }
}
