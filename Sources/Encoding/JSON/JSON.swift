/// One value of JSON (RFC 8259), read strictly.
///
/// A file or a node's answer may mean different things to different readers: where names are there twice, where a number
/// has more digits than a `Double`, where a surrogate stands alone. All of these are refused, or kept as they are written:
/// a ``Number`` is its text.
///
/// ```swift
/// let answer = try JSON(decoding: bytes, limit: 1 << 20)
/// guard let result = answer["result"]?.string else { … }
/// ```
///
/// - Warning: for public data. The time it takes depends on the bytes, and nothing is wiped.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number, with the digits of its text.
    case number(Number)
    /// A string, without its escapes.
    case string(String)
    /// An array of values.
    case array([JSON])
    /// An object with members in order, each name once.
    case object(Object)

    /// Reads one value, which is all there is but for white space.
    ///
    /// - Parameters:
    ///   - limit: how many bytes there may be. In memory a value takes up to twenty times as much.
    ///   - depth: how deep arrays and objects may lie inside each other.
    /// - Throws: ``EncodingError``.
    public init(
        decoding bytes: some Collection<UInt8>, limit: Int = EncodingLimits.jsonBytes,
        depth: Int = EncodingLimits.jsonDepth
    ) throws(EncodingError) {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        var reader = JSONReader(Array(bytes), depth: depth)
        self = try reader.document()
    }

    /// Reads one value from text.
    public init(
        decoding text: String, limit: Int = EncodingLimits.jsonBytes, depth: Int = EncodingLimits.jsonDepth
    ) throws(EncodingError) {
        try self.init(decoding: Array(text.utf8), limit: limit, depth: depth)
    }

    /// A whole number.
    public init(_ value: Int64) { self = .number(Number(value)) }

    /// The value of a member; nil if this is no object, or does not have the member.
    public subscript(_ name: String) -> JSON? { object?[name] }

    /// Whether this is `null`, which is not the same as a member that is not there.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The Boolean, if this is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if this is one.
    public var number: Number? { if case .number(let value) = self { value } else { nil } }

    /// The string, if this is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, if this is an array.
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

    /// The object, if this is one.
    public var object: Object? { if case .object(let value) = self { value } else { nil } }
}

extension JSON: Equatable {
    /// Whether both are written alike, members in the same order. Strings are not equal for looking alike, as they would be for `String`.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

// Written out in a program, for requests to a node.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .number(Number(value)) }
    /// Creates a `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object with these members, each name once.
    ///
    /// - Precondition: no name is there twice.
    public init(dictionaryLiteral members: (String, JSON)...) {
        guard let object = try? Object(members.map { Object.Member(name: $0.0, value: $0.1) }) else {
            preconditionFailure("a name is there twice in a literal")
        }
        self = .object(object)
    }

    /// An object of those members that have a value.
    ///
    /// - Precondition: no name is there twice.
    package static func object(with members: KeyValuePairs<String, JSON?>) -> JSON {
        let present = members.compactMap { name, value in value.map { Object.Member(name: name, value: $0) } }
        guard let object = try? Object(present) else { preconditionFailure("a name is there twice in a literal") }
        return .object(object)
    }
}
