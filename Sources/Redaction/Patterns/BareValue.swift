/// A value without quotes behind the name of a secret. Programs and sentences write the same names.
struct BareValue {
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
        // A constant in place of a value: YOUR_TOKEN.
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

    /// Whether a value with digits is a secret, and not the name of a variable.
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
