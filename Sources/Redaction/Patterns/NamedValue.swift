/// A value that stands behind the name of a secret.
enum NamedValue {
    struct Name {
        /// Whether the name stands in quotes, as in JSON.
        let isQuoted: Bool
        /// Whether it is a header whose value takes the rest of its line.
        let isHeader: Bool
        /// Whether it is a token, which programs also call what is no secret.
        let isToken: Bool
        /// Whether its value is a secret even if it is an ordinary word.
        let isPassword: Bool
        /// Whether its value may be several words.
        let isPhrase: Bool
    }

    /// The most bytes of a name, and of the space around a sign.
    private static let mostOfName = 40
    private static let mostOfSpace = 4
    /// A value in prose ("token: expected") is a secret if it has a digit, or as many characters.
    private static let longValue = 16
    /// Not secrets: no value, and what `passwd` itself writes ("passwd: password updated successfully").
    private static let noValues = ["null", "nil", "none", "true", "false", "password"].map { Array($0.utf8) }

    /// Returns the name before a sign; nil if it is none of a secret.
    static func name(before sign: Int, in text: ScannedText, _ words: KeyWords.Tables) -> Name? {
        var place = sign
        while place > 0, sign - place < mostOfSpace, text[place - 1] == UInt8(ascii: " ") { place -= 1 }
        var isQuoted = false
        if place > 0, text[place - 1].isQuote {
            isQuoted = true
            place -= 1
            if place > 0, text[place - 1] == UInt8(ascii: "\\") { place -= 1 }
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
        guard count >= 3 else { return nil }
        for size in 3...max(3, count) where size <= count {
            let ending = size == KeyWords.longestWord ? letters : letters & (1 << UInt64(8 * size) - 1)
            guard words.endings.contains(ending) else { continue }
            // "spin" and "indeed" end with names of secrets: short ones stand alone.
            guard size > 4 || size == count || isWordStart(before: size, ending: place, sign, text) else { continue }
            return Name(
                isQuoted: isQuoted, isHeader: KeyWords.headers.contains(ending), isToken: ending == KeyWords.token,
                isPassword: KeyWords.passwords.contains(ending), isPhrase: KeyWords.phrases.contains(ending))
        }
        return nil
    }

    /// Whether the last letters of a name are a word of their own: `wallet_seed`, `walletSeed`.
    private static func isWordStart(before size: Int, ending start: Int, _ sign: Int, _ text: ScannedText) -> Bool {
        var (place, left) = (sign, size)
        while place > start, left > 0 {
            place -= 1
            if text[place].isLetter { left -= 1 }
        }
        guard place > start else { return true }
        let first = text[place]
        return !text[place - 1].isLetter || first != first.lowercased && text[place - 1] == text[place - 1].lowercased
    }

    /// Returns where the value of a name is; nil if there is none that could be a secret.
    static func range(of name: Name, after sign: Int, in text: ScannedText) -> Range<Int>? {
        var start = sign + 1
        // "=>", ":=", "==".
        while start < text.count, start - sign < 3, text[start] == UInt8(ascii: "=") || text[start] == UInt8(ascii: ">")
        { start += 1 }
        let spaceStart = start
        while start < text.count, start - spaceStart < mostOfSpace, text[start] == UInt8(ascii: " ") { start += 1 }
        guard start < text.count else { return nil }
        if text[start] == UInt8(ascii: "\\"), start + 1 < text.count, text[start + 1].isQuote {
            return quoted(from: start + 2, by: text[start + 1], isEscaped: true, text)
        }
        if text[start].isQuote { return quoted(from: start + 1, by: text[start], isEscaped: false, text) }
        if RedactedKind.marker(at: start, in: text) != nil { return nil }
        var end = start
        if name.isHeader {
            while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
        } else {
            while end < text.count, name.isPhrase ? !text[end].endsPhrase : !text[end].endsValue,
                RedactedKind.marker(at: end, in: text) == nil
            { end += 1 }
        }
        let value = text[start..<end]
        guard !value.isEmpty, !isNone(value), !(name.isToken && isObject(value)) else { return nil }
        let isProse = text[sign] == UInt8(ascii: ":") && !name.isQuoted && !name.isHeader && !name.isPassword
        if isProse, spaceStart < start, value.count < longValue, !value.contains(where: { $0.isDigit }) {
            return nil
        }
        return start..<end
    }

    private static func quoted(from start: Int, by quote: UInt8, isEscaped: Bool, _ text: ScannedText) -> Range<Int>? {
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
        end = min(end, text.count)
        guard end > start, !isNone(text[start..<end]), RedactedKind.marker(at: start, in: text) != end - start else {
            return nil
        }
        return start..<end
    }

    /// Whether a value is what Java prints of an object: `Token{a64f992` or `android.os.BinderProxy@2bd79ce`.
    private static func isObject(_ value: ScannedText.SubSequence) -> Bool {
        let name = value.prefix { $0.isLetter || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$") }
        let rest = value.dropFirst(name.count)
        return !name.isEmpty && (rest.first == UInt8(ascii: "@") || rest.first == UInt8(ascii: "{"))
            && name.count >= 5 && (6...9).contains(rest.count) && rest.dropFirst().allSatisfy { $0.hexValue != nil }
    }

    private static func isNone(_ value: ScannedText.SubSequence) -> Bool {
        noValues.contains { value.elementsEqual($0) }
    }
}

extension UInt8 {
    /// Whether the byte may stand between the letters of a name.
    fileprivate var isOfName: Bool {
        self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// Whether a value of several words ends before the byte.
    fileprivate var endsPhrase: Bool { self &- 0x09 < 5 || ",;&\"'<>".utf8.contains(self) }

    /// Whether a value without quotes ends before the byte.
    fileprivate var endsValue: Bool { isSpace || ",;&)}]\"'<>".utf8.contains(self) }
}
