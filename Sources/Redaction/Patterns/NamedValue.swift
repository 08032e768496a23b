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
        /// The number of parentheses that are open on the line.
        var openParentheses = 0
        /// Whether a quote is open on the line.
        var isInString = false

        var isInParentheses: Bool { openParentheses > 0 }
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

    /// Returns where the value of a name is, nil if there is none that could be a secret; and the end of what was read.
    static func range(
        of name: Name, after sign: Int, in text: ScannedText, _ words: KeyWords.Tables, _ context: Context
    ) -> (value: Range<Int>?, read: Int) {
        let (start, hasSpace) = start(after: sign, in: text, isJSON: false)
        // What stands behind the colour of a value is read without the colour.
        guard start < text.count, text[start] != 0x1B, RedactedKind.marker(at: start, in: text) == nil else {
            return (nil, start)
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
        guard RedactedKind.marker(at: end, in: text) == nil else { return (nil, end) }
        let range = start..<end
        let value = BareValue(
            text: text, range: range, name: name, sign: sign, hasSpace: hasSpace, context: context, words: words)
        return (value.isSecret ? range : nil, end)
    }

    private static func quoted(
        _ name: Name, from start: Int, by quote: UInt8, isEscaped: Bool, _ sign: Int, _ text: ScannedText,
        _ words: KeyWords.Tables
    ) -> (value: Range<Int>?, read: Int) {
        let end = endOfString(from: start, by: quote, isEscaped: isEscaped, in: text)
        guard end > start, !Array(text[start..<end]).contains(RedactedKind.opening.utf8) else {
            return (nil, end)
        }
        let value = QuotedValue(text: text, range: start..<end, name: name, sign: sign, words: words)
        return (value.isSecret ? start..<end : nil, end)
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
    private static func header(
        from start: Int, in text: ScannedText, _ context: Context
    ) -> (value: Range<Int>?, read: Int) {
        var end = start
        while end < text.count, text[end] != 0x0A, text[end] != 0x0D {
            if context.isInString {
                if text[end] == UInt8(ascii: "\\") { end += 1 } else if text[end] == UInt8(ascii: "\"") { break }
            }
            end += 1
        }
        end = min(end, text.count)
        return (end > start && isHeaderValue(text[start..<end]) ? start..<end : nil, end)
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
