/// A value between quotes behind the name of a secret.
struct QuotedValue {
    let text: ScannedText
    let range: Range<Int>
    let name: NamedValue.Name
    let sign: Int
    let words: KeyWords.Tables

    private var value: ScannedText.SubSequence { text[range] }

    var isSecret: Bool {
        let value = value
        guard let first = value.first, !isTemplate(value), value.contains(where: \.isAlphanumeric) || name.isQuoted
        else {
            return false
        }
        // The quote that ends a text before a parenthesis or a comma begins no value.
        if ",);]".utf8.contains(first)
            || text[range.lowerBound - 1] == UInt8(ascii: "`") && !value.contains(where: \.isDigit)
        {
            return name.isQuoted
        }
        if name.isSentence, value.contains(UInt8(ascii: " ")) || !value.contains(where: \.isDigit) { return false }
        let lower = value.count <= 24 ? Words.lowercased(value) : ""
        guard !SecretNames.noValues.contains(lower) else { return false }
        let hasDigits = value.contains(where: \.isDigit)
        if !hasDigits, Words.isName(value, words) { return false }
        switch name.kind {
        case .header: return NamedValue.isHeaderValue(value)
        case .key: return KeyValue.isSecret(value, of: name, in: text)
        case .code: return value.count <= 12 && value.count >= 4 && value.allSatisfy(\.isDigit)
        case .connection: return KeyValue.hasPassword(value)
        case .password, .phrase:
            // The name's quotes tell data from code, whose texts speak about passwords.
            if name.isQuoted { return true }
            if first == UInt8(ascii: ".") { return false }
            let isLabel = text[sign] == UInt8(ascii: ":") && name.range.contains { text[$0] == UInt8(ascii: ".") }
            return !isLabel && !Words.hasProse(value) && !(isIdentifier(value) && isDeclared)
        case .secret:
            if value.contains(UInt8(ascii: " ")) {
                return name.isQuoted && (value.count < 8 || !Words.hasProse(value))
            }
            if hasDigits { return value.contains(where: \.isLetter) || value.count >= 20 }
            return !value.contains {
                !$0.isLetter && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=")
            }
                && (value.count >= 16 ? Randomness.isRandom(value) : !isDeclared)
                && name.isPlain(in: text)
        }
    }

    /// Whether it is letters only, and the marks of names.
    private func isIdentifier(_ value: ScannedText.SubSequence) -> Bool {
        value.allSatisfy {
            $0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
    }

    private func isTemplate(_ value: ScannedText.SubSequence) -> Bool {
        let marks = ["\\(", "${", "#{", "{{", "%(", "%s", "%@", "...", "…"]
        if let first = value.first, "<{%".utf8.contains(first) { return true }
        if value.allSatisfy({ $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: ".") }) {
            return true
        }
        let bytes = Array(value)
        return marks.contains { bytes.contains($0.utf8) }
    }

    /// Whether the name is declared by a keyword of a program.
    private var isDeclared: Bool { name.isDeclared(in: text) }
}

extension NamedValue.Name {
    /// Whether a keyword of a program stands before the name.
    func isDeclared(in text: ScannedText) -> Bool {
        var end = range.lowerBound
        while end > 0, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
        guard end < range.lowerBound || end == 0 else { return false }
        let start = text[..<end].suffix(12).lastIndex { !$0.isLetter }.map { $0 + 1 } ?? max(0, end - 12)
        return Self.keywords.contains(String(decoding: text[start..<end], as: UTF8.self))
    }

    /// Whether the name is not one of a longer path, as in `error.token`.
    func isPlain(in text: ScannedText) -> Bool { !range.contains { text[$0] == UInt8(ascii: ".") } }

    private static let keywords: Set<String> = [
        "let", "var", "const", "val", "case", "static", "final", "def", "func", "Parameter", "param", "type", "auto",
        "struct", "class", "enum", "protocol", "extension", "actor", "interface", "for", "in",
    ]
}

/// The value of a name that is also one of public values.
enum KeyValue {
    static func isSecret(_ value: ScannedText.SubSequence, of name: NamedValue.Name, in text: ScannedText) -> Bool {
        // Docker's configuration: `"auth"` is `user:password` in Base64.
        if value.count >= 8, let decoded = Base64Text.texts(in: value, ofAtLeast: value.count / 4 * 3 - 2),
            decoded.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), decoded.dropFirst().dropLast().contains(UInt8(ascii: ":"))
        {
            return true
        }
        // The members of a type are no key.
        let longest = value.split(separator: UInt8(ascii: ".")).map(\.count).max() ?? 0
        guard longest >= 16, value.count <= 512,
            value.allSatisfy({ $0.isOfToken || $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "@") })
        else { return false }
        let label = Words.lowercased(text[name.range])
        guard !SecretNames.publicKeys.contains(where: { label.contains($0) }) else { return false }
        let isHex = value.allSatisfy { $0.hexValue != nil || $0 == UInt8(ascii: "-") }
        // Hexadecimal digits are a hash or a public key more often than a secret; an environment's `APP_KEY` is none.
        if isHex {
            return value.count >= 32 && !name.isWhole && text[name.range].contains { $0 != $0.lowercased }
                && !text[name.range].contains { $0.isLetter && $0 == $0.lowercased }
                && !value.contains(UInt8(ascii: "-"))
        }
        return Randomness.isRandom(value)
    }

    static func hasPassword(_ value: ScannedText.SubSequence) -> Bool {
        let bytes = Array(value)
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
        return bytes[..<at].contains(UInt8(ascii: ":")) && !bytes.contains("://".utf8)
    }
}
