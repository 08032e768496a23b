public import Encoding

extension EthereumTransaction {
    /// A field, by its name in JSON-RPC.
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

    /// An error in a transaction.
    public enum Fault: Equatable, Sendable {
        /// The bytes are empty, too many for a node, or not canonical RLP.
        case malformed(EncodingError)
        /// The type byte is unknown to this wallet, or has no meaning in any EIP.
        case unsupportedType(UInt8)
        /// The number of fields is not that of the type.
        case fieldCount(Int)
        /// A field has leading zeros, a wrong size or kind, or an impossible value.
        case field(Field)
        /// The priority fee is above the total fee.
        case priorityAboveMaximum
        /// The fee exceeds 256 bits.
        case costOverflow
        /// The signature is invalid: r or s is zero or too large, s is high (EIP-2), or no key can have made it.
        case signature
    }
}
