/// A JSON value (RFC 8259), decoded strictly.
///
/// Readers may disagree about the meaning of a file or a node's answer: where a name is repeated, where a number has
/// more digits than a `Double`, where a surrogate is unpaired. Such input is refused, or kept as it is written: a
/// ``Number`` keeps its text.
///
/// ```swift
/// let answer = try JSON(decoding: bytes, limit: 1 << 20)
/// guard let result = answer["result"]?.string else { … }
/// ```
///
/// - Warning: for public data. The time depends on the bytes, and nothing is wiped.
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

    /// Decodes a value, which has to be the whole input except for white space.
    ///
    /// - Parameters:
    ///   - limit: the highest number of bytes. In memory a value takes up to twenty times as much.
    ///   - depth: how deep arrays and objects may be nested.
    /// - Throws: ``EncodingError``.
    public init(
        decoding bytes: some Collection<UInt8>, limit: Int = EncodingLimits.jsonBytes,
        depth: Int = EncodingLimits.jsonDepth
    ) throws(EncodingError) {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        var reader = JSONReader(Array(bytes), depth: depth)
        self = try reader.document()
    }

    /// Decodes a value from text.
    public init(
        decoding text: String, limit: Int = EncodingLimits.jsonBytes, depth: Int = EncodingLimits.jsonDepth
    ) throws(EncodingError) {
        try self.init(decoding: Array(text.utf8), limit: limit, depth: depth)
    }

    /// Creates a whole number.
    public init(_ value: Int64) { self = .number(Number(value)) }

    /// Returns the value of a member; nil if this is not an object, or does not have the member.
    public subscript(_ name: String) -> JSON? { object?[name] }

    /// Whether this is `null`. A missing member is not `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The Boolean; nil for another type.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number; nil for another type.
    public var number: Number? { if case .number(let value) = self { value } else { nil } }

    /// The string; nil for another type.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements; nil if this is not an array.
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

    /// The object; nil for another type.
    public var object: Object? { if case .object(let value) = self { value } else { nil } }
}

extension JSON: Equatable {
    /// Returns whether both have the same text, with members in the same order. Unlike `String`, strings that only look
    /// alike are not equal.
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

// Literals, for requests to a node.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .number(Number(value)) }
    /// Creates a `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object with these members.
    ///
    /// - Precondition: no name is repeated.
    public init(dictionaryLiteral members: (String, JSON)...) {
        guard let object = try? Object(members.map { Object.Member(name: $0.0, value: $0.1) }) else {
            preconditionFailure("a name is there twice in a literal")
        }
        self = .object(object)
    }

    /// Returns an object of the members that have a value.
    ///
    /// - Precondition: no name is repeated.
    package static func object(with members: KeyValuePairs<String, JSON?>) -> JSON {
        let present = members.compactMap { name, value in value.map { Object.Member(name: name, value: $0) } }
        guard let object = try? Object(present) else { preconditionFailure("a name is there twice in a literal") }
        return .object(object)
    }
}
