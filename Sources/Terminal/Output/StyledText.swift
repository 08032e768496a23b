#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Text for a person, of which parts are bold, dim or coloured where the terminal shows that.
///
/// Whatever stands in it, escape codes of others have no effect: only ``text(isStyled:)`` writes any, around text that has none.
package struct StyledText: Sendable, Equatable {
    /// How a part looks (ECMA-48, Select Graphic Rendition). What it means is in its words as well: nothing depends on colour alone.
    package enum Style: String, Sendable {
        case plain = ""
        /// What matters most.
        case strong = "1"
        /// What matters least.
        case faint = "2"
        /// Look at this before you go on.
        case warning = "33"
        /// This is not done.
        case refusal = "31"
        /// This went well.
        case success = "32"
        /// Black on white, whatever the terminal's own colours are.
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

    /// Lines below each other.
    package init(lines: [StyledText]) {
        parts = lines.enumerated().flatMap { number, line in
            (number == 0 ? [] : [Part(text: "\n", style: .plain)]) + line.parts
        }
    }

    /// What is to be written: nothing in it moves the cursor but line feeds, whoever it is by.
    ///
    /// - Parameter isStyled: whether escape codes give each part its style.
    package func text(isStyled: Bool) -> String {
        parts.map { part in
            let text = Output.visible(part.text)
            guard isStyled, part.style != .plain else { return text }
            // A style that goes on over a line break would colour the rest of the row.
            return text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "\u{1B}[\(part.style.rawValue)m\($0)\u{1B}[0m" }.joined(separator: "\n")
        }.joined()
    }
}

/// Whether a terminal is written to that shows styles.
package enum TerminalStyles {
    /// - Parameters:
    ///   - file: an open file of this process.
    ///   - environment: of this process. `NO_COLOR` with any text in it, and a `TERM` of `dumb`, take styles away
    ///     (no-color.org).
    package static func areShown(on file: Int32, _ environment: [String: String]) -> Bool {
        isatty(file) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// With the environment of this process.
    package static func areShown(on file: Int32) -> Bool {
        let names = ["NO_COLOR", "TERM"]
        return areShown(
            on: file,
            Dictionary(
                uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }))
    }
}
