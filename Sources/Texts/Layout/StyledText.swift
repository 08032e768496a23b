/// Text for a person. Parts of it are bold, dim or coloured if the terminal supports it.
///
/// Escape codes in foreign text have no effect: only ``text(isStyled:)`` writes any, around text without escape codes.
package struct StyledText: Sendable, Equatable {
    /// The style of a part (ECMA-48, Select Graphic Rendition). The words carry the same meaning: nothing depends on
    /// colour alone.
    package enum Style: String, Sendable {
        case plain = ""
        /// The most important part.
        case strong = "1"
        /// The least important part.
        case faint = "2"
        /// A warning, to be read before continuing.
        case warning = "33"
        /// A refusal.
        case refusal = "31"
        /// A success.
        case success = "32"
        /// Black on white, whatever colours the terminal has.
        case print = "38;5;16;48;5;231"
    }

    private struct Part: Sendable, Equatable {
        let text: String
        let style: Style
    }

    private var parts: [Part]

    package init(_ text: String, _ style: Style = .plain) { parts = [Part(text: text, style: style)] }

    private init(_ parts: [Part]) { self.parts = parts }

    package static func + (_ first: StyledText, _ second: StyledText) -> StyledText {
        StyledText(first.parts + second.parts)
    }

    /// Joins lines with line feeds.
    package init(lines: [StyledText]) {
        parts = lines.enumerated().flatMap { number, line in
            (number == 0 ? [] : [Part(text: "\n", style: .plain)]) + line.parts
        }
    }

    /// Returns the text to write. The only character in it that moves the cursor is the line feed.
    ///
    /// - Parameter isStyled: whether each part gets the escape codes of its style.
    package func text(isStyled: Bool) -> String {
        parts.map { part in
            let text = VisibleText.of(part.text)
            guard isStyled, part.style != .plain else { return text }
            // A style that continued over a line break would colour the rest of the row.
            return text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "\u{1B}[\(part.style.rawValue)m\($0)\u{1B}[0m" }.joined(separator: "\n")
        }.joined()
    }
}
