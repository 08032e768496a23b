package import SecureStorage

extension PassphraseText.Flaw {
    /// The failure of a new passphrase with this flaw. It names the character, which no user sees.
    package var failure: Failure {
        switch self {
        case .notUTF8:
            Failure(
                code: .usage, name: "unusable_passphrase",
                message: "this passphrase cannot be used: it is not UTF-8 text",
                hint: "save the file as UTF-8 without a byte order mark")
        case .invisible(let scalar):
            Failure(
                code: .usage, name: "unusable_passphrase",
                message: "this passphrase cannot be used: it contains \(Self.name(of: scalar)), which is invisible",
                hint: "leave that character out: you could not type it again from what you see")
        case .outerSpace:
            Failure(
                code: .usage, name: "unusable_passphrase",
                message: "this passphrase cannot be used: it begins or ends with a space",
                hint: "leave that space out; spaces between words are accepted")
        }
    }

    /// Returns Unicode's name for the character and its number: `ZERO WIDTH SPACE (U+200B)`.
    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        guard let name = scalar.properties.nameAlias ?? scalar.properties.name else { return number }
        return "\(name) (\(number))"
    }
}
