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
    /// A document of EIP-712 that cannot be shown exactly as it would be signed. `at` is the place in the document:
    /// `message.orders[2].to`; empty for the document as a whole. It contains identifiers and numbers only.
    case badTypedData(TypedData.Fault, at: String)
    /// Arguments of a contract's function that are not in the one form which compilers write.
    case badABI(ABI.Fault)
    /// Text that cannot be shown as the symbol of a token.
    case badTokenSymbol
}

extension EthereumError {
    /// Creates an error in the typed data that are read now.
    static func badTypedData(_ fault: TypedData.Fault) -> EthereumError { .badTypedData(fault, at: "") }

    /// Returns the error of a part of typed data as one of the whole.
    ///
    /// - Parameter part: the name of the part, or its place in an array: `[2]`.
    func inPart(_ part: String) -> EthereumError {
        guard case .badTypedData(let fault, let place) = self else { return self }
        return .badTypedData(fault, at: place.isEmpty || place.hasPrefix("[") ? part + place : "\(part).\(place)")
    }
}
