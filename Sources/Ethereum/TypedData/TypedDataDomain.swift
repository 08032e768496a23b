public import Amounts

extension TypedData {
    /// The domain of a signature: the signature is invalid elsewhere.
    public struct Domain: Hashable, Sendable {
        /// The application's own name, which proves nothing.
        public let name: String?
        /// The version of the domain.
        public let version: String?
        /// The chain, which must be the one that the user expects.
        public let chainID: UInt256?
        /// The chain, if transactions can be signed for this number; see ``ChainID``.
        public var chain: ChainID? { chainID?.uint64.flatMap { try? ChainID($0) } }
        /// The contract that will check the signature.
        public let verifyingContract: EthereumAddress?
        /// The salt, 32 bytes.
        public let salt: [UInt8]?
        /// All of these members that the document has, in its order.
        public let members: [Structure.Member]
        /// The hash of the domain, 32 bytes.
        public let separator: [UInt8]

        static let typeName = "EIP712Domain"
        /// EIP-712, "Definition of domainSeparator": a domain has some of these members, and no other. It may have none, as
        /// in other wallets: the signature is then bound to nothing.
        private static let types: [String: TypedDataType] = [
            "name": .string, "version": .string, "chainId": .uint(bits: 256), "verifyingContract": .address,
            "salt": .fixedBytes(32),
        ]

        static func check(_ members: [TypeGraph.Member]) throws(EthereumError) {
            if let other = members.first(where: { types[$0.name] != $0.type }) {
                throw .badTypedData(.domain, at: other.name)
            }
        }

        init(_ structure: Structure) {
            func text(_ name: String) -> String? {
                if case .string(let text)? = structure[name] { text } else { nil }
            }
            name = text("name")
            version = text("version")
            chainID = structure["chainId"]?.uint
            verifyingContract = structure["verifyingContract"]?.address
            salt = structure["salt"]?.bytes
            members = structure.members
            separator = structure.hash
        }
    }
}
