/// A value that stands behind the name of a secret.
enum NamedValue {
    struct Name {
        let kind: SecretNames.Kind
        /// Where the name stands, without its quotes.
        let range: Range<Int>
        /// The quote behind the name, as in JSON, with the backslash before it.
        let quote: Range<Int>?
        /// Whether the ending is the whole name.
        let isWhole: Bool
        /// Whether it ends a sentence between quotes, as a catalogue of texts has them.
        let isSentence: Bool

        var isQuoted: Bool { quote != nil }
    }

    /// What a scan knows about the place of a name.
    struct Context {
        /// Whether a parenthesis is open on the line.
        var isInParentheses = false
        /// Whether a quote is open on the line.
        var isInString = false
    }

    /// The most bytes of a name, and of the space around a sign.
    private static let mostOfName = 40
    private static let mostOfSpace = 4

    /// Returns the name before a sign; nil if it is none of a secret.
    static func name(before sign: Int, in text: ScannedText, _ words: KeyWords.Tables) -> Name? {
        var place = sign
        while place > 0, sign - place < mostOfSpace, text[place - 1] == UInt8(ascii: " ") { place -= 1 }
        var quote: Range<Int>?
        if place > 0, text[place - 1].isQuote {
            let end = place
            place -= 1
            if place > 0, text[place - 1] == UInt8(ascii: "\\") { place -= 1 }
            quote = place..<end
        }
        let end = place
        // Of a name that ends in digits or marks the letters come later.
        if place > 1, text[place - 1].isLetter, text[place - 2].isLetter {
            let last = UInt64(text[place - 2].lowercased) << 8 | UInt64(text[place - 1].lowercased)
            guard words.lastLetters[Int(last) >> 6] >> (last & 63) & 1 != 0 else { return nil }
        } else if place == 0 || !text[place - 1].isAlphanumeric {
            return nil
        }
        // From the end, the letters of the name.
        var (letters, count, size) = (UInt64(0), 0, 0)
        while place > 0, size < mostOfName {
            let byte = text[place - 1]
            if byte.isLetter {
                if count < KeyWords.longestWord {
                    letters |= UInt64(byte.lowercased) << UInt64(8 * count)
                    count += 1
                }
            } else if !byte.isDigit, count == 0 || !byte.isOfName {
                break
            }
            size += 1
            place -= 1
        }
        guard count >= 2 else { return nil }
        for size in (2...count).reversed() {
            let ending = size == KeyWords.longestWord ? letters : letters & (1 << UInt64(8 * size) - 1)
            guard words.endings.contains(ending), let kind = SecretNames.kinds[ending] else { continue }
            // "spin" and "indeed" end with names of secrets: short ones stand alone.
            let isStart = isWordStart(before: size, ending: place, end, text)
            guard size > 4 || isStart.isWord else { continue }
            let isSentence = quote != nil && place > 0 && text[place - 1] == UInt8(ascii: " ")
            return Name(
                kind: kind, range: place..<end, quote: quote, isWhole: isStart.isWhole, isSentence: isSentence)
        }
        return nil
    }

    /// Whether the last letters of a name are a word of their own: `wallet_seed`, `walletSeed`.
    private static func isWordStart(
        before size: Int, ending start: Int, _ end: Int, _ text: ScannedText
    ) -> (isWord: Bool, isWhole: Bool) {
        var (place, left) = (end, size)
        while place > start, left > 0 {
            place -= 1
            if text[place].isLetter { left -= 1 }
        }
        guard place > start else { return (true, true) }
        let first = text[place]
        let isWord =
            !text[place - 1].isLetter || first != first.lowercased && text[place - 1] == text[place - 1].lowercased
        return (isWord, false)
    }

    /// Returns where the value of a name begins behind its sign, and whether there is space before it.
    static func start(after sign: Int, in text: ScannedText, isJSON: Bool) -> (place: Int, hasSpace: Bool) {
        var start = sign + 1
        // "=>", ":=", "==".
        while start < text.count, start - sign < 3, text[start] == UInt8(ascii: "=") || text[start] == UInt8(ascii: ">")
        { start += 1 }
        let spaceStart = start
        let most = isJSON ? mostOfGap : mostOfSpace
        while start < text.count, start - spaceStart < most,
            isJSON ? text[start].isSpace : text[start] == UInt8(ascii: " ")
        { start += 1 }
        return (start, start > spaceStart)
    }

