public import HDKeys

/// A wallet's Bitcoin accounts, one for each of its group keys, all on one network.
public struct BitcoinAccounts: Equatable, Sendable {
    /// The account of the key that signs by BIP-340.
    public let taproot: TaprootAccount
    /// The account of the key that signs by ECDSA; nil for a wallet whose shares sign by Schnorr alone.
    public let segwit: SegwitAccount?

    /// The account of a wallet with a key for Schnorr signatures alone.
    public init(taproot: TaprootAccount) {
        self.taproot = taproot
        segwit = nil
    }

    /// The accounts of a wallet with a key for Schnorr signatures and another one for ECDSA.
    ///
    /// - Throws: `HDKeyError.wrongNetwork` if they are on different networks.
    public init(taproot: TaprootAccount, segwit: SegwitAccount) throws(HDKeyError) {
        guard taproot.network == segwit.network else { throw .wrongNetwork }
        self.taproot = taproot
        self.segwit = segwit
    }

    /// The network of both accounts.
    public var network: Network { taproot.network }

    /// Returns the keys of all accounts at a path.
    package func keys(at path: AddressPath) throws(HDKeyError) -> [DerivedKey] {
        let taproot = DerivedKey.taproot(try taproot.key(at: path))
        guard let segwit else { return [taproot] }
        return [taproot, .segwit(try segwit.key(at: path))]
    }
}
