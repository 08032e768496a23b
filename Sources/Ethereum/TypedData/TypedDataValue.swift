public import Amounts
internal import Curves

extension TypedData {
    /// A value, with exactly the number or bytes that are signed.
    public indirect enum Value: Hashable, Sendable {
        /// An unsigned whole number.
        case uint(UInt256)
        /// A signed whole number.
        case int(Int256)
        /// A truth value.
        case bool(Bool)
        /// An address of 20 bytes.
        case address(EthereumAddress)
        /// Bytes of the size that the type fixes, or of any size.
        case bytes([UInt8])
        /// Text in UTF-8.
        case string(String)
        /// An array of values of one type.
        case array([Value])
        /// A value of a structure type.
        case structure(Structure)

        /// The number, if this value is an unsigned one.
        public var uint: UInt256? { if case .uint(let value) = self { value } else { nil } }

        /// The address, if this value is one.
        public var address: EthereumAddress? { if case .address(let value) = self { value } else { nil } }

        /// The structure, if this value is one.
        public var structure: Structure? { if case .structure(let value) = self { value } else { nil } }

        /// The elements, if this value is an array.
        public var array: [Value]? { if case .array(let value) = self { value } else { nil } }

        /// The bytes, if this value has bytes.
        public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }

        /// The Boolean, if this value is one.
        public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    }

    /// A structure: the values of all members of its type, in the order of the type.
    public struct Structure: Hashable, Sendable {
        /// One member.
        public struct Member: Hashable, Sendable {
            /// The name of the member.
            public let name: String
            /// The member's type as in the document: `uint256`, `Person[]`.
            public let type: String
            /// The value of the member.
            public let value: Value
        }

        /// The name of the type.
        public let name: String
        /// The members in the order of their type.
        public let members: [Member]
        /// The hash of the structure (EIP-712, `hashStruct`), 32 bytes.
        public let hash: [UInt8]

        /// Returns the value of a member; nil if the type has none of this name.
        public subscript(_ name: String) -> Value? { members.first { $0.name == name }?.value }

        init(name: String, typeHash: [UInt8], members: [(TypeGraph.Member, Value)]) {
            self.name = name
            self.members = members.map { Member(name: $0.0.name, type: $0.0.typeText, value: $0.1) }
            hash = Keccak256.hash(typeHash + members.flatMap { $0.1.encoded($0.0.type) })
        }
    }
}

extension TypedData.Value {
    /// Returns the value in 32 bytes (EIP-712, `encodeData`): itself, or the hash of a longer one.
    fileprivate func encoded(_ type: TypedDataType) -> [UInt8] {
        switch self {
        case .uint(let number): return number.bytes
        case .int(let number): return number.bytes
        case .bool(let value): return UInt256(value ? 1 : 0).bytes
        case .address(let address): return [UInt8](repeating: 0, count: 12) + address.bytes
        case .bytes(let bytes):
            if case .fixedBytes = type { return bytes + [UInt8](repeating: 0, count: 32 - bytes.count) }
            return Keccak256.hash(bytes)
        case .string(let text): return Keccak256.hash(Array(text.utf8))
        case .array(let elements):
            guard case .array(let type, _) = type else { preconditionFailure("an array has the type of one") }
            return Keccak256.hash(elements.flatMap { $0.encoded(type) })
        case .structure(let structure): return structure.hash
        }
    }
}
