/// The scripts whose letters are taken for one another (the blocks of Unicode that UTS 39's list of confusables is full of).
/// A word has letters of one of them, unless somebody wants it to pass for another word.
enum Script: Hashable {
    case latin
    case greek
    case cyrillic
    case armenian
    case cherokee
    /// Letters of formulas, and wide, circled or small ones: each looks like a Latin one.
    case styled

    /// Nothing for characters of other scripts, and for those of none.
    init?(of scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF: self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
        case 0x531...0x58F: self = .armenian
        case 0x13A0...0x13FF, 0xAB70...0xABBF: self = .cherokee
        case 0x250...0x2AF, 0x1D00...0x1DBF, 0x2100...0x214F, 0x2460...0x24FF, 0xFF21...0xFF5A, 0x1D400...0x1D7FF,
            0x1F100...0x1F189:
            self = .styled
        default: return nil
        }
    }
}

/// Which way a text is read.
enum Direction {
    /// Whether a character is read from right to left, or orders others to be shown so (UAX 9: the explicit marks, and the
    /// blocks that Unicode keeps for scripts from right to left).
    static func isStated(by scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
