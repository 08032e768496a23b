internal import Foundation

/// Where a command's words go: results to standard output, all else to standard error. With `--json` both are JSON,
/// and nothing is said about progress.
package struct Output: Sendable {
    /// The program's name, which stands before a failure.
    private let program: String
    package let json: Bool
    /// What is wrong with the command line and was told to a person: for programs it is among the `warnings` of a result, if that
    /// is an object.
    package let warnings: [String]
    /// How long the reader of standard error may take before nothing is said; nil for as long as it takes.
    private let patience: Int32?

    /// - Parameter patience: milliseconds.
    package init(program: String, json: Bool, warnings: [String] = [], patience: Int32? = nil) {
        self.program = program
        self.json = json
        self.warnings = warnings
        self.patience = patience
    }

    /// Prints the result: `text` for a person, `value` for a program.
    package func result(_ value: some Encodable, text: () -> String) throws(Failure) {
        try StandardStream.output.write(json ? Self.encode(value, warnings) : Self.visible(text()) + "\n")
    }

    /// Prints the result: `text` for a person, with its styles where standard output is a terminal, `value` for a program.
    package func result(_ value: some Encodable, text: () -> StyledText) throws(Failure) {
        if json { return try StandardStream.output.write(Self.encode(value, warnings)) }
        try StandardStream.output.write(text().text(isStyled: TerminalStyles.areShown(on: 1)) + "\n")
    }

    /// Prints a result of a command that goes on: `text` for a person, one line of JSON for a program.
    package func line(_ value: some Encodable, text: () -> String) throws(Failure) { try lines([value], text: text) }

    /// Prints several results: `text` for a person, one line of JSON for each for a program.
    package func lines(_ values: [some Encodable], text: () -> String) throws(Failure) {
        let lines = values.map { Self.encode($0, formatting: [.sortedKeys]) }
        try StandardStream.output.write(json ? lines.joined() : Self.visible(text()) + "\n")
    }

    /// Writes the file that a command makes, and says what it is. `-` writes it to standard output, and says nothing.
    package func file(
        _ bytes: [UInt8], to path: String, _ value: some Encodable, text: () -> String
    ) throws(Failure) {
        if path == OutputFile.standardOutput { return try StandardStream.output.write(bytes) }
        try OutputFile.write(bytes, to: path)
        try result(value) { "\(path.replacing("\n", with: "\u{FFFD}")): \(text())" }
    }

    /// Says, while a long step runs, which one it is.
    package func progress(_ text: String) { note(text) }

    /// Says something that the person should see. With `--json` the result says it.
    package func note(_ text: String) {
        if !json { tell(Self.visible(text) + "\n") }
    }

    /// Says something that the person should see, with its styles where standard error is a terminal.
    package func note(_ text: StyledText) {
        if !json { tell(text.text(isStyled: TerminalStyles.areShown(on: 2)) + "\n") }
    }

    /// Tells why a command did not succeed.
    package func failure(_ failure: Failure) {
        if json { return tell(Self.json(of: failure)) }
        note("\(program): \(failure.text)" + indented(failure.hint))
    }

    /// Tells what is wrong with the command line.
    ///
    /// - Parameters:
    ///   - text: for a person, in several lines.
    ///   - summary: for a program.
    package func misuse(_ text: String, summary: String, hint: String?) {
        if json { return failure(.usage(Self.clause(summary), hint: hint)) }
        note("\(program): " + Self.clause(text) + indented(hint))
    }

    /// A hint below what stands behind the program's name.
    private func indented(_ hint: String?) -> String {
        hint.map { "\n" + String(repeating: " ", count: program.count + 2) + $0 } ?? ""
    }

    /// Where standard error is closed or full, or its reader stalls, there is nobody to tell: the exit code alone does.
    private func tell(_ text: String) {
        if let patience, !StandardStream.errors.isReady(within: patience) { return }
        try? StandardStream.errors.write(text)
    }

    /// The sentence as it follows a colon.
    private static func clause(_ sentence: String) -> String { sentence.prefix(1).lowercased() + sentence.dropFirst() }

    /// The text with a mark in place of everything that would not be seen but obeyed: characters by which a name or path could
    /// rewrite the screen, or turn the direction of what is read.
    package static func visible(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n": "\u{FFFD}"
            case .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    static func json(of failure: Failure) -> String { encode(JSONFailure(failure)) }

    private struct JSONFailure: Encodable {
        private enum Key: CodingKey { case error }

        private struct Body: Encodable {
            let code: String
            let message: String
            let hint: String?
        }

        private let body: Body
        private let details: (any Encodable)?

        init(_ failure: Failure) {
            body = Body(code: failure.name, message: failure.message, hint: failure.hint)
            details = failure.details
        }

        func encode(to encoder: any Encoder) throws {
            try details?.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(body, forKey: .error)
        }
    }

    /// The result with these warnings beside its own.
    private static func encode(_ value: some Encodable, _ warnings: [String]) -> String {
        let plain = encode(value)
        guard !warnings.isEmpty, plain.hasPrefix("{") else { return plain }
        let own = (try? JSONDecoder().decode(OwnWarnings.self, from: Data(plain.utf8)))?.warnings ?? []
        return encode(Warned(value: value, warnings: warnings + own))
    }

    private struct OwnWarnings: Decodable { let warnings: [String]? }

    private struct Warned<Value: Encodable>: Encodable {
        private enum Key: CodingKey { case warnings }

        let value: Value
        let warnings: [String]

        func encode(to encoder: any Encoder) throws {
            try value.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(warnings, forKey: .warnings)
        }
    }

    private static func encode(
        _ value: some Encodable, formatting: JSONEncoder.OutputFormatting = [.prettyPrinted, .sortedKeys]
    ) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union(.withoutEscapingSlashes)
        guard let data = try? encoder.encode(value) else { preconditionFailure("results are plain values") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