    private static let mostOfGap = 80

    /// Returns where the value of a name is; nil if there is none that could be a secret.
    static func range(
        of name: Name, after sign: Int, in text: ScannedText, _ words: KeyWords.Tables, _ context: Context
    ) -> Range<Int>? {
        let (start, hasSpace) = start(after: sign, in: text, isJSON: false)
        // What stands behind the colour of a value is read without the colour.
        guard start < text.count, text[start] != 0x1B, RedactedKind.marker(at: start, in: text) == nil else {
            return nil
        }
        if text[start] == UInt8(ascii: "\\"), start + 1 < text.count, text[start + 1].isQuote {
            return quoted(name, from: start + 2, by: text[start + 1], isEscaped: true, sign, text, words)
        }
        if text[start].isQuote {
            return quoted(name, from: start + 1, by: text[start], isEscaped: false, sign, text, words)
        }
        if name.kind == .header { return header(from: start, in: text, context) }
        var end = start
        while end < text.count, name.kind == .phrase ? !text[end].endsPhrase : !text[end].endsValue,
            RedactedKind.marker(at: end, in: text) == nil
        { end += 1 }
        // The backslash of an escaped quote is the quote's, and the comma of a list is the list's.
        while end > start, end < text.count, text[end].isQuote, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        if name.kind == .phrase { while end > start, text[end - 1] == UInt8(ascii: " ") { end -= 1 } }
        // What was redacted within a value was none as a whole.
        guard RedactedKind.marker(at: end, in: text) == nil else { return nil }
        let range = start..<end
        let value = BareValue(
            text: text, range: range, name: name, sign: sign, hasSpace: hasSpace, context: context, words: words)
        return value.isSecret ? range : nil
    }

    private static func quoted(
        _ name: Name, from start: Int, by quote: UInt8, isEscaped: Bool, _ sign: Int, _ text: ScannedText,
        _ words: KeyWords.Tables
    ) -> Range<Int>? {
        let end = endOfString(from: start, by: quote, isEscaped: isEscaped, in: text)
        guard end > start, !Array(text[start..<end]).contains(RedactedKind.opening.utf8) else { return nil }
        let value = QuotedValue(text: text, range: start..<end, name: name, sign: sign, words: words)
        return value.isSecret ? start..<end : nil
    }

    /// Returns the end of a string that begins at a place.
    static func endOfString(from start: Int, by quote: UInt8, isEscaped: Bool, in text: ScannedText) -> Int {
        var end = start
        while end < text.count {
            if text[end] == UInt8(ascii: "\\") {
                if isEscaped, end + 1 < text.count, text[end + 1] == quote { break }
                end += 1
            } else if text[end] == quote || text[end] == 0x0A {
                break
            }
            end += 1
        }
        return min(end, text.count)
    }

    /// The value of a header: up to the end of its line, or of the string that it stands in.
    private static func header(from start: Int, in text: ScannedText, _ context: Context) -> Range<Int>? {
        var end = start
        while end < text.count, text[end] != 0x0A, text[end] != 0x0D {
            if context.isInString {
                if text[end] == UInt8(ascii: "\\") { end += 1 } else if text[end] == UInt8(ascii: "\"") { break }
            }
            end += 1
        }
        end = min(end, text.count)
        return end > start && isHeaderValue(text[start..<end]) ? start..<end : nil
    }

    /// Whether a text is the value of `Authorization` or `Cookie`, and not a sentence or a type.
    static func isHeaderValue(_ value: ScannedText.SubSequence) -> Bool {
        guard let first = value.first, !"<${(.&[*%\\".utf8.contains(first) else { return false }
        let word = value.prefix { !$0.isSpace }
        let rest = value.dropFirst(word.count).drop(while: \.isSpace)
        let isScheme = schemes.contains(String(decoding: word, as: UTF8.self).lowercased())
        if isScheme {
            guard let next = rest.first else { return false }
            return !"<${(.%\\".utf8.contains(next) && rest.count >= 4
                && (rest.contains { $0.isDigit || $0 == UInt8(ascii: "=") } || !rest.contains(where: \.isSpace))
        }
        // A cookie has a name and a value; a bare token has digits.
        if word.contains(UInt8(ascii: "=")), word.last != UInt8(ascii: "=") || word.count > 16 {
            return !word.contains(UInt8(ascii: "("))
        }
        return rest.isEmpty && word.count >= 8 && word.contains(where: \.isDigit) && word.allSatisfy(\.isOfToken)
    }

