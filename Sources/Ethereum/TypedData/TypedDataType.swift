/// The type of a member of typed data (EIP-712, "Definition of typed structured data").
indirect enum TypedDataType: Hashable, Sendable {
    case uint(bits: Int)
    case int(bits: Int)
    case bool
    case address
    case fixedBytes(Int)
    case bytes
    case string
    /// An array of a fixed length, or of any length if `count` is nil.
    case array(TypedDataType, count: Int?)
    case structure(String)

    /// Reads a type such as `uint256` or `Person[2][]`.
    init(_ text: String) throws(EthereumError) {
        guard text.utf8.count <= EthereumLimits.typeNameBytes else { throw .badTypedData(.tooMany) }
        try self.init(Array(text.utf8)[...])
    }

    private init(_ text: ArraySlice<UInt8>) throws(EthereumError) {
        if text.last == UInt8(ascii: "]") {
            guard let open = text.lastIndex(of: UInt8(ascii: "[")) else { throw .badTypedData(.name) }
            let digits = text[(open + 1)...].dropLast()
            let count = digits.isEmpty ? nil : Self.number(digits)
            guard digits.isEmpty || count != nil else { throw .badTypedData(.name) }
            self = .array(try TypedDataType(text[..<open]), count: count)
            return
        }
        let name = String(decoding: text, as: UTF8.self)
        if let basic = Self.basic(name) {
            self = basic
        } else {
            guard Self.isStructureName(name) else { throw .badTypedData(.name) }
            self = .structure(name)
        }
    }

    private static func basic(_ name: String) -> TypedDataType? {
        switch name {
        case "bool": .bool
        case "address": .address
        case "bytes": .bytes
        case "string": .string
        default:
            if let bits = suffix(of: name, behind: "uint"), isWidth(bits) {
                .uint(bits: bits)
            } else if let bits = suffix(of: name, behind: "int"), isWidth(bits) {
                .int(bits: bits)
            } else if let count = suffix(of: name, behind: "bytes"), (1...32).contains(count) {
                .fixedBytes(count)
            } else {
                nil
            }
        }
    }

    private static func isWidth(_ bits: Int) -> Bool { (8...256).contains(bits) && bits.isMultiple(of: 8) }

    private static func suffix(of name: String, behind prefix: String) -> Int? {
        name.hasPrefix(prefix) ? number(Array(name.utf8.dropFirst(prefix.utf8.count))[...]) : nil
    }

    /// Reads a number from 1 on, without leading zeros.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// Returns whether the name is a Solidity identifier.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.count <= EthereumLimits.typeNameBytes
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
                default: false
                }
            }
    }

    /// Returns whether the name is that of a structure: an identifier that does not look like a basic type, as `uint`,
    /// `uint7` and `bytes33` do; or several with colons between them, as in `HyperliquidTransaction:Withdraw`. A colon
    /// occurs nowhere else in an encoded type, so that such a name is not ambiguous.
    static func isStructureName(_ name: String) -> Bool {
        guard name.utf8.count <= EthereumLimits.typeNameBytes, basic(name) == nil,
            name.split(separator: ":", omittingEmptySubsequences: false).allSatisfy({ isIdentifier(String($0)) })
        else { return false }
        let word = name.utf8.reversed().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.reversed()
        return !["uint", "int", "bytes", "fixed", "ufixed"].contains(String(decoding: word, as: UTF8.self))
    }

    /// The structure's name, of this type or of the elements of an array of any depth.
    var structureName: String? {
        switch self {
        case .structure(let name): name
        case .array(let element, _): element.structureName
        default: nil
        }
    }
}
