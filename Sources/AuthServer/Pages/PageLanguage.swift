internal import HTTPTypes

/// A language of the pages.
enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// The language's name in itself: `Deutsch`.
    var ownName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        }
    }

    /// The cookie of a user who chose a language on the page. Its value is one of the languages, the same for every user
    /// who chose it, so it does not identify a user.
    static let cookie = "language"

    /// Returns the language that the user chose on the page; nil if the browser sends no valid choice.
    ///
    /// - Parameter header: the value of `Cookie` (RFC 6265 section 4.2).
    static func chosen(in header: String?) -> PageLanguage? {
        for pair in (header ?? "").split(separator: ";").prefix(Limits.cookies) {
            let parts = pair.split(separator: "=", maxSplits: 1).map { String(trimmed($0)) }
            if parts.count == 2, parts.first == cookie, let value = parts.last,
                let language = PageLanguage(rawValue: value)
            {
                return language
            }
        }
        return nil
    }

    /// Returns the language that a browser prefers; English if it names none of the pages' languages.
    ///
    /// - Parameter header: the value of `Accept-Language`: language ranges, each with a weight (RFC 9110 section 12.5.4).
    static func preferred(by header: String?) -> PageLanguage {
        var best = (language: PageLanguage.english, weight: 0.0)
        for range in (header ?? "").split(separator: ",").prefix(Limits.languageRanges) {
            let parts = range.split(separator: ";", maxSplits: 1).map { trimmed($0).lowercased() }
            guard let tag = parts.first, let language = PageLanguage(range: tag),
                let weight = parts.count == 2 ? weight(parts[1]) : 1
            else { continue }
            // Of equal weights the first one counts.
            if weight > best.weight { best = (language, weight) }
        }
        return best.language
    }

    /// Finds the language of a range by its first part (RFC 4647 section 3.4): `de-AT` gets `de`.
    private init?(range: String) {
        if range == "*" {
            self = .english
        } else {
            self.init(rawValue: String(range.prefix { $0 != "-" }))
        }
    }

    /// Reads `q=0.8`; nil for anything but a number from 0 to 1.
    private static func weight(_ text: String) -> Double? {
        guard text.hasPrefix("q="), let number = Double(text.dropFirst(2)), (0...1).contains(number) else { return nil }
        return number
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
