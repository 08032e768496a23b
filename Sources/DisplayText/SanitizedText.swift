/// Untrusted text, such as a token's name or a message to sign, in a form that may be shown to a user.
///
/// Characters that are invisible, or move other text, are written as their code points (`<U+202E>`), not left out, so
/// that two different texts never look alike because of them. Several blanks in a row, and blanks at either end of a
/// line, are written as `<U+0020*4>`, so that they cannot be used to draw or move text. If the text itself contains
/// such a notation, its first character is written as a code point. Letters of other scripts that look alike stay, and
/// are named in ``oddities``.
public struct SanitizedText: Hashable, Sendable {
    /// The oddities of a text.
    public enum Oddity: CaseIterable, Hashable, Sendable {
        /// Invisible characters: control characters, zero-width ones, tags, blanks other than the space.
        case invisible
        /// Characters that order others to be shown from right to left, or right-to-left letters beside left-to-right
        /// characters: a digit, a Latin letter, a sign.
        case direction
        /// Letters of several scripts in one word, digits of several scripts, or digits without a letter of their
        /// script. One name or amount can be made to look like another in this way.
        case mixedScripts
        /// A word in a rare script whose letters all look like Latin ones.
        case lookAlikes
        /// More marks on one letter than any language uses.
        case stackedMarks
        /// More blanks in a row than text normally has: they can move the following text to a misleading place.
        case blanks
        /// The text was longer than the limit, and was cut.
        case cut
    }

    /// The text, safe to print on one line; on several if ``init(_:limit:lines:)`` allowed it.
    public let text: String
    /// The oddities, in the order of `Oddity.allCases`.
    public let oddities: [Oddity]
    /// The stored form, if it is now shown differently: a version of this program wrote it that knew other characters.
    package let written: String?

    /// Whether a text may have several lines.
    public enum Lines: Sendable {
        /// A line break is shown as its code point.
        case one
        /// A line feed begins another line.
        case several
    }

    /// Sanitizes a text.
    ///
    /// - Parameters:
    ///   - untrusted: text of any length.
    ///   - limit: the maximum number of its characters (Unicode scalars) that are examined and shown.
    public init(_ untrusted: String, limit: Int, lines: Lines) {
        var writer = SanitizedTextWriter(lines: lines)
        let scalars = untrusted.unicodeScalars
        for (index, scalar) in zip(scalars.indices, scalars.prefix(limit)) {
            writer.write(scalar, before: scalars[index...].dropFirst().prefix(2))
        }
        writer.finish(isCut: scalars.dropFirst(limit).first != nil)
        text = String(writer.shown)
        oddities = Oddity.allCases.filter(writer.found.contains)
        written = nil
    }

    /// Returns the beginning of this text, for a record or a list, with the oddities of the whole.
    ///
    /// - Parameter limit: the maximum number of characters (Unicode scalars) of ``text``, in which some are code
    ///   points.
    public func beginning(_ limit: Int, lines: Lines) -> SanitizedText {
        let isCut = text.unicodeScalars.dropFirst(limit).first != nil
        return SanitizedText(
            written: String(text.unicodeScalars.prefix(limit)), lines: lines,
            oddities: isCut && !oddities.contains(.cut) ? oddities + [.cut] : oddities)
    }

    /// Restores a stored text with its oddities. Characters that this version does not show are written as code points.
    package init(written text: String, lines: Lines, oddities: [Oddity]) {
        var writer = SanitizedTextWriter(lines: lines, isShownBefore: true)
        for scalar in text.unicodeScalars { writer.write(scalar, before: "".unicodeScalars[...]) }
        writer.finish(isCut: false)
        self.text = String(writer.shown)
        self.oddities = oddities
        written = text.utf8.elementsEqual(self.text.utf8) ? nil : text
    }
}

extension SanitizedText: CustomStringConvertible {
    public var description: String { text }
}

extension SanitizedText.Oddity: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invisible: "it has characters that cannot be seen"
        case .direction: "it has characters that are read from right to left"
        case .mixedScripts: "it mixes letters or digits of several scripts that look alike"
        case .lookAlikes: "it has a word of letters of a rare script that look like Latin letters"
        case .stackedMarks: "it has more marks on one letter than any language"
        case .blanks: "it has many blanks in a row, which move what follows"
        case .cut: "it is longer than the shown part"
        }
    }
}
