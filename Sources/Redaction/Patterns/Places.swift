/// Places of secrets that no sign marks: the options of commands, and files that have a form of their own.
enum Places {
    /// An option of a command whose value is a password, or a name and a password.
    private struct Option {
        let command: String
        let letter: UInt8
        /// Whether the value may stand behind the letter, and behind a space.
        let isAttached: Bool
        let isSeparate: Bool
        /// Whether the password follows the name of a user and a mark.
        var divider: UInt8?

        init(_ command: String, _ letter: Character, attached: Bool, separate: Bool, after divider: Character? = nil) {
            (self.command, isAttached, isSeparate) = (command, attached, separate)
            (self.letter, self.divider) = (letter.asciiValue ?? 0, divider?.asciiValue)
        }
    }

    /// From the manual pages of the commands.
    private static let options: [Option] = [
        .init("curl", "u", attached: true, separate: true, after: ":"),
        .init("curl", "U", attached: true, separate: true, after: ":"),
        .init("http", "a", attached: false, separate: true, after: ":"),
        .init("https", "a", attached: false, separate: true, after: ":"),
        .init("mysql", "p", attached: true, separate: false), .init("mysqldump", "p", attached: true, separate: false),
        .init("mysqladmin", "p", attached: true, separate: false),
        .init("mysqlimport", "p", attached: true, separate: false),
        .init("mariadb", "p", attached: true, separate: false), .init("mongo", "p", attached: false, separate: true),
        .init("mongosh", "p", attached: false, separate: true),
        .init("mongodump", "p", attached: false, separate: true),
        .init("sshpass", "p", attached: true, separate: true), .init("redis-cli", "a", attached: false, separate: true),
        .init("login", "p", attached: false, separate: true), .init("ldapsearch", "w", attached: true, separate: true),
        .init("ldapadd", "w", attached: true, separate: true), .init("ldapmodify", "w", attached: true, separate: true),
        .init("sqlcmd", "P", attached: true, separate: true), .init("bcp", "P", attached: true, separate: true),
        .init("zip", "P", attached: true, separate: true), .init("unzip", "P", attached: true, separate: true),
        .init("7z", "p", attached: true, separate: false),
        .init("smbclient", "U", attached: false, separate: true, after: "%"),
        .init("svn", "p", attached: false, separate: true),
    ]

    private static let letters: Set<UInt8> = Set(options.map(\.letter))
    /// How far before an option its command may stand, in bytes.
    private static let reach = 200

    /// Returns the value of an option that begins with a dash at a place.
    static func optionValue(at dash: Int, in text: ScannedText, _ words: KeyWords.Tables) -> Range<Int>? {
        guard dash + 2 < text.count, dash == 0 || text[dash - 1].isSpace || text[dash - 1].isQuote else { return nil }
        let isLong =
            text[dash + 1] == UInt8(ascii: "-")
            || text[dash + 2].isLetter && text[dash + 2] == text[dash + 2].lowercased
        if isLong, let value = longOptionValue(at: dash, in: text, words) { return value }
        guard letters.contains(text[dash + 1]) else { return nil }
        let line = max(0, dash - reach)..<dash
        for option in options where option.letter == text[dash + 1] && isCommand(option.command, in: line, of: text) {
            var start = dash + 2
            let isAttached = !text[start].isSpace
            guard isAttached ? option.isAttached : option.isSeparate else { continue }
            if !isAttached { start += 1 }
            guard let value = word(at: start, in: text) else { continue }
            guard let divider = option.divider else { return isPlaceholder(text[value], words) ? nil : value }
            guard let mark = text[value].firstIndex(of: divider), mark + 1 < value.upperBound else { continue }
            let password = (mark + 1)..<value.upperBound
            return isPlaceholder(text[password], words) ? nil : password
        }
        return nil
    }

