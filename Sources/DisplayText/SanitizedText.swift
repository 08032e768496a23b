/// Text that somebody else wrote, such as a token's name or a message to sign, as it may be shown to a person.
///
/// What cannot be seen, or makes other text appear elsewhere than it stands, is written as its code point (`<U+202E>`), not left
/// out: two texts that differ never look alike because of it. Several blanks in a row, and blanks at either end of a line, are
/// written as `<U+0020*4>`: nothing can be drawn or moved with them. A text that has such a word itself has its first character
/// written so. What looks like a letter of another script stays, and is named in ``oddities``.
public struct SanitizedText: Hashable, Sendable {
    /// What is odd about a text.
    public enum Oddity: CaseIterable, Hashable, Sendable {
        /// Characters that cannot be seen: control characters, zero-width ones, tags, blanks other than the space.
        case invisible
        /// Characters that order others to be shown from right to left, or letters that are read so beside what is read from left
        /// to right: a digit, a Latin letter, a sign.
        case direction
        /// Letters of several scripts in one word, digits of several scripts, or digits without a letter of their script, which is
        /// how one name or amount is made to look like another.
        case mixedScripts
        /// A word in a rare script of which every letter looks like a Latin one.
        case lookAlikes
        /// More marks on one letter than any language has.
        case stackedMarks
        /// More blanks in a row than a text has for its own sake: they move what follows to where it seems to be something else.
        case blanks
        /// It was longer than the limit, and was cut.
        case cut
    }

    /// Safe to print on one line; on several where ``init(_:limit:lines:)`` allowed it.
    public let text: String
    /// In the order of `Oddity.allCases`.
    public let oddities: [Oddity]
    /// As it was written down, where it is shown otherwise now: by a version of this program that knew other characters.
    package let written: String?

    /// Whether a text may have several lines.
    public enum Lines: Sendable {
        /// A line break is shown as its code point.
        case one
        /// A line feed begins another line.
        case several
    }

    /// Creates the form of a text that may be shown.
    ///
    /// - Parameters:
    ///   - untrusted: of any length.
    ///   - limit: how many of its characters (Unicode scalars) are looked at and shown.
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

    /// The beginning of this, for a record or a list: with all that is odd about the whole.
    ///
    /// - Parameter limit: how many characters (Unicode scalars) of ``text``, which has a code point in the place of some.
    public func beginning(_ limit: Int, lines: Lines) -> SanitizedText {
        let isCut = text.unicodeScalars.dropFirst(limit).first != nil
        return SanitizedText(
            written: String(text.unicodeScalars.prefix(limit)), lines: lines,
            oddities: isCut && !oddities.contains(.cut) ? oddities + [.cut] : oddities)
    }

    /// What was shown before, and what was odd about it then. What is not shown like that any more is written as its code point.
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
        case .cut: "it is longer than what is shown"
        }
    }
}
