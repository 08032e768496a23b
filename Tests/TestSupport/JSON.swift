/// A JSON value of any shape, for vector files that are too irregular to be given a type.
///
/// ```swift
/// let file = try Vectors.json("bip341")
/// for test in try file["outputs"].array(of: 7) { let expected = try test["script"].bytes … }
/// ```
///
/// A path that is not there gives ``null``, whose values throw: a misspelled key fails the test.
public enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case list([JSON])
    case object([String: JSON])

    public struct WrongKind: Error, CustomStringConvertible {
        public let description: String
    }

    public subscript(_ key: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members[key] ?? .null
    }

    public subscript(_ position: Int) -> JSON {
        guard case .list(let values) = self, values.indices.contains(position) else { return .null }
        return values[position]
    }

    public var isNull: Bool { self == .null }

    public var bool: Bool {
        get throws {
            guard case .bool(let value) = self else { throw wrong("a Boolean") }
            return value
        }
    }

    public var integer: Int64 {
        get throws {
            guard case .integer(let value) = self else { throw wrong("an integer") }
            return value
        }
    }

    public var string: String {
        get throws {
            guard case .string(let value) = self else { throw wrong("a string") }
            return value
        }
    }

    public var array: [JSON] {
        get throws {
            guard case .list(let values) = self else { throw wrong("a list") }
            return values
        }
    }

    /// Returns the values of a list with that number of them. A loop over a shorter list would pass without a word.
    public func array(of count: Int) throws -> [JSON] {
        let values = try array
        guard values.count == count else {
            throw WrongKind(description: "a list of \(values.count) values, and not of \(count)")
        }
        return values
    }

    public var object: [String: JSON] {
        get throws {
            guard case .object(let members) = self else { throw wrong("an object") }
            return members
        }
    }

    /// The bytes of a hexadecimal string, with or without `0x`.
    public var bytes: [UInt8] {
        get throws {
            let text = try string
            let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
            guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), digits.utf8.count.isMultiple(of: 2) else {
                throw wrong("hexadecimal")
            }
            return hex(digits)
        }
    }

    private func wrong(_ kind: String) -> WrongKind { WrongKind(description: "\(self) is not \(kind)") }
}

extension JSON: Decodable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let values = try? value.decode([JSON].self) {
            self = .list(values)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }
}
