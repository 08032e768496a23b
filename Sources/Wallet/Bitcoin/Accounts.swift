public import HDKeys

/// The accounts of one wallet: what each of its group keys holds. Those of Bitcoin are on one network.
public struct Accounts: Equatable, Sendable {
    public let taproot: TaprootAccount
    /// Nothing for a wallet whose shares sign by Schnorr alone.
    public let segwit: SegwitAccount?
    /// Nothing for a wallet that has no accounts on Ethereum.
    public let ethereum: EthereumAccounts?

    /// A wallet with a key for Schnorr signatures alone.
    public init(taproot: TaprootAccount) {
        self.taproot = taproot
        segwit = nil
        ethereum = nil
    }

    /// A wallet with a key for Schnorr signatures and another one for ECDSA.
    ///
    /// - Throws: ``HDKeyError/wrongNetwork`` if they are on different networks.
    public init(
        taproot: TaprootAccount, segwit: SegwitAccount, ethereum: EthereumAccounts? = nil
    ) throws(HDKeyError) {
        guard taproot.network == segwit.network else { throw .wrongNetwork }
        self.taproot = taproot
        self.segwit = segwit
        self.ethereum = ethereum
    }

    /// Of Bitcoin's accounts.
    public var network: Network { taproot.network }

    /// The keys of all accounts at a path.
    func keys(at path: AddressPath) throws(HDKeyError) -> [DerivedKey] {
        let taproot = DerivedKey.taproot(try taproot.key(at: path))
        guard let segwit else { return [taproot] }
        return [taproot, .segwit(try segwit.key(at: path))]
    }
}
