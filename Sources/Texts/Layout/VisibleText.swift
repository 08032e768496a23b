/// Makes text from others safe for a terminal.
package enum VisibleText {
    /// Returns the text with a mark in place of each invisible control or format character: in a name or path they
    /// could rewrite the screen, or reverse the direction of the text.
    package static func of(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { isHidden($0) ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns JSON with an escape in place of each such character: a program reads the same text, and a terminal is not
    /// controlled by it. Encoders escape only the characters before the space.
    package static func escaped(inJSON json: String) -> String {
        guard json.unicodeScalars.contains(where: isHidden) else { return json }
        var text = ""
        for scalar in json.unicodeScalars {
            guard isHidden(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n"
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
