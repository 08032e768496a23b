public import Encoding

extension EthereumTransaction {
    /// A field, by the name that JSON-RPC gives it.
    public enum Field: String, Hashable, Sendable {
        /// The chain.
        case chainID = "chainId"
        /// The nonce.
        case nonce
        /// The price of a unit of gas.
        case gasPrice
        /// The highest tip for a unit of gas.
        case maxPriorityFeePerGas
        /// The highest price of a unit of gas.
        case maxFeePerGas
        /// The limit of gas.
        case gasLimit = "gas"
        /// The account that is called.
        case to
        /// The ether that is sent.
        case value
        /// The data.
        case data = "input"
        /// The accounts and storage that are announced (EIP-2930).
        case accessList
        /// The highest price of a unit of blob gas (EIP-4844).
        case maxFeePerBlobGas
        /// The hashes of the blobs (EIP-4844).
        case blobHashes = "blobVersionedHashes"
        /// The authorizations (EIP-7702).
        case authorizations = "authorizationList"
        /// The number v of the signature.
        case v
        /// The parity of the signature.
        case yParity
        /// The number r of the signature.
        case r
        /// The number s of the signature.
        case s
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
