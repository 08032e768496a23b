public import Bitcoin
public import HDKeys

/// The accounts of one wallet on each chain, by its group keys.
public struct Accounts: Equatable, Sendable {
    /// The accounts on Bitcoin.
    public let bitcoin: BitcoinAccounts
    /// The accounts on Ethereum; nil for a wallet that has none.
    public let ethereum: EthereumAccounts?

    /// Creates the accounts of a wallet.
    public init(bitcoin: BitcoinAccounts, ethereum: EthereumAccounts? = nil) {
        self.bitcoin = bitcoin
        self.ethereum = ethereum
    }

    /// The accounts of a wallet with a key for Schnorr signatures alone.
    public init(taproot: TaprootAccount) {
        self.init(bitcoin: BitcoinAccounts(taproot: taproot))
    }

    /// The accounts of a wallet with a key for Schnorr signatures and another one for ECDSA.
    ///
    /// - Throws: `HDKeyError.wrongNetwork` if they are on different networks.
    public init(
        taproot: TaprootAccount, segwit: SegwitAccount, ethereum: EthereumAccounts? = nil
    ) throws(HDKeyError) {
        self.init(bitcoin: try BitcoinAccounts(taproot: taproot, segwit: segwit), ethereum: ethereum)
    }

    /// The account of the key that signs by BIP-340.
    public var taproot: TaprootAccount { bitcoin.taproot }
    /// The account of the key that signs by ECDSA; nil for a wallet whose shares sign by Schnorr alone.
    public var segwit: SegwitAccount? { bitcoin.segwit }
    /// The network of Bitcoin's accounts.
    public var network: Network { bitcoin.network }
}

extension Accounts {
    /// Returns the key of one of the Bitcoin addresses.
    ///
    /// - Throws: `HDKeyError.badPath` for a wallet without such addresses; `HDKeyError.badKey`.
    public func key(of label: AddressLabel) throws(HDKeyError) -> DerivedKey { try bitcoin.key(of: label) }
}

extension Ownership {
    /// Derives the scripts of a wallet's Bitcoin accounts.
    ///
    /// - Throws: ``HDKeyError/badKey`` for an index that has no key, which is less likely than 2⁻¹²⁷.
    public init(
        of accounts: Accounts, scanning count: UInt32 = BitcoinLimits.scannedAddresses, and further: [AddressPath] = []
    ) throws(HDKeyError) {
        try self.init(of: accounts.bitcoin, scanning: count, and: further)
    }
}
