public import Bitcoin
public import Encoding
public import Ethereum
public import HDKeys

/// An error in something to be signed, or in its signature. It has positions and field numbers only, never the input
/// itself.
public enum WalletError: Error, Equatable, Sendable {
    /// The bytes or the JSON do not decode.
    case malformed(EncodingError)
    /// The derivation path or the key is invalid, or does not exist in this wallet.
    case key(HDKeyError)
    /// An error of the Bitcoin library.
    case bitcoin(BitcoinError)
    /// An error of the Ethereum library.
    case ethereum(EthereumError)
    /// A fault of a file's signature.
    case file(MinisignFault)
    /// The file is not an approval, or its key or digest has the wrong size.
    case badApproval
    /// The payment key is invalid. A valid one has 1 to 64 visible ASCII characters.
    case badPaymentKey
}
