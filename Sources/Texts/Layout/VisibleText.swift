/// Makes text from others safe for a terminal.
package enum VisibleText {
    /// Returns the text with a mark in place of each invisible control or format character: in a name or path they
    /// could rewrite the screen, or reverse the direction of the text.
    package static func of(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n": "\u{FFFD}"
            case .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
