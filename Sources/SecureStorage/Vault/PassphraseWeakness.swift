internal import Files
public import Secrets

/// A reason why a passphrase is easy to guess. A weak passphrase is advised against, and accepted if the user wants it.
///
/// A passphrase without any of these reasons can be weak, too: no program knows how a person chose it. Random words, as
/// a program proposes them, are strong.
///
/// ```swift
/// if let weakness = PassphraseWeakness.first(in: passphrase, walletName: "savings") { … }
/// ```
public enum PassphraseWeakness: CaseIterable, Equatable, Sendable {
    /// A well-known passphrase, such as `Password123`: those who guess try it first.
    case common
    /// One short text several times.
    case repetition
    /// Characters in the order of the alphabet, of the digits or of a keyboard's row, such as `abcdef123456`.
    case sequence
    /// Fewer than 24 digits and nothing else, such as a date or a telephone number.
    case digitsOnly
    /// The wallet's name and fewer than 16 other characters.
    case walletName
    /// Fewer than 16 characters.
    case short

    /// Returns the first reason that applies to a passphrase, in the order of the cases; nil if none does.
    ///
    /// The normal form of the passphrase is examined, as it is stretched. There a letter with an accent is two characters, and
    /// a wide digit is the ordinary one. Blanks count only for ``short``, and no reason depends on the case of ASCII letters.
    ///
    /// - Parameter name: the name of the wallet; it may be empty.
    public static func first(in passphrase: borrowing SecretBytes, walletName name: String) -> PassphraseWeakness? {
        // A longer one opens no vault.
        let normal =
            passphrase.count > SecretFile.longestPassphrase ? passphrase.clone() : PassphraseText.normalised(passphrase)
        let folded = folded(normal)
        let reason = folded.withUnsafeBytes { text in
            allCases.first { reason in
                switch reason {
                case .common: isCommon(text)
                case .repetition: isRepetition(text)
                case .sequence: isSequence(text)
                case .digitsOnly: isDigitsOnly(text)
                case .walletName: isLittleMore(text, than: name)
                // Blanks count, too.
                case .short: false
                }
            }
        }
        let isShort = normal.withUnsafeBytes { $0.count(where: isFirst) < Limits.shortPassphrase }
        return reason ?? (isShort ? .short : nil)
    }

    /// Returns the passphrase in lower case and without blanks, which are the space and the control characters of ASCII.
    private static func folded(_ passphrase: borrowing SecretBytes) -> SecretBytes {
        var length = 0
        let padded = SecretBytes(fleeting: passphrase.count) { memory in
            passphrase.withUnsafeBytes { text in
                for byte in text where byte > 0x20 && byte != 0x7F {
                    memory[length] = lowercase(byte)
                    length += 1
                }
            }
        }
        return padded.prefix(length)
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// Returns whether a byte of UTF-8 is the first one of a character.
    private static func isFirst(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// Returns whether the text, without the digits and the punctuation at its end, is in ``CommonPassphrases``.
    private static func isCommon(_ text: UnsafeRawBufferPointer) -> Bool {
        let isEnding = { (byte: UInt8) in
            byte < 0x7F && !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte)
        }
        guard let last = text.lastIndex(where: { !isEnding($0) }) else { return false }
        return CommonPassphrases.stems.contains { $0.utf8.elementsEqual(text[...last]) }
    }

    /// Returns whether the text is one text several times; its end may be missing.
    static func isRepetition(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count > 1 else { return false }
        return (1...text.count / 2).contains { period in
            (period..<text.count).allSatisfy { text[$0] == text[$0 - period] }
        }
    }

    /// The alphabet, the digits, and the rows of keyboards: QWERTY, QWERTZ and AZERTY.
    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "0123456789", "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop",
        "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn",
    ].map { Array($0.utf8) }

    /// Returns whether the text consists of runs that are four characters long on average. In a run, each character
    /// follows the one before it in the same row and direction, or is the same character.
    private static func isSequence(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= Limits.averageRun else { return false }
        var runs = 1
        var ways = UInt32.max
        for place in text.indices.dropFirst() {
            ways &= Self.ways(from: text[place - 1], to: text[place])
            if ways == 0 { (runs, ways) = (runs + 1, .max) }
        }
        return runs * Limits.averageRun <= text.count
    }

    /// Returns a bit for each row and direction in which `second` follows `first`, and one for the same character.
    private static func ways(from first: UInt8, to second: UInt8) -> UInt32 {
        var ways: UInt32 = first == second ? 1 : 0
        for (index, row) in rows.enumerated() {
            for (left, right) in zip(row, row.dropFirst()) {
                if (left, right) == (first, second) { ways |= 2 << UInt32(2 * index) }
                if (right, left) == (first, second) { ways |= 4 << UInt32(2 * index) }
            }
        }
        return ways
    }

    /// Returns whether the text has only digits, and the characters that separate the numbers of a date or a telephone
    /// number.
    private static func isDigitsOnly(_ text: UnsafeRawBufferPointer) -> Bool {
        let digits = text.count(where: isDigit)
        let separators = text.count { "+-./:".utf8.contains($0) }
        return 1..<Limits.fewDigits ~= digits && digits + separators == text.count
    }

    private static func isLittleMore(_ text: UnsafeRawBufferPointer, than name: String) -> Bool {
        let name = name.utf8.map(lowercase)
        guard name.count >= Limits.shortestName else { return false }
        var (place, others) = (0, 0)
        while place < text.count {
            let isName = text[place...].starts(with: name)
            others += isName || !isFirst(text[place]) ? 0 : 1
            place += isName ? name.count : 1
        }
        return others < text.count(where: isFirst) && others < Limits.shortPassphrase
    }
}
