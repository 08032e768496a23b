public import Amounts
public import Bitcoin
public import HDKeys
public import Wallet

/// The reason why a text does not name a payee, or an amount.
public enum PayeeFault: Error, Equatable, Sendable {
    /// The text is an address of other networks of Bitcoin.
    case otherNetwork([Network], wallet: Network)
    /// The text is neither a contact's name nor an address, for this reason.
    case notAnAddress(String, BitcoinError)
    /// The text looks like an address of Ethereum, but does not have 40 hexadecimal digits.
    case malformedAccount(String)
    /// The checksum of an Ethereum address is wrong.
    case badChecksum(String)
    /// The wallet has no contact of this name.
    case noSuchContact(String)
    /// The contact has no address on this chain.
    case noAddress(contact: String, on: Chain)
    /// The contact has no address on a chain of Ethereum's kind.
    case noAccount(contact: String)
    /// The amount of a chain's coin is malformed.
    case badAmount(AmountError, on: ChainName)
    /// The amount of a token is malformed. `symbol` is empty if the list of known tokens does not have the token.
    case badTokenAmount(symbol: String, Decimals)
    /// The whole balance was ordered on Ethereum, where only sweeps pay it.
    case allOnEthereum
}
