/// A type of a contract's interface (Solidity, "Contract ABI Specification").
public indirect enum ABIType: Hashable, Sendable {
    /// An unsigned whole number of 8 to 256 bits, in steps of 8.
    case uint(Int)
    /// A signed whole number of this many bits.
    case int(Int)
    /// A truth value.
    case bool
    /// An address of 20 bytes.
    case address
    /// A fixed number of bytes, 1 to 32.
    case fixedBytes(Int)
    /// Any number of bytes.
    case bytes
    /// Text in UTF-8.
    case string
    /// An array of a fixed length of at least 1, or of any length if `count` is nil.
    case array(ABIType, count: Int?)
    /// A tuple of at least one type.
    case tuple([ABIType])

    static let uint256 = ABIType.uint(256)

    /// Whether its encoding has a size that depends on the value.
    var isDynamic: Bool {
        switch self {
        case .bytes, .string, .array(_, nil): true
        case .array(let element, _): element.isDynamic
        case .tuple(let types): types.contains(where: \.isDynamic)
        case .uint, .int, .bool, .address, .fixedBytes: false
        }
    }

    /// The number of bytes in the head of an encoding: the value itself, or its offset.
    var headSize: Int {
        if isDynamic { return 32 }
        return switch self {
        case .array(let element, let count): element.headSize * (count ?? 0)
        case .tuple(let types): types.reduce(0) { $0 + $1.headSize }
        default: 32
        }
    }
}

extension ABIType: CustomStringConvertible {
    /// The type as in a function's signature: `(address,uint256)[]`.
    public var description: String {
        switch self {
        case .uint(let bits): "uint\(bits)"
        case .int(let bits): "int\(bits)"
        case .bool: "bool"
        case .address: "address"
        case .fixedBytes(let count): "bytes\(count)"
        case .bytes: "bytes"
        case .string: "string"
        case .array(let element, let count): "\(element)[\(count.map(String.init) ?? "")]"
        case .tuple(let types): "(\(types.map(\.description).joined(separator: ",")))"
        }
    }
}
