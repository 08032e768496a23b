public import Encoding

extension EthereumTransaction {
    /// A field, by the name that JSON-RPC gives it.
    public enum Field: String, Hashable, Sendable {
        case chainID = "chainId"
        case nonce, gasPrice, maxPriorityFeePerGas, maxFeePerGas
        case gasLimit = "gas"
        case to, value
        case data = "input"
        case accessList, maxFeePerBlobGas
        case blobHashes = "blobVersionedHashes"
        case authorizations = "authorizationList"
        case v, yParity, r, s
    }

    /// What is wrong with a transaction.
    public enum Fault: Equatable, Sendable {
        /// Not RLP in its one form, more bytes than any node takes, or no bytes.
        case malformed(EncodingError)
        /// A type byte that no EIP has given a meaning, or that this wallet does not know.
        case unsupportedType(UInt8)
        /// Another number of fields than the type has.
        case fieldCount(Int)
        /// A field with leading zeros, of the wrong size or kind, or with a value that it cannot have.
        case field(Field)
        /// A priority fee above the fee in all.
        case priorityAboveMaximum
        /// The fee exceeds 256 bits.
        case costOverflow
        /// No signature of a key: r or s is zero or too large, s is high (EIP-2), or no key has made it.
        case signature
    }
}
