public import Bitcoin
public import Encoding
public import Ethereum
public import HDKeys

/// What is wrong with something that is to be signed, or with its signature. Positions and field numbers only, never the input itself.
public enum WalletError: Error, Equatable, Sendable {
    /// Bytes or JSON that do not decode.
    case malformed(EncodingError)
    /// A derivation path or a key that is wrong, or does not exist in this wallet.
    case key(HDKeyError)
    /// What the libraries of Bitcoin refuse.
    case bitcoin(BitcoinError)
    /// What the libraries of Ethereum refuse.
    case ethereum(EthereumError)
}
