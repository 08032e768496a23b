/// The script of a letter, a mark, a digit or a numeral (UAX #24). A word normally has letters of one script; a mixed
/// one may imitate another word.
enum Script: Hashable {
    /// A script of Unicode, by its code of ISO 15924: `Latn`.
    case of(Substring)
    /// Letters of formulas, numerals made of Latin letters, and wide, circled or small ones: each looks like a Latin
    /// one.
    case styled
    /// A letter or digit outside ``ScriptRanges``: Unicode added its script later.
    case unknown

    static let latin = of("Latn")

    /// Returns the script; nil for characters that many scripts share: ASCII digits, punctuation, signs, and marks of
    /// any letter.
    init?(of scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A: self = .latin
        case 0..<0x80: return nil
        case 0x250...0x2AF, 0x1D00...0x1DBF, 0x2071, 0x207F, 0x2090...0x209C, 0x2100...0x214F, 0x2160...0x2188,
            0x2460...0x24FF, 0xFB00...0xFB06, 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A, 0x1D400...0x1D7FF,
            0x1F100...0x1F189, 0x1FBF0...0x1FBF9:
            self = .styled
        default:
            let category = scalar.properties.generalCategory
            let isMark = SanitizedTextWriter.marks.contains(category)
            // The ranges also contain punctuation and signs between the letters of one script, which all scripts use.
            guard isMark || Self.letters.contains(category) else { return nil }
            switch ScriptRanges.code(of: scalar.value) {
            case "Zyyy"?: return nil
            case let code?: self = .of(code)
            // Marks outside all ranges are used with letters of any script.
            case nil where isMark: return nil
            case nil: self = .unknown
            }
        }
    }

    /// The categories of letters, digits and numerals.
    private static let letters: Set<Unicode.GeneralCategory> = [
        .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
        .decimalNumber,
    ]

    /// Returns whether letters of these scripts may be in one word (UTS #39, "highly restrictive"): one script, or
    /// those of Japanese, Korean and Chinese, with Latin or wide letters between them.
    static func areOfOneWord(_ scripts: Set<Script>) -> Bool {
        if scripts.count <= 1 { return true }
        return [Script.latin, .styled].contains { beside in
            eastAsian.contains { scripts.subtracting([beside]).isSubset(of: $0) }
        }
    }

    private static let eastAsian: [Set<Script>] = [
        [.of("Hani"), .of("Hira"), .of("Kana")], [.of("Hani"), .of("Hang")], [.of("Hani"), .of("Bopo")],
    ]

    /// Whether names are commonly written in this script: it is one of those that UAX #31 recommends for identifiers
    /// (table 5).
    var isCommon: Bool { if case .of(let code) = self { Self.common.contains(code) } else { false } }

    private static let common: Set<Substring> = [
        "Arab", "Armn", "Beng", "Bopo", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru", "Hang", "Hani", "Hebr",
        "Hira", "Kana", "Khmr", "Knda", "Laoo", "Latn", "Mlym", "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa", "Thai",
        "Tibt",
    ]
}

/// The direction in which a text is read.
enum Direction {
    /// Returns whether a character is read from right to left, or orders others to be shown so (UAX 9: the explicit
    /// marks, and the blocks that Unicode keeps for scripts from right to left).
    static func isStated(by scalar: Unicode.Scalar) -> Bool { isOrdered(by: scalar) || isFromRight(scalar) }

    /// Returns whether a character orders others to be shown in a direction.
    static func isOrdered(by scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns whether a character is read from right to left.
    private static func isFromRight(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