    private static let schemes: Set<String> = [
        "bearer", "basic", "digest", "dpop", "token", "negotiate", "ntlm", "hawk", "apikey", "aws4-hmac-sha256",
        "oauth",
        "signature",
    ]
}

/// Words as tables have them.
enum Words {
    static func lowercased(_ word: some Sequence<UInt8>) -> String {
        String(decoding: word.map(\.lowercased), as: UTF8.self)
    }

    /// Whether a text has a word of sentences or of code.
    static func hasProse(_ text: ScannedText.SubSequence) -> Bool {
        text.split(whereSeparator: { !$0.isLetter }).contains {
            $0.count <= 10 && SecretNames.proseWords.contains(lowercased($0))
        }
    }

    /// Whether a text is the name of a secret itself, as in `password: newPassword`.
    static func isName(_ text: ScannedText.SubSequence, _ words: KeyWords.Tables) -> Bool {
        let letters = text.filter(\.isLetter).map(\.lowercased)
        guard letters.count >= 2 else { return false }
        return (2...min(letters.count, KeyWords.longestWord)).contains {
            ($0 > 3 || letters.count == $0) && words.endings.contains(KeyWords.packed(letters.suffix($0)))
        }
    }
}

/// A value between quotes behind the name of a secret.
private struct QuotedValue {
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
    fileprivate func isPlain(in text: ScannedText) -> Bool { !range.contains { text[$0] == UInt8(ascii: ".") } }

    private static let keywords: Set<String> = [
        "let", "var", "const", "val", "case", "static", "final", "def", "func", "Parameter", "param", "type", "auto",
        "struct", "class", "enum", "protocol", "extension", "actor", "interface", "for", "in",
    ]
}

/// The value of a name that is also one of public values.
private enum KeyValue {
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

/// A value without quotes behind the name of a secret. Programs and sentences write the same names.
private struct BareValue {
    let text: ScannedText
    let range: Range<Int>
    let name: NamedValue.Name
    let sign: Int
    let hasSpace: Bool
    let context: NamedValue.Context
    let words: KeyWords.Tables

    private var value: ScannedText.SubSequence { text[range] }
    private var isColon: Bool { text[sign] == UInt8(ascii: ":") }
    private var next: UInt8 { range.upperBound < text.count ? text[range.upperBound] : 0x0A }

    var isSecret: Bool {
        guard let first = value.first else { return false }
        let core = value[...(value.lastIndex { !".;:!?".utf8.contains($0) } ?? value.startIndex)]
        if isTemplate(first) || isCode(core) || isObject(core) || isType(core) { return false }
        guard core.contains(where: \.isAlphanumeric) else { return false }
        if SecretNames.noValues.contains(core.count <= 24 ? Words.lowercased(core) : "") { return false }
        let (hasLetters, hasDigits) = (core.contains(where: \.isLetter), core.contains(where: \.isDigit))
        switch name.kind {
        case .header: return false
        case .key:
            if hasSpace, context.isInParentheses || name.isDeclared(in: text) || isFollowedByCode { return false }
            return KeyValue.isSecret(core, of: name, in: text)
        case .connection: return KeyValue.hasPassword(core)
        case .code:
            return (4...12).contains(core.count) && core.allSatisfy(\.isDigit) && !isUnit
        case .phrase where value.contains(UInt8(ascii: " ")):
            return !Words.hasProse(value) && !(hasSpace && context.isInParentheses)
                && !value.contains { "()[]{}`_=".utf8.contains($0) } && !name.isDeclared(in: text)
        case .password, .phrase:
            if !hasLetters {
                return core.count >= 4 && core.allSatisfy(\.isDigit) && !isUnit && !name.isDeclared(in: text)
                    || core.count >= 8
            }
            return hasDigits ? isNoVariable(core) : isWord(core)
        case .secret:
            guard hasLetters || core.count >= 20 else { return false }
            guard hasDigits else {
                return core.count >= 16 && Randomness.isRandom(core) || !hasSpace && !isColon && isWord(core)
            }
            return isNoVariable(core) && core.count >= 6
        }
    }

