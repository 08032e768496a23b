/// The name that a user gives to a key: letters, digits, points, hyphens and underscores.
public struct KeyLabel: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// Reads a label.
    ///
    /// - Throws: ``ExchangeError/invalid(_:_:)``.
    public init(_ text: String) throws(ExchangeError) {
        guard !text.isEmpty else { throw .invalid(.label, .empty) }
        guard text.unicodeScalars.count <= ExchangeLimits.labelCharacters else {
            throw .invalid(.label, .tooLong(most: ExchangeLimits.labelCharacters))
        }
        let fault = InputCheck.fault(in: text.unicodeScalars) {
            InputCheck.isAlphanumeric($0) || $0 == "." || $0 == "-" || $0 == "_"
        }
        if let fault { throw .invalid(.label, fault) }
        self.text = text
    }

    /// The text.
    public var description: String { text }
}
