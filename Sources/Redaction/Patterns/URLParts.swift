/// The parts of a URL (RFC 3986) in a text that may be secret.
struct URLParts {
    /// The password of the user information, if there is one; a user's name without one is often a token.
    private(set) var password: Range<Int>?
    /// The end of the URL.
    private(set) var end = 0
    /// The values of the query and of the fragment, with their names.
    private(set) var values: [(name: Range<Int>, value: Range<Int>)] = []

    /// The most bytes of a URL that are read.
    static let most = 8_192
    /// A value of a query that is as long and has a digit may be a token, whatever its name is.
    private static let longValue = 24
    /// A user without a password is a token if it is as long and has a digit.
    private static let longUser = 10

    /// - Parameter colon: the place of `:`, which `//` follows if this is a URL.
    init?(at colon: Int, in text: ScannedText) {
        guard colon + 2 < text.count, text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/") else {
            return nil
        }
        let start = colon + 3
        let limit = min(text.count, start + Self.most)
        var (place, user): (Int, Int?) = (start, nil)
        while place < limit, !text[place].endsURL, !"/?#".utf8.contains(text[place]) {
            if text[place] == UInt8(ascii: "@") { user = place }
            place += 1
        }
        if let user {
            let divider = text[start..<user].firstIndex(of: UInt8(ascii: ":"))
            let range = (divider.map { $0 + 1 } ?? start)..<user
            // `https://user:password@host` in a manual.
            let isExample = Self.examples.contains(Words.lowercased(text[range].prefix(12)))
            if divider != nil && !isExample || range.count >= Self.longUser && text[range].contains(where: \.isDigit) {
                password = range
            }
        }
        let path = place
        while place < limit, !text[place].endsURL, !"?#".utf8.contains(text[place]) { place += 1 }
        if place - path >= Self.leastHook, let hook = Self.hook(host: start..<path, path: path..<place, in: text) {
            password = hook
        }
        while place < limit, !text[place].endsURL {
            let name = place + 1
            place = name
            while place < limit, !text[place].endsURL, !"=&#".utf8.contains(text[place]) { place += 1 }
            let nameEnd = place
            if place < limit, text[place] == UInt8(ascii: "=") { place += 1 }
            let value = place
            while place < limit, !text[place].endsURL, !"&#".utf8.contains(text[place]) { place += 1 }
            if value > nameEnd { values.append((name..<nameEnd, value..<place)) }
        }
        end = place
    }

    private static let examples: Set<String> = ["password", "passwd", "pass", "secret"]

    /// Addresses that take messages from anybody who knows them: the end of the host, and the beginning of the path (the
    /// services' documentation of webhooks).
    private static let hooks: [(host: String, path: String)] = [
        ("hooks.slack.com", "/services/"), ("hooks.slack.com", "/workflows/"), ("hooks.slack.com", "/triggers/"),
        ("discord.com", "/api/webhooks/"), ("discordapp.com", "/api/webhooks/"), ("webhook.office.com", "/webhookb2/"),
        ("outlook.office.com", "/webhook/"), ("hooks.zapier.com", "/hooks/catch/"), ("api.telegram.org", "/bot"),
        ("open.feishu.cn", "/open-apis/bot/v2/hook/"), ("hook.integromat.com", "/"), ("maker.ifttt.com", "/trigger/"),
    ]
    private static let leastHook = 24

    private static func hook(host: Range<Int>, path: Range<Int>, in text: ScannedText) -> Range<Int>? {
        guard
            let hook = hooks.first(where: {
                text[host].reversed().starts(with: $0.host.utf8.reversed()) && text[path].starts(with: $0.path.utf8)
            })
        else { return nil }
        let secret = (path.lowerBound + hook.path.utf8.count)..<path.upperBound
        return text[secret].contains(where: \.isDigit) && RedactedKind.marker(at: secret.lowerBound, in: text) == nil
            ? secret : nil
    }

    /// Returns a value of a query that is secret by its name, in a path without scheme and host as servers log them.
    ///
    /// - Parameter sign: the place of `=`.
    static func secretValue(after sign: Int, in text: ScannedText) -> Range<Int>? {
        guard text[sign] == UInt8(ascii: "=") else { return nil }
        var start = sign
        while start > 0, sign - start < longestName, text[start - 1].isLetter { start -= 1 }
        guard start > 0, start < sign, text[start - 1] == UInt8(ascii: "?") || text[start - 1] == UInt8(ascii: "&"),
            names.contains(KeyWords.packed(text[start..<sign].map(\.lowercased)))
        else { return nil }
        var end = sign + 1
        while end < text.count, !text[end].endsURL, !"&#".utf8.contains(text[end]),
            RedactedKind.marker(at: end, in: text) == nil
        { end += 1 }
        return end > sign + 1 ? sign + 1..<end : nil
    }

    private static let longestName = 9

    /// The values that look secret, by their names or by themselves.
    func secretValues(in text: ScannedText, _ words: KeyWords.Tables) -> [Range<Int>] {
        values.filter { name, value in
            guard !value.isEmpty, !text[value].starts(with: RedactedKind.opening.utf8) else { return false }
            if NamedValue.name(before: name.upperBound, in: text, words) != nil { return true }
            if Self.names.contains(KeyWords.packed(text[name].suffix(9).map(\.lowercased))) { return true }
            // Hexadecimal digits are a hash more often than a token, and words are a search or a branch.
            return value.count >= Self.longValue && Randomness.isRandom(text[value])
                && text[value].contains { $0.isLetter && $0.hexValue == nil }
        }.map(\.value)
    }

    /// Names of values that are secret in a URL, and nowhere else. Of a longer name the last eight letters count.
    private static let names: Set<UInt64> = Set(
        ["key", "code", "sig", "state", "auth", "sign", "hash", "signature"].map { KeyWords.packed($0.utf8) })
}

extension UInt8 {
    /// Whether a URL ends before this byte, in a text.
    fileprivate var endsURL: Bool { self <= 0x20 || "\"'<>`\\^{|}".utf8.contains(self) }
}
