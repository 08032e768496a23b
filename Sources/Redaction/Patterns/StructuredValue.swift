/// An array or an object of JSON behind the name of a secret: each text in it is secret, and the structure stays.
enum StructuredValue {
    /// The most bytes that are read, and how deep arrays and objects may lie.
    private static let most = 64 << 10
    private static let deepest = 16

    /// Returns where the texts and the numbers are, and where the value ends; nil if it is no array or object, or one that
    /// describes a value, as JSON Schema does.
    ///
    /// - Parameter start: the place of its bracket.
    static func secrets(
        at start: Int, of name: NamedValue.Name, in text: ScannedText
    ) -> (places: [(range: Range<Int>, isNumber: Bool)], end: Int)? {
        var (places, depth, place) = ([(range: Range<Int>, isNumber: Bool)](), 0, start)
        let limit = min(text.count, start + most)
        let hasNumbers = name.kind == .password || name.kind == .code
        while place < limit {
            switch text[place] {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= deepest else { return nil }
                place += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                place += 1
                if depth == 0 { return (places, place) }
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                let isEscaped = text[place] == UInt8(ascii: "\\")
                let first = isEscaped ? place + 2 : place + 1
                guard first < limit, text[first - 1] == UInt8(ascii: "\"") else { return nil }
                let end = NamedValue.endOfString(from: first, by: UInt8(ascii: "\""), isEscaped: isEscaped, in: text)
                guard end < limit, text[end] != 0x0A else { return nil }
                place = end + (isEscaped ? 2 : 1)
                var next = place
                while next < limit, text[next].isSpace { next += 1 }
                guard next >= limit || text[next] != UInt8(ascii: ":") else {
                    if describing.contains(String(decoding: text[first..<end], as: UTF8.self)) { return nil }
                    continue
                }
                // Names and kinds have no digits.
                let isSecret = name.kind != .secret || text[first..<end].contains(where: \.isDigit)
                if end > first, isSecret, RedactedKind.marker(at: first, in: text) == nil {
                    places.append((first..<end, false))
                }
            case let byte where byte.isDigit || byte == UInt8(ascii: "-"):
                var end = place + 1
                while end < limit, text[end].isDigit || ".eE+-".utf8.contains(text[end]) { end += 1 }
                if hasNumbers { places.append((place..<end, true)) }
                place = end
            case let byte where byte.isSpace || byte.isLetter || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":"):
                place += 1
            default: return nil
            }
        }
        return nil
    }

    /// Names of members that tell that an object describes a value.
    private static let describing: Set<String> = [
        "type", "$ref", "description", "format", "required", "enum", "default",
    ]
}
