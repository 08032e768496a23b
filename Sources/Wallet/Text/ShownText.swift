/// Text that somebody else wrote, such as a token's name or a message to sign, as it may be shown to a person.
///
/// What cannot be seen, or makes other text appear elsewhere than it stands, is written as its code point (`<U+202E>`), not left
/// out: two texts that differ never look alike because of it. What looks like a letter of another script stays, and is named
/// in ``oddities``.
public struct ShownText: Hashable, Sendable {
    /// What is odd about a text.
    public enum Oddity: CaseIterable, Hashable, Sendable {
        /// Characters that cannot be seen: control characters, zero-width ones, tags, blanks other than the space.
        case invisible
        /// Characters that order others to be shown from right to left, or letters that are read so.
        case direction
        /// Letters of several scripts in one word, which is how one name is made to look like another.
        case mixedScripts
        /// More marks on one letter than any language has.
        case stackedMarks
        /// It was longer than the limit, and was cut.
        case cut
    }

    /// Safe to print on one line; on several where ``init(_:limit:lines:)`` allowed it.
    public let text: String
    /// In the order of ``Oddity/allCases``.
    public let oddities: [Oddity]
    /// As it was written down, where it is shown otherwise now: by a version of this program that knew other characters.
    let written: String?

    /// Whether a text may have several lines.
    public enum Lines: Sendable {
        /// A line break is shown as its code point.
        case one
        /// A line feed begins another line.
        case several
    }

    /// - Parameters:
    ///   - untrusted: of any length.
    ///   - limit: how many of its characters (Unicode scalars) are looked at and shown.
    public init(_ untrusted: String, limit: Int, lines: Lines) {
        var shown = String.UnicodeScalarView()
        var found: Set<Oddity> = []
        var word: Set<Script> = []
        var marks = 0
        var count = 0
        for scalar in untrusted.unicodeScalars {
            guard count < limit else {
                found.insert(.cut)
                break
            }
            count += 1
            if scalar == "\n", case .several = lines {
                shown.append(scalar)
                (word, marks) = ([], 0)
                continue
            }
            marks = scalar.properties.generalCategory == .nonspacingMark ? marks + 1 : 0
            if marks > Self.marksOfALetter { found.insert(.stackedMarks) }
            if Direction.isStated(by: scalar) { found.insert(.direction) }
            if scalar.isSeen, marks <= Self.marksOfALetter {
                shown.append(scalar)
            } else {
                if !scalar.isSeen { found.insert(.invisible) }
                shown.append(contentsOf: "<U+\(Self.codePoint(scalar))>".unicodeScalars)
            }
            // What cannot be seen does not end a word for the eye.
            if !scalar.isSeen { continue }
            if let script = Script(of: scalar) {
                word.insert(script)
                if word.count > 1 { found.insert(.mixedScripts) }
            } else if !scalar.properties.isAlphabetic && marks == 0 {
                word = []
            }
        }
        text = String(shown)
        oddities = Oddity.allCases.filter(found.contains)
        written = nil
    }

    /// What was shown before, and what was odd about it then. What is not shown like that any more is written as its code point.
    init(written text: String, lines: Lines, oddities: [Oddity]) {
        self.text = ShownText(text, limit: text.unicodeScalars.count, lines: lines).text
        self.oddities = oddities
        written = text.utf8.elementsEqual(self.text.utf8) ? nil : text
    }

    private static let marksOfALetter = 3

    /// At least four hexadecimal digits.
    private static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension ShownText: CustomStringConvertible {
    public var description: String { text }
}

extension ShownText.Oddity: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invisible: "it has characters that cannot be seen"
        case .direction: "it has characters that are read from right to left"
        case .mixedScripts: "it mixes letters of several scripts that look alike"
        case .stackedMarks: "it has more marks on one letter than any language"
        case .cut: "it is longer than what is shown"
        }
    }
}

extension Unicode.Scalar {
    /// Whether it leaves a mark where it stands, or is a space.
    fileprivate var isSeen: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        case .spaceSeparator: return self == " "
        // U+2800 is a pattern of Braille without a dot.
        default: return !properties.isDefaultIgnorableCodePoint && value != 0x2800
        }
    }
}