    /// `--password x`, `-password x`.
    private static func longOptionValue(at dash: Int, in text: ScannedText, _ words: KeyWords.Tables) -> Range<Int>? {
        var end = dash + 1
        while end < text.count, end - dash < 40,
            text[end].isAlphanumeric || text[end] == UInt8(ascii: "-") || text[end] == UInt8(ascii: "_")
        { end += 1 }
        guard end < text.count, text[end] == UInt8(ascii: " ") || text[end] == UInt8(ascii: "=") else { return nil }
        let isUser = ["--user", "--proxy-user"].contains { text[dash..<end].elementsEqual($0.utf8) }
        if isUser {
            guard isCommand("curl", in: max(0, dash - reach)..<dash, of: text), let value = word(at: end + 1, in: text),
                let mark = text[value].firstIndex(of: UInt8(ascii: ":")), mark + 1 < value.upperBound
            else { return nil }
            return isPlaceholder(text[(mark + 1)..<value.upperBound], words) ? nil : (mark + 1)..<value.upperBound
        }
        guard text[end] == UInt8(ascii: " "), let name = NamedValue.name(before: end, in: text, words),
            let value = word(at: end + 1, in: text)
        else { return nil }
        let bytes = text[value]
        guard !isPlaceholder(bytes, words) else { return nil }
        let isQuoted = text[value.lowerBound - 1].isQuote
        switch name.kind {
        case .password, .phrase, .secret:
            if bytes.contains(where: \.isDigit) {
                return bytes.contains(where: \.isLetter) || bytes.count >= 4 ? value : nil
            }
            if Words.hasProse(bytes) { return nil }
            if isQuoted { return value }
            guard name.kind != .secret || Randomness.isRandom(bytes) && bytes.count >= 16 else { return nil }
            // A word of a sentence has another word behind it.
            let rest = text[value.upperBound...].prefix(3)
            let isLast = rest.first == nil || rest.first == 0x0A
            return isLast || rest.starts(with: " -".utf8) || rest.starts(with: " |".utf8)
                || rest.starts(with: " &".utf8)
                || rest.starts(with: " >".utf8)
                || bytes.contains(where: { !$0.isAlphanumeric && !".,;:)".utf8.contains($0) }) ? value : nil
        case .key: return bytes.count >= 16 && Randomness.isRandom(bytes) ? value : nil
        case .code: return (4...12).contains(bytes.count) && bytes.allSatisfy(\.isDigit) ? value : nil
        case .header, .connection: return nil
        }
    }

    /// Returns the word at a place, without its quotes.
    private static func word(at start: Int, in text: ScannedText) -> Range<Int>? {
        var start = start
        while start < text.count, text[start] == UInt8(ascii: " ") { start += 1 }
        guard start < text.count, text[start] != UInt8(ascii: "-"), RedactedKind.marker(at: start, in: text) == nil
        else {
            return nil
        }
        if text[start] == UInt8(ascii: "\"") || text[start] == UInt8(ascii: "'") {
            let end = NamedValue.endOfString(from: start + 1, by: text[start], isEscaped: false, in: text)
            return end > start + 1 ? start + 1..<end : nil
        }
        var end = start
        while end < text.count, !text[end].isSpace, !"\"'`;|".utf8.contains(text[end]),
            RedactedKind.marker(at: end, in: text) == nil
        { end += 1 }
        while end > start,
            text[end - 1] == UInt8(ascii: "\\") || text[end - 1] == UInt8(ascii: ",")
                || text[end - 1] == UInt8(ascii: ")")
        { end -= 1 }
        return end > start ? start..<end : nil
    }

