internal import Encoding
internal import Time

extension JSON {
    init(_ id: Identifier<some Sendable>) { self = .string(id.description) }

    /// Encodes a time as in JWTs: seconds since 1970.
    init(_ time: Timestamp) { self.init(time.seconds) }
}

/// The members of a request or a response, read one by one. Other members are ignored, as RFC 9457 and RFC 6749
/// require: a newer client may send more than an older server knows.
struct Members<Fault: MemberFault> {
    private let object: JSON.Object

    init(_ json: JSON) throws(Fault) {
        guard let object = json.object else { throw Fault.malformed }
        self.object = object
    }

    /// Reads an optional member; nil if it is absent or null.
    func optional<Value>(_ name: String, _ read: (JSON) throws(Fault) -> Value) throws(Fault) -> Value? {
        guard let value = object[name], !value.isNull else { return nil }
        do throws(Fault) { return try read(value) } catch { throw error.inside(name) }
    }

    func required<Value>(_ name: String, _ read: (JSON) throws(Fault) -> Value) throws(Fault) -> Value {
        guard let value = try optional(name, read) else { throw Fault.malformed.inside(name) }
        return value
    }

    func text(_ name: String, characters: ClosedRange<Int>) throws(Fault) -> String {
        try required(name) { value throws(Fault) in try Self.text(value, characters) }
    }

    func optionalText(_ name: String, characters: ClosedRange<Int>) throws(Fault) -> String? {
        try optional(name) { value throws(Fault) in try Self.text(value, characters) }
    }

    /// Reads a name that a user gives to an account, a device or a passkey: text of `AuthLimits.nameCharacters` that is
    /// shown in lists as it is.
    func name(_ member: String) throws(Fault) -> String { try required(member, Self.name) }

    func optionalName(_ member: String) throws(Fault) -> String? { try optional(member, Self.name) }

    /// Reads one of the words of an enumeration.
    func word<Word: RawRepresentable<String> & Equatable>(_ name: String, among allowed: [Word]) throws(Fault) -> Word {
        try required(name) { value throws(Fault) in
            guard let word = value.string.flatMap(Word.init(rawValue:)), allowed.contains(word) else {
                throw Fault.malformed
            }
            return word
        }
    }

    func integer(_ name: String) throws(Fault) -> Int64 { try required(name, Self.integer) }

    func bool(_ name: String) throws(Fault) -> Bool {
        try required(name) { value throws(Fault) in
            guard let value = value.bool else { throw Fault.malformed }
            return value
        }
    }

    func time(_ name: String) throws(Fault) -> Timestamp { try required(name, Self.time) }

    func optionalTime(_ name: String) throws(Fault) -> Timestamp? { try optional(name, Self.time) }

    func identifier<Named>(_ name: String) throws(Fault) -> Identifier<Named> { try required(name, Self.identifier) }

    func optionalIdentifier<Named>(_ name: String) throws(Fault) -> Identifier<Named>? {
        try optional(name, Self.identifier)
    }

    func list<Value>(_ name: String, _ read: (JSON) throws(Fault) -> Value) throws(Fault) -> [Value] {
        try required(name) { value throws(Fault) in try Self.list(value, read) }
    }

    func optionalList<Value>(_ name: String, _ read: (JSON) throws(Fault) -> Value) throws(Fault) -> [Value]? {
        try optional(name) { value throws(Fault) in try Self.list(value, read) }
    }
}

/// Readers of single values.
extension Members {
    private static func name(_ value: JSON) throws(Fault) -> String {
        let name = try text(value, AuthLimits.nameCharacters)
        guard name.isVisible else { throw Fault.malformed }
        return name
    }

    private static func integer(_ value: JSON) throws(Fault) -> Int64 {
        guard let number: Int64 = value.number?.integer() else { throw Fault.malformed }
        return number
    }

    private static func time(_ value: JSON) throws(Fault) -> Timestamp { Timestamp(seconds: try integer(value)) }

    private static func identifier<Named>(_ value: JSON) throws(Fault) -> Identifier<Named> {
        guard let text = value.string, let id = try? Identifier<Named>(text) else { throw Fault.malformed }
        return id
    }

    private static func list<Value>(
        _ value: JSON, _ read: (JSON) throws(Fault) -> Value
    ) throws(Fault) -> [Value] {
        guard let elements = value.array else { throw Fault.malformed }
        var values: [Value] = []
        for (place, element) in elements.enumerated() {
            do throws(Fault) { values.append(try read(element)) } catch { throw error.inside("[\(place)]") }
        }
        return values
    }

    private static func text(_ value: JSON, _ characters: ClosedRange<Int>) throws(Fault) -> String {
        // The size in bytes is limited first, because one character can have any number of bytes.
        guard let text = value.string else { throw Fault.malformed }
        // Most texts are tokens in ASCII, whose characters need no look-up.
        if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }), characters.contains(text.utf8.count) { return text }
        guard text.utf8.count <= 16 * characters.upperBound,
            characters.contains(text.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Fault.malformed }
        return text
    }
}

extension String {
    /// Whether a list can show the text as a name of its own: at least one character is visible, and none is a format
    /// character, which hides itself or, like U+202E, reorders others. The joiners of scripts and emoji may occur.
    fileprivate var isVisible: Bool {
        var hasVisible = false
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .format where scalar != "\u{200c}" && scalar != "\u{200d}": return false
            case .lineSeparator, .paragraphSeparator: return false
            case .format, .spaceSeparator, .unassigned, .privateUse: continue
            // U+2800 is a pattern of Braille without a dot.
            default: if !scalar.properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" { hasVisible = true }
            }
        }
        return hasVisible
    }
}
