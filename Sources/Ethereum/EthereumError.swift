public import Encoding

/// An error in an address, a transaction, typed data or a signature. It never contains the input itself.
public enum EthereumError: Error, Equatable, Sendable {
    /// Bytes or text that do not decode.
    case malformed(EncodingError)
    /// Text that is not an address, or whose checksum does not match (EIP-55).
    case badAddress
    /// Text that is not a request for a payment (ERC-681) that can be paid.
    case badURI(EthereumURI.Fault)
    /// A chain identifier outside 1...``ChainID/maximum``.
    case badChainID
    /// A transaction that no node accepts, or whose bytes are not in their one form.
    case badTransaction(EthereumTransaction.Fault)
    /// Bytes that are not a signature as Ethereum takes it: not 65, a number out of range, or a high s.
    case badSignature
    /// A signature that the expected key did not make.
    case wrongSigner
    /// A private key of zero, or a hash of another size than 32 bytes.
    case badKey
    /// A document of EIP-712 that cannot be shown exactly as it would be signed.
    case badTypedData(TypedData.Fault)
    /// Arguments of a contract's function that are not in the one form which compilers write.
    case badABI(ABI.Fault)
    /// Text that cannot be shown as the symbol of a token.
    case badTokenSymbol
}
