internal import DisplayText
public import Secrets

/// The text of a passphrase: its normal form, and the characters that a new one must not have.
///
/// Keyboards and editors write the same text in different bytes: an `ö` as one character or as two, a byte order mark
/// before the first word. A vault takes a passphrase in its normal form, so that the same words open it everywhere. An
/// app checks a new passphrase before it makes a vault or a wallet with it:
///
/// ```swift
/// if let flaw = PassphraseText.flaw(in: passphrase) { … }
/// ```
public enum PassphraseText {
    /// A property of a new passphrase because of which the same words would not open it, or because of which the user
    /// does not see what was typed.
    public enum Flaw: Equatable, Sendable {
        /// The bytes are not UTF-8: the file has another encoding.
        case notUTF8
        /// The text has this control, format or blank character, which a user does not see.
        case invisible(Unicode.Scalar)
        /// The text begins or ends with a space.
        case outerSpace
    }

    /// Returns the first flaw of a new passphrase; nil if it has none.
    public static func flaw(in passphrase: borrowing SecretBytes) -> Flaw? {
        passphrase.withUnsafeBytes { bytes in
            var codec = Unicode.UTF8()
            var iterator = bytes.makeIterator()
            var last: Unicode.Scalar?
            var flaw: Flaw?
            while true {
                switch codec.decode(&iterator) {
                case .error: return .notUTF8
                case .emptyInput: return flaw ?? (last.map(isSpace) == true ? .outerSpace : nil)
                case .scalarValue(let scalar):
                    if flaw == nil, isInvisible(scalar) { flaw = .invisible(scalar) }
                    if flaw == nil, last == nil, isSpace(scalar) { flaw = .outerSpace }
                    last = scalar
                }
            }
        }
    }

    /// Returns the passphrase as it is stretched: text in the normal form NFKD (UAX #15), as BIP-39 has it; other bytes
    /// as they are.
    ///
    /// - Precondition: the passphrase is not longer than a vault permits.
    static func normalised(_ passphrase: borrowing SecretBytes) -> SecretBytes {
        if let text = NFKD.of(passphrase) { return text }
        return passphrase.clone()
    }

    /// Returns whether two passphrases are the same text: each opens what the other one opens.
    package static func isSame(_ one: borrowing SecretBytes, as other: borrowing SecretBytes) -> Bool {
        normalised(one).matches(normalised(other))
    }

    /// Returns whether a character is a space that a user types on purpose. Japanese keyboards type U+3000; its normal form
    /// is the ordinary space.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\u{3000}" }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        case .spaceSeparator: return !isSpace(scalar)
        // Fillers, variation selectors, and the blank of Braille, which is a symbol by its category.
        default: return properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
        }
    }
}

/// The form in which a slot takes its passphrase.
enum PassphraseForm: Equatable, Sendable {
    /// The bytes as they were given: every slot before version 3.
    case given
    /// ``PassphraseText/normalised(_:)``.
    case normalised
}
