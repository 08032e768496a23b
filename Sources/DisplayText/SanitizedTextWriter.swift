/// Writes untrusted text character by character in the form of ``SanitizedText``.
struct SanitizedTextWriter {
    private(set) var shown = String.UnicodeScalarView()
    private(set) var found: Set<SanitizedText.Oddity> = []
    private let lines: SanitizedText.Lines
    /// Whether the text was shown before: its code points then stay as they are.
    private let isShownBefore: Bool
    private var word = Word()
    /// The scripts of all letters, and those of the digits that are not ASCII.
    private var (letterScripts, digitScripts): (Set<Script>, Set<Script>) = ([], [])
    /// The zero of each kind of digits, except styled ones, whose values are obvious.
    private var zeros: Set<UInt32> = []
    /// Whether there is a right-to-left letter, and a left-to-right character.
    private var (isFromRight, isFromLeft) = (false, false)
    /// Marks without a width, in a row.
    private var marks = 0
    /// Marks of any kind, in a row.
    private var allMarks = 0
    /// Whether the text has a character on which a mark can be placed.
    private var hasBase = false
    private var isAtStart = true
    private var blanks = 0

    init(lines: SanitizedText.Lines, isShownBefore: Bool = false) {
        self.lines = lines
        self.isShownBefore = isShownBefore
    }

    /// Writes a character, or its code point if it must not be shown.
    ///
    /// - Parameter next: the two characters that follow, if there are as many.
    mutating func write(_ scalar: Unicode.Scalar, before next: Substring.UnicodeScalarView) {
        if scalar == " " {
            blanks += 1
            endWord()
            (marks, hasBase) = (0, false)
            return
        }
        let isBreak = scalar == "\n" && lines == .several
        writeBlanks(isAtEnd: isBreak)
        isAtStart = isBreak
        if isBreak {
            shown.append(scalar)
            endWord()
            (marks, hasBase) = (0, false)
            return
        }
        let category = scalar.properties.generalCategory
        let isMark = Self.marks.contains(category)
        marks = category == .nonspacingMark ? marks + 1 : 0
        allMarks = isMark ? allMarks + 1 : 0
        // A mark without a letter would be placed on the text before.
        let isTooMany = marks > Self.marksOfALetter || allMarks > Self.allMarksOfALetter
        let isStacked = scalar.isSeen && (isTooMany || (isMark && !hasBase))
        if isStacked { found.insert(.stackedMarks) }
        noteDirection(of: scalar, category)
        if !scalar.isSeen { found.insert(.invisible) }
        // The text itself contains the notation of a code point.
        let isForged = !isShownBefore && scalar == "<" && next.elementsEqual("U+".unicodeScalars)
        hasBase = scalar.isSeen && !isStacked && !isForged
        if hasBase { shown.append(scalar) } else { append(scalar, times: 1) }
        // An invisible character does not end a word for the reader.
        guard scalar.isSeen else { return }
        let script = Script(of: scalar)
        if let script { word.add(scalar, script) }
        if let digit = scalar.decimalDigit {
            noteDigit(scalar.value - UInt32(digit), script)
        } else if let script {
            if !isMark { letterScripts.insert(script) }
        } else if !scalar.properties.isAlphabetic && marks == 0 {
            endWord()
        }
    }

    mutating func finish(isCut: Bool) {
        endWord()
        writeBlanks(isAtEnd: true)
        if isFromRight && isFromLeft { found.insert(.direction) }
        if zeros.count > 1 || !digitScripts.isSubset(of: letterScripts) { found.insert(.mixedScripts) }
        if isCut { found.insert(.cut) }
    }

    private mutating func endWord() {
        if word.isMixed { found.insert(.mixedScripts) }
        if word.isLookAlike { found.insert(.lookAlikes) }
        word = Word()
    }

    /// Records a digit, by the zero and the script of its numerals.
    ///
    /// - Parameter script: nil of an ASCII digit.
    private mutating func noteDigit(_ zero: UInt32, _ script: Script?) {
        word.zeros.insert(zero)
        guard script != .styled else { return }
        zeros.insert(zero)
        if let script { digitScripts.insert(script) }
    }

    private mutating func noteDirection(of scalar: Unicode.Scalar, _ category: Unicode.GeneralCategory) {
        if Direction.isOrdered(by: scalar) {
            found.insert(.direction)
        } else if Direction.isStated(by: scalar) {
            isFromRight = true
            // Their digits are read from left to right nevertheless.
            if category == .decimalNumber { isFromLeft = true }
        } else if !Self.withoutDirection.contains(category) {
            isFromLeft = true
        }
    }

    /// Punctuation and marks, which follow the letters around them.
    private static let withoutDirection: Set<Unicode.GeneralCategory> = marks.union([
        .dashPunctuation, .openPunctuation, .closePunctuation, .connectorPunctuation, .otherPunctuation,
        .initialPunctuation, .finalPunctuation,
    ])

    /// Writes blanks. A single one between two words stays; all others are counted.
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

    /// More marks on one letter are used in no language.
    private static let marksOfALetter = 3
    /// Including vowels with a width of their own: some scripts have five on a letter.
    private static let allMarksOfALetter = 6
    /// Characters that are placed on the character before.
    static let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .spacingMark, .enclosingMark]

    /// Indented text normally has fewer.
    private static let conspicuousBlanks = 8
}

extension Unicode.Scalar {
    /// Whether the character is visible, or a space.
    fileprivate var isSeen: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        case .spaceSeparator: return self == " "
        // U+2800 is a pattern of Braille without a dot.
        default: return !properties.isDefaultIgnorableCodePoint && value != 0x2800
        }
    }
}

/// The properties of one word of a text.
private struct Word {
    /// The zero of each kind of digits.
    var zeros: Set<UInt32> = []
    private var scripts: Set<Script> = []
    /// Whether every letter looks like a Latin one.
    private var isAllTwins = true
    /// Whether a letter that is not Latin looks like a Latin one.
    private var hasTwin = false

    mutating func add(_ scalar: Unicode.Scalar, _ script: Script) {
        scripts.insert(script)
        guard script != .latin, isAllTwins || !hasTwin else { return }
        if SanitizedText.hasTwin(scalar) { hasTwin = true } else { isAllTwins = false }
    }

    var isMixed: Bool {
        if zeros.count > 1 || !Script.areOfOneWord(scripts) { return true }
        // A few letters of Japanese, Korean and Chinese look like Latin ones.
        return scripts.count > 1 && scripts.contains(.latin) && hasTwin
    }

    var isLookAlike: Bool {
        guard scripts.count == 1, let script = scripts.first, script != .styled else { return false }
        return !script.isCommon && hasTwin && isAllTwins
    }
}