    /// Whether letters only are a password, and not a name, a type or a word of a sentence.
    private func isWord(_ core: ScannedText.SubSequence) -> Bool {
        guard !Words.isName(core, words), !SecretNames.proseWords.contains(Words.lowercased(core)),
            let first = core.first, first.isLetter || !core.dropFirst().allSatisfy(\.isLetter)
        else { return false }
        // A constant in the place of a value: YOUR_TOKEN.
        let isUpper = core.allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetter && $0 != $0.lowercased }
        if isUpper, core.contains(UInt8(ascii: "_")) || name.isWhole && hasSpace { return false }
        if next == UInt8(ascii: ")"), isColon || hasSpace { return false }
        if value.last == UInt8(ascii: ":") || value.last == UInt8(ascii: ";") { return false }
        guard hasSpace else { return !(isColon && context.isInParentheses) }
        if context.isInParentheses || name.isDeclared(in: text) || isMember { return false }
        if isColon {
            // `class Pass : public Base`, and "First pass: determine".
            if text[sign - 1] == UInt8(ascii: " ") || name.range.count <= 4 { return false }
            // A type, or the value of a label at the end of its line.
            if first != first.lowercased, core.dropFirst().contains(where: { $0 != $0.lowercased }) { return false }
            return !(next == UInt8(ascii: ",") && endsLine(range.upperBound + 1)) && !isFollowedByCode
                && !(isAutomake && first != first.lowercased)
        }
        return isAtLineStart && endsLine(range.upperBound)
    }

