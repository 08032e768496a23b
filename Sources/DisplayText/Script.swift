/// The script of a letter, a mark, a digit or a numeral (UAX #24). A word has letters of one of them, unless somebody wants it to pass
/// for another word.
enum Script: Hashable {
    /// A script of Unicode, by its code of ISO 15924: `Latn`.
    case of(Substring)
    /// Letters of formulas, numerals that are made of Latin letters, and wide, circled or small ones: each looks like a Latin one.
    case styled
    /// A letter or digit that is not in ``ScriptRanges``: Unicode has added its script later.
    case unknown

    static let latin = of("Latn")

    /// Nothing for characters that many scripts share: ASCII digits, punctuation, signs, and marks of any letter.
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
            // The ranges also cover punctuation and signs that stand between the letters of one script, and are used in all.
            guard isMark || Self.letters.contains(category) else { return nil }
            switch ScriptRanges.code(of: scalar.value) {
            case "Zyyy"?: return nil
            case let code?: self = .of(code)
            // Marks that are in no range stand on letters of any script.
            case nil where isMark: return nil
            case nil: self = .unknown
            }
        }
    }

    /// With digits and numerals.
    private static let letters: Set<Unicode.GeneralCategory> = [
        .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
        .decimalNumber,
    ]

    /// Whether one word has letters of all of these without a reason to ask (UTS #39, "highly restrictive"): those of one script, and
    /// those that Japanese, Korean and Chinese are written in, with Latin or wide letters between them.
    static func areOfOneWord(_ scripts: Set<Script>) -> Bool {
        if scripts.count <= 1 { return true }
        return [Script.latin, .styled].contains { beside in
            eastAsian.contains { scripts.subtracting([beside]).isSubset(of: $0) }
        }
    }

    private static let eastAsian: [Set<Script>] = [
        [.of("Hani"), .of("Hira"), .of("Kana")], [.of("Hani"), .of("Hang")], [.of("Hani"), .of("Bopo")],
    ]

    /// Whether names of people are commonly written in it: it is one of the scripts that UAX #31 recommends for identifiers (table 5).
    var isCommon: Bool { if case .of(let code) = self { Self.common.contains(code) } else { false } }

    private static let common: Set<Substring> = [
        "Arab", "Armn", "Beng", "Bopo", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru", "Hang", "Hani", "Hebr",
        "Hira", "Kana", "Khmr", "Knda", "Laoo", "Latn", "Mlym", "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa", "Thai",
        "Tibt",
    ]
}

/// Which way a text is read.
enum Direction {
    /// Whether a character is read from right to left, or orders others to be shown so (UAX 9: the explicit marks, and the
    /// blocks that Unicode keeps for scripts from right to left).
    static func isStated(by scalar: Unicode.Scalar) -> Bool { isOrdered(by: scalar) || isFromRight(scalar) }

    /// Whether a character orders others to be shown in a direction.
    static func isOrdered(by scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a character is read from right to left.
    private static func isFromRight(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
