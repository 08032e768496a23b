public import DisplayText

extension SanitizedText {
    /// Creates a sanitized text of a node's own words: one line, cut short.
    public init(ofNode text: String) {
        self.init(text, limit: NodeLimits.remoteTextCharacters, lines: .one)
    }
}