    /// Whether a value with digits is no variable.
    private func isNoVariable(_ core: ScannedText.SubSequence) -> Bool {
        guard hasSpace, core.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "_") }), core.count < 16 else {
            return true
        }
        if context.isInParentheses || name.isDeclared(in: text) || isMember || next == UInt8(ascii: ")")
            || value.last == UInt8(ascii: ";")
        {
            return false
        }
        return !(next == UInt8(ascii: ",") && endsLine(range.upperBound + 1))
    }

    /// Whether the name is one of `self` or `this`.
    private var isMember: Bool {
        text[name.range].starts(with: "self.".utf8) || text[name.range].starts(with: "this.".utf8)
    }

    /// `PASS: test-name`, as test programs write it.
    private var isAutomake: Bool { name.isWhole && text[name.range].allSatisfy { $0 != $0.lowercased } }

    private var isAtLineStart: Bool {
        let start =
            text[..<name.range.lowerBound].suffix(80).lastIndex { $0 == 0x0A }.map { $0 + 1 }
            ?? max(0, name.range.lowerBound - 80)
        // Programs are indented deeper than settings.
        return name.range.lowerBound - start <= 4
            && text[start..<name.range.lowerBound].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0.isQuote }
    }

    private func endsLine(_ place: Int) -> Bool {
        text[min(place, text.count)...].first { $0 != 0x20 && $0 != 0x0D }.map { $0 == 0x0A } ?? true
    }

    private var isFollowedByCode: Bool {
        let rest = text[range.upperBound...].prefix(16).drop { $0 == UInt8(ascii: " ") }
        return rest.first.map { "={?|&".utf8.contains($0) } == true || rest.starts(with: "->".utf8)
    }

    /// "32 bytes", "12 characters".
    private var isUnit: Bool {
        let rest = text[range.upperBound...].prefix(16)
        return rest.first == UInt8(ascii: " ") && rest.dropFirst().first?.isLetter == true && !isQuotedJSON
    }

    private var isQuotedJSON: Bool { name.isQuoted && isColon }

    private func isTemplate(_ first: UInt8) -> Bool {
        if "<{[`…".utf8.contains(first) { return true }
        let bytes = value
        if bytes.allSatisfy({ $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "x") }) {
            return true
        }
        let rest = bytes.dropFirst()
        switch first {
        case UInt8(ascii: "$"):
            return rest.first.map { "{(".utf8.contains($0) } == true
                || rest.allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetter || $0.isDigit }
                    && !rest.contains(where: \.isDigit)
        case UInt8(ascii: "%"): return rest.count <= 3 || rest.first == UInt8(ascii: "(") || rest.last == first
        case UInt8(ascii: "\\"): return rest.first == UInt8(ascii: "(") || rest.count <= 1
        case UInt8(ascii: "/"):
            return text[name.range].allSatisfy(\.isLetter) && name.isWhole && text[name.range].count == 3
        default: return false
        }
    }

    /// The types of numbers, and the names of algorithms.
    private func isType(_ core: ScannedText.SubSequence) -> Bool {
        guard core.count <= 16, hasSpace || isColon else { return false }
        let lower = Words.lowercased(core.prefix { $0.isLetter })
        guard Self.types.contains(lower) else { return false }
        return core.dropFirst(lower.utf8.count).allSatisfy {
            $0.isDigit || $0 == UInt8(ascii: "-") || $0.isUppercase || "?*&".utf8.contains($0)
        }
    }

    private static let types: Set<String> = [
        "uint", "int", "float", "double", "u", "i", "f", "utf", "base", "hkdf", "aes", "sha", "hmac", "pbkdf", "argon",
        "rsa",
        "ecdsa", "ed", "p", "x", "es", "rs", "hs", "ps", "chacha", "xchacha", "bip", "curve", "secp",
    ]

    /// Calls, members, subscripts and operators.
    private func isCode(_ core: ScannedText.SubSequence) -> Bool {
        guard let first = core.first else { return true }
        if "([".utf8.contains(core.last ?? 0) || Array(core).contains("..".utf8) { return true }
        let word = core.prefix {
            $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "?")
                || $0 == UInt8(ascii: "!")
        }
        if word.count < core.count {
            let mark = core[core.startIndex + word.count]
            let isCall = mark == UInt8(ascii: "(") || mark == UInt8(ascii: "[")
            if isCall, hasSpace || next == UInt8(ascii: ")") || next == UInt8(ascii: "]") { return true }
            if hasSpace, core.contains(where: { "(){}[]".utf8.contains($0) }) { return true }
            if mark == UInt8(ascii: ":"), word.allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "_") }),
                isColon || hasSpace,
                next == UInt8(ascii: ")") || value.last == UInt8(ascii: ":") || context.isInParentheses
            {
                return true
            }
        } else if hasSpace || context.isInParentheses,
            next == UInt8(ascii: "(") || next == UInt8(ascii: "[") || next == UInt8(ascii: "<")
        {
            return true
        }
        if next == UInt8(ascii: "]") || next == UInt8(ascii: "}"), hasSpace, name.kind == .secret, core.count < 16 {
            return true
        }
        // A path of names, or the member of a type.
        let isPath = core.allSatisfy {
            $0.isLetter || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "?")
                || $0 == UInt8(ascii: "!")
        }
        if isPath, core.contains(UInt8(ascii: ".")) || core.last == UInt8(ascii: "?") { return true }
        if context.isInParentheses || name.isDeclared(in: text), core.contains(UInt8(ascii: ".")), core.count < 64,
            core.split(separator: UInt8(ascii: ".")).allSatisfy({
                $0.first?.isLetter == true && $0.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
                    && $0.count < 24
            })
        {
            return true
        }
        if !first.isAlphanumeric, hasSpace {
            let rest = core.drop { !$0.isAlphanumeric }
            if rest.allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }) { return true }
        }
        return false
    }

    /// Whether a value is what Java prints of an object: `Token{a64f992` or `android.os.BinderProxy@2bd79ce`.
    private func isObject(_ value: ScannedText.SubSequence) -> Bool {
        let name = value.prefix { $0.isLetter || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$") }
        let rest = value.dropFirst(name.count)
        return !name.isEmpty && (rest.first == UInt8(ascii: "@") || rest.first == UInt8(ascii: "{"))
            && name.count >= 5 && (6...9).contains(rest.count) && rest.dropFirst().allSatisfy { $0.hexValue != nil }
    }
}

extension UInt8 {
    /// Whether the byte may stand between the letters of a name.
    fileprivate var isOfName: Bool {
        self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// Whether a value of several words ends before the byte.
    fileprivate var endsPhrase: Bool { self &- 0x09 < 5 || self == 0x1B || ",;&\"'<>".utf8.contains(self) }

    /// Whether a value without quotes ends before the byte.
    var endsValue: Bool { isSpace || self == 0x1B || ",;&)}]\"'<>".utf8.contains(self) }
}
