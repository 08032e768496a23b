package import Encoding
package import Time

extension JSON {
    init(_ id: Identifier<some Sendable>) { self = .string(id.description) }

    /// Encodes a time as in JWTs: seconds since 1970.
    init(_ time: Timestamp) { self.init(time.seconds) }
}

/// The members of a request or a response, read one by one. Other members are ignored, as RFC 9457 and RFC 6749
/// require: a newer client may send more than an older server knows.
package struct Members {
    private let object: JSON.Object

    /// - Throws: ``Problem`` with ``ProblemCode/malformedRequest`` if it is not an object.
    package init(_ json: JSON) throws(Problem) {
        guard let object = json.object else { throw Problem(.malformedRequest) }
        self.object = object
    }

    /// Reads an optional member; nil if it is absent or null.
    package func optional<Value>(_ name: String, _ read: (JSON) throws(Problem) -> Value) throws(Problem) -> Value? {
        guard let value = object[name], !value.isNull else { return nil }
        return try read(value)
    }

    package func required<Value>(_ name: String, _ read: (JSON) throws(Problem) -> Value) throws(Problem) -> Value {
        guard let value = try optional(name, read) else { throw Problem(.malformedRequest) }
        return value
    }

    package func text(_ name: String, characters: ClosedRange<Int>) throws(Problem) -> String {
        try required(name) { value throws(Problem) in try Self.text(value, characters) }
    }

    package func optionalText(_ name: String, characters: ClosedRange<Int>) throws(Problem) -> String? {
        try optional(name) { value throws(Problem) in try Self.text(value, characters) }
    }

    /// Reads a name that a user gives to an account, a device or a passkey: text of `AuthLimits.nameCharacters` that is
    /// shown in lists as it is.
    package func name(_ member: String) throws(Problem) -> String {
        let name = try text(member, characters: AuthLimits.nameCharacters)
        guard name.isVisible else { throw Problem(.malformedRequest) }
        return name
    }

    package func optionalName(_ member: String) throws(Problem) -> String? {
        try optional(member) { _ throws(Problem) in try name(member) }
    }

    package func integer(_ name: String) throws(Problem) -> Int64 {
        try required(name) { value throws(Problem) in
            guard let number: Int64 = value.number?.integer() else { throw Problem(.malformedRequest) }
            return number
        }
    }

    package func bool(_ name: String) throws(Problem) -> Bool {
        try required(name) { value throws(Problem) in
            guard let value = value.bool else { throw Problem(.malformedRequest) }
            return value
        }
    }

    package func time(_ name: String) throws(Problem) -> Timestamp { Timestamp(seconds: try integer(name)) }

    package func identifier<Named>(_ name: String) throws(Problem) -> Identifier<Named> {
        try required(name) { value throws(Problem) in
            guard let text = value.string, let id = try? Identifier<Named>(text) else {
                throw Problem(.malformedRequest)
            }
            return id
        }
    }

    package func list<Value>(_ name: String, _ read: (JSON) throws(Problem) -> Value) throws(Problem) -> [Value] {
        let elements = try required(name) { value throws(Problem) in
            guard let array = value.array else { throw Problem(.malformedRequest) }
            return array
        }
        var values: [Value] = []
        for element in elements { values.append(try read(element)) }
        return values
    }

    private static func text(_ value: JSON, _ characters: ClosedRange<Int>) throws(Problem) -> String {
        // The size in bytes is limited first, because one character can have any number of bytes.
        guard let text = value.string else { throw Problem(.malformedRequest) }
        // Most texts are tokens in ASCII, whose characters need no look-up.
        if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }), characters.contains(text.utf8.count) { return text }
        guard text.utf8.count <= 16 * characters.upperBound,
            characters.contains(text.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Problem(.malformedRequest) }
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
