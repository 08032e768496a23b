/// Writes text of others character by character, as ``ShownText`` has it.
struct ShownTextWriter {
    private(set) var shown = String.UnicodeScalarView()
    private(set) var found: Set<ShownText.Oddity> = []
    private let lines: ShownText.Lines
    /// Whether this is what was shown once: code points in it stay as they are.
    private let isShownBefore: Bool
    private var word: Set<Script> = []
    /// Marks without a width, in a row.
    private var marks = 0
    /// Marks of any kind, in a row.
    private var allMarks = 0
    /// Whether there is a character of the text for a mark to stand on.
    private var hasBase = false
    private var isAtStart = true
    private var blanks = 0

    init(lines: ShownText.Lines, isShownBefore: Bool = false) {
        self.lines = lines
        self.isShownBefore = isShownBefore
    }

    /// - Parameter next: the two characters that follow, if there are as many.
    mutating func write(_ scalar: Unicode.Scalar, before next: Substring.UnicodeScalarView) {
        if scalar == " " {
            blanks += 1
            (word, marks, hasBase) = ([], 0, false)
            return
        }
        let isBreak = scalar == "\n" && lines == .several
        writeBlanks(isAtEnd: isBreak)
        isAtStart = isBreak
        if isBreak {
            shown.append(scalar)
            (word, marks, hasBase) = ([], 0, false)
            return
        }
        let category = scalar.properties.generalCategory
        let isMark = Self.marks.contains(category)
        marks = category == .nonspacingMark ? marks + 1 : 0
        allMarks = isMark ? allMarks + 1 : 0
        // A mark without a letter would stand on what is before the text.
        let isTooMany = marks > Self.marksOfALetter || allMarks > Self.allMarksOfALetter
        let isStacked = scalar.isSeen && (isTooMany || (isMark && !hasBase))
        if isStacked { found.insert(.stackedMarks) }
        if Direction.isStated(by: scalar) { found.insert(.direction) }
        if !scalar.isSeen { found.insert(.invisible) }
        // Text that writes a code point itself.
        let isForged = !isShownBefore && scalar == "<" && next.elementsEqual("U+".unicodeScalars)
        hasBase = scalar.isSeen && !isStacked && !isForged
        if hasBase { shown.append(scalar) } else { append(scalar, times: 1) }
        // What cannot be seen does not end a word for the eye.
        guard scalar.isSeen else { return }
        if let script = Script(of: scalar) {
            word.insert(script)
            if word.count > 1 { found.insert(.mixedScripts) }
        } else if !scalar.properties.isAlphabetic && marks == 0 {
            word = []
        }
    }

    mutating func finish(isCut: Bool) {
        writeBlanks(isAtEnd: true)
        if isCut { found.insert(.cut) }
    }

    /// One between two words is a blank; all others are counted.
    private mutating func writeBlanks(isAtEnd: Bool) {
        guard blanks > 0 else { return }
        if blanks == 1, !isAtEnd, !isAtStart { shown.append(" ") } else { append(" ", times: blanks) }
        if blanks >= Self.conspicuousBlanks { found.insert(.blanks) }
        blanks = 0
    }

    private mutating func append(_ scalar: Unicode.Scalar, times: Int) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        shown.append(contentsOf: "<U+\(padded)\(times > 1 ? "*\(times)" : "")>".unicodeScalars)
    }

    /// More on one letter are of no language.
    private static let marksOfALetter = 3
    /// With vowels that take a place of their own: some scripts have five on a letter.
    private static let allMarksOfALetter = 6
    /// What stands on the character before.
    static let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .spacingMark, .enclosingMark]

    /// Text that is indented has fewer, but for the deepest.
    private static let conspicuousBlanks = 8
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
