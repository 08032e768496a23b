/// The name that a user gives to a key: letters, digits, points, hyphens and underscores.
public struct KeyLabel: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// Reads a label.
    ///
    /// - Throws: ``CredentialError/invalid(_:_:)``.
    public init(_ text: String) throws(CredentialError) {
        guard !text.isEmpty else { throw .invalid(.label, .empty) }
        guard text.unicodeScalars.count <= CredentialLimits.labelCharacters else {
            throw .invalid(.label, .tooLong(most: CredentialLimits.labelCharacters))
        }
        let fault = InputCheck.fault(in: text.unicodeScalars) {
            InputCheck.isAlphanumeric($0) || $0 == "." || $0 == "-" || $0 == "_"
        }
        if let fault { throw .invalid(.label, fault) }
        self.text = text
    }

    /// The label under which a rotation keeps a new key until it takes the old one's place. A key that still has it was
    /// left by an interrupted rotation.
    package init(ofNext key: APIKey) { text = "\(Self.nextPrefix)\(key.fingerprint)" }

    private static let nextPrefix = "next."

    /// Whether an interrupted rotation left the key: `rotate(to:)` of a client of the exchange.
    public var isOfInterruptedRotation: Bool {
        let rest = text.dropFirst(Self.nextPrefix.count)
        return text.hasPrefix(Self.nextPrefix) && rest.utf8.count == 32
            && rest.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    /// The text.
    public var description: String { text }
}
