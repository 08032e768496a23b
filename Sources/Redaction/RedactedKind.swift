/// The kind of a secret that was found in a text. A text shows it in place of the secret: `[redacted: mnemonic]`.
public enum RedactedKind: String, CaseIterable, Hashable, Sendable {
    /// A live secret, registered with ``LiveSecrets``, or a piece of one, in whatever encoding.
    case secret
    /// Twelve or more words of a mnemonic (BIP-39).
    case mnemonic
    /// A private key: in Bitcoin's wallet import format, in PEM, or 64 hexadecimal digits next to a word that says so.
    case privateKey = "private key"
    /// An extended private key (BIP-32, SLIP-132).
    case extendedKey = "extended private key"
    /// A token: a JWT (RFC 7519), a bearer token (RFC 6750), or one of the services that mark their tokens.
    case token
    /// The value of a password, an API key or another credential, next to its name.
    case credential
    /// The value of a query of a URL, or its user's password.
    case urlValue = "URL value"
    /// Bytes beyond ``RedactionLimits/textSize``, which nobody looked at.
    case unread

    /// The text in place of the secret.
    public var marker: String { Self.opening + " " + rawValue + "]" }

    /// What every marker begins with. A value that begins so is not redacted again.
    static let opening = "[redacted:"

    /// Returns the size of the marker at a place of a text; nil if there is none.
    ///
    /// Scans ask at every place: most answers need the first byte only.
    @inline(__always) static func marker(at place: Int, in text: ScannedText) -> Int? {
        guard place < text.count, text[place] == UInt8(ascii: "[") else { return nil }
        return markerAtBracket(place, text)
    }

    private static func markerAtBracket(_ place: Int, _ text: ScannedText) -> Int? {
        guard text[place...].starts(with: opening.utf8) else { return nil }
        return allCases.map(\.marker.utf8).first { text[place...].starts(with: $0) }?.count
    }
}
