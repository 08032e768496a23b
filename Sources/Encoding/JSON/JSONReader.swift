/// A reader of JSON bytes. It recurses once for each level of nesting, up to the given depth.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private let depth: Int

    init(_ bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    mutating func document() throws(EncodingError) -> JSON {
        let value = try value(at: 0)
        skipSpace()
        guard position == bytes.count else { throw .leftOver(count: bytes.count - position) }
        return value
    }

    mutating func onlyNumber() throws(EncodingError) -> JSON.Number {
        let number = try number()
        guard position == bytes.count else { throw .badCharacter(offset: position) }
        return number
    }

    private mutating func value(at level: Int) throws(EncodingError) -> JSON {
        skipSpace()
        switch peek {
        case nil: throw .truncated
        case UInt8(ascii: "{"): return .object(try object(at: try deeper(level)))
        case UInt8(ascii: "["): return .array(try array(at: try deeper(level)))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private func deeper(_ level: Int) throws(EncodingError) -> Int {
        guard level < depth else { throw .tooDeep(limit: depth) }
        return level + 1
    }

    private mutating func object(at level: Int) throws(EncodingError) -> JSON.Object {
        position += 1
        var members: [JSON.Object.Member] = []
        var names = JSON.Object.Names()
        skipSpace()
        if take(UInt8(ascii: "}")) { return JSON.Object(unique: members) }
        while true {
            skipSpace()
            let start = position
            guard peek == UInt8(ascii: "\"") else { throw unexpected }
            let name = try string()
            guard names.insert(name, behind: members[...]) else { throw .duplicate(offset: start) }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected }
            members.append(JSON.Object.Member(name: name, value: try value(at: level)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return JSON.Object(unique: members) }
            guard take(UInt8(ascii: ",")) else { throw unexpected }
        }
    }

    private mutating func array(at level: Int) throws(EncodingError) -> [JSON] {
        position += 1
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(at: level))
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw unexpected }
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(EncodingError) -> JSON {
        for expected in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) {
            guard take(expected) else { throw unexpected }
        }
        return value
    }

    // MARK: - Numbers

    /// Reads `-`, then `0` or digits that do not begin with `0`, then an optional fraction, then an optional exponent.
    private mutating func number() throws(EncodingError) -> JSON.Number {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return JSON.Number(unchecked: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Reads one or more digits.
    private mutating func digits() throws(EncodingError) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw unexpected }
    }

    // MARK: - Strings

    private mutating func string() throws(EncodingError) -> String {
        position += 1
        let start = position
        // Characters up to the first backslash, which few strings contain, are literal.
        var all: UInt8 = 0
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            all |= byte
            position += 1
        }
        if peek == UInt8(ascii: "\"") {
            // ASCII needs no check of its encoding, which costs more than the rest of this function.
            if all < 0x80 {
                defer { position += 1 }
                return String(decoding: bytes[start..<position], as: UTF8.self)
            }
            guard let string = String(validating: bytes[start..<position], as: UTF8.self) else {
                throw .badCharacter(offset: start)
            }
            position += 1
            return string
        }
        var text = Array(bytes[start..<position])
        while true {
            guard let byte = peek else { throw .truncated }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = String(validating: text, as: UTF8.self) else { throw .badCharacter(offset: start) }
                return string
            case UInt8(ascii: "\\"):
                position += 1
                text += try escaped()
            case 0..<0x20: throw .badCharacter(offset: position)
            default:
                position += 1
                text.append(byte)
            }
        }
    }

    /// Reads the character after a backslash: a literal one, one of the five letters, or `u` and a UTF-16 unit.
    private mutating func escaped() throws(EncodingError) -> [UInt8] {
        guard let letter = peek else { throw .truncated }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            position += 1
            return [letter]
        case UInt8(ascii: "u"):
            let start = position - 1
            position += 1
            return try unicode(startingAt: start)
        default:
            guard let byte = JSONWriter.byte(of: letter) else { throw unexpected }
            position += 1
            return [byte]
        }
    }

    private mutating func unicode(startingAt start: Int) throws(EncodingError) -> [UInt8] {
        let unit = try unit()
        var units = [unit]
        if UTF16.isLeadSurrogate(unit) {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw .badCharacter(offset: start) }
            units.append(try self.unit())
        }
        // An unpaired surrogate is not a character, and readers treat it differently.
        guard let character = String(validating: units, as: UTF16.self) else { throw .badCharacter(offset: start) }
        return Array(character.utf8)
    }

    /// Reads four hexadecimal digits.
    private mutating func unit() throws(EncodingError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek else { throw .truncated }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw unexpected }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The error for the next byte, which is not allowed here.
    private var unexpected: EncodingError { peek == nil ? .truncated : .badCharacter(offset: position) }

    /// Reads the next byte if it is this one, and returns whether it was.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }
}