    /// Whether a value is a name for one: `$PASSWORD`, `<password>`, `PASSWORD`, `FILE`.
    static func isPlaceholder(_ value: ScannedText.SubSequence, _ words: KeyWords.Tables) -> Bool {
        guard let first = value.first, !"<$[{%(*=…`".utf8.contains(first) else { return true }
        let isName = value.allSatisfy {
            $0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        if isName, value.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isUppercase }) || Words.isName(value, words) {
            return true
        }
        let lower = value.count <= 24 ? Words.lowercased(value) : ""
        return SecretNames.noValues.contains(lower) || SecretNames.proseWords.contains(lower)
            || !value.contains(where: \.isAlphanumeric) || Array(value).contains("…".utf8)
            || Array(value).contains("...".utf8)
    }

    private static func isCommand(_ command: String, in range: Range<Int>, of text: ScannedText) -> Bool {
        let command = Array(command.utf8)
        guard range.count > command.count else { return false }
        var place = range.upperBound - command.count
        while place >= range.lowerBound {
            let after = place + command.count
            if text[after - 1] == 0x0A || place > 0 && text[place] == 0x0A,
                !(text[place..<after].elementsEqual(command))
            {
                // A line that a backslash continues belongs to the command.
                let newline = text[place] == 0x0A ? place : after - 1
                guard newline > 0, text[newline - 1] == UInt8(ascii: "\\") else { return false }
            }
            if text[place] == command[0], text[place..<after].elementsEqual(command),
                text[after].isSpace || text[after].isQuote,
                place == 0 || !text[place - 1].isAlphanumeric && text[place - 1] != UInt8(ascii: "-")
                    || place == range.lowerBound
            {
                return true
            }
            place -= 1
        }
        return false
    }

    /// Returns the password behind the word `password`, as in `.netrc`, in a server's configuration and in SQL.
    ///
    /// - Parameter word: the range of the word.
    static func valueOfWord(_ word: Range<Int>, in text: ScannedText, _ words: KeyWords.Tables) -> Range<Int>? {
        guard word.upperBound < text.count, text[word.upperBound] == 0x20 || text[word.upperBound] == 0x09 else {
            return nil
        }
        var start = word.upperBound
        while start < text.count, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
        // IDENTIFIED BY 'x', PASSWORD 'x'.
        if text[start...].prefix(3).elementsEqual("BY ".utf8) { start += 3 }
        let isSQL = text[word].allSatisfy(\.isUppercase)
        if isSQL, start < text.count, text[start] == UInt8(ascii: "'") {
            guard let value = Self.word(at: start, in: text), !isPlaceholder(text[value], words) else { return nil }
            return value
        }
        guard word.count <= 8 || text[word].elementsEqual("requirepass".utf8), !isSQL,
            let value = Self.word(at: start, in: text),
            !isPlaceholder(text[value], words)
        else { return nil }
        let before = text[max(0, word.lowerBound - 200)..<word.lowerBound]
        let line = before.lastIndex(of: 0x0A).map { before[($0 + 1)...] } ?? before
        let isFirst = line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        let hasLogin = Array(before).contains("login ".utf8) || Array(before).contains("machine ".utf8)
        let isLast = value.upperBound == text.count || text[value.upperBound] == 0x0A || text[value.upperBound] == 0x0D
        let isMixed = text[value].contains { $0.isDigit }
        if hasLogin, isFirst || Array(line).contains("login ".utf8) {
            return isLast || isMixed || text[value.upperBound...].starts(with: " account".utf8)
                || text[value.upperBound...].starts(with: " machine".utf8) ? value : nil
        }
        return isFirst && isLast && isMixed ? value : nil
    }

    /// Returns the password of a line `host:port:database:user:password`, as in `.pgpass`.
    ///
    /// - Parameter colon: the first one of the line.
    static func pgpass(at colon: Int, lineStart: Int, in text: ScannedText) -> Range<Int>? {
        let host = text[lineStart..<colon]
        guard !host.isEmpty, colon + 1 < text.count, text[colon + 1].isDigit || text[colon + 1] == UInt8(ascii: "*"),
            host.allSatisfy({ $0.isAlphanumeric || ".-*_/".utf8.contains($0) }), host.contains(where: { !$0.isDigit })
        else { return nil }
        var (end, fields) = (colon + 1, [Range<Int>]())
        var start = end
        while end <= text.count, end - lineStart < 512 {
            let isEnd = end == text.count || text[end] == 0x0A || text[end] == 0x0D
            if isEnd || text[end] == UInt8(ascii: ":") && text[end - 1] != UInt8(ascii: "\\") {
                fields.append(start..<end)
                start = end + 1
            }
            if isEnd { break }
            guard !text[end].isSpace else { return nil }
            end += 1
        }
        guard fields.count == 4, fields.allSatisfy({ !$0.isEmpty }), fields[0].count <= 5,
            text[fields[0]].allSatisfy({ $0.isDigit }) || text[fields[0]].elementsEqual("*".utf8),
            text[fields[2]].contains(where: { $0.isLetter }), !isPlaceholder(text[fields[3]], KeyWords.tables),
            text[fields[1]].allSatisfy({ $0.isAlphanumeric || "_-*".utf8.contains($0) })
        else { return nil }
        return fields[3]
    }

    /// Returns the text of an element of XML whose name is one of a secret.
    ///
    /// - Parameter mark: the place of `>`.
    static func element(at mark: Int, in text: ScannedText, _ words: KeyWords.Tables) -> Range<Int>? {
        guard mark > 2, text[mark - 1].isAlphanumeric, mark + 1 < text.count, !text[mark + 1].isSpace,
            text[mark + 1] != UInt8(ascii: "<"),
            let name = NamedValue.name(before: mark, in: text, words), name.range.lowerBound > 0
        else { return nil }
        let before = text[name.range.lowerBound - 1]
        guard before == UInt8(ascii: "<") || before == UInt8(ascii: ":") else { return nil }
        var end = mark + 1
        while end < text.count, end - mark < 4_096, text[end] != UInt8(ascii: "<"), text[end] != 0x0A { end += 1 }
        let value = mark + 1..<end
        guard end + 1 < text.count, text[end] == UInt8(ascii: "<"), text[end + 1] == UInt8(ascii: "/"),
            RedactedKind.marker(at: mark + 1, in: text) == nil, !isPlaceholder(text[value], words)
        else { return nil }
        switch name.kind {
        case .password, .phrase: return value
        case .secret: return text[value].contains(where: \.isDigit) ? value : nil
        case .code: return text[value].allSatisfy(\.isDigit) ? value : nil
        case .key: return value.count >= 16 && Randomness.isRandom(text[value]) ? value : nil
        case .header, .connection: return nil
        }
    }

    /// Returns the name of a secret for a value that stands in an attribute: `key="Password" value="x"`, and in a call's second
    /// argument: `define('DB_PASSWORD', 'x')`.
    ///
    /// - Parameter sign: the place of `=` or `,`.
    static func nameBefore(_ sign: Int, in text: ScannedText, _ words: KeyWords.Tables) -> NamedValue.Name? {
        if text[sign] == UInt8(ascii: ",") {
            guard sign > 3, text[sign - 1].isQuote, let name = NamedValue.name(before: sign, in: text, words),
                name.range.lowerBound > 1, text[sign - 1] != UInt8(ascii: "`"),
                text[name.range.lowerBound - 1] == text[sign - 1],
                text[name.range.lowerBound - 2] == UInt8(ascii: "(")
            else { return nil }
            return name
        }
        guard sign > 7, text[sign - 1].lowercased == UInt8(ascii: "e"), text[sign - 2].lowercased == UInt8(ascii: "u"),
            text[sign - 3].lowercased == UInt8(ascii: "l"), text[sign - 4].lowercased == UInt8(ascii: "a"),
            text[sign - 5].lowercased == UInt8(ascii: "v")
        else { return nil }
        var place = sign - 5
        while place > 0, text[place - 1] == UInt8(ascii: " ") { place -= 1 }
        guard place < sign - 5, place > 0, text[place - 1].isQuote else { return nil }
        return NamedValue.name(before: place, in: text, words)
    }
}
