internal import Foundation
package import Texts

/// The output of a command: results go to standard output, other text to standard error. With `--json` both are JSON,
/// and progress is not shown.
package struct Output: Sendable {
    /// The program's name, which precedes a failure.
    private let program: String
    package let json: Bool
    /// Warnings about the command line that were shown to the user. For programs they are in the `warnings` of a result,
    /// if the result is an object.
    package let warnings: [String]
    /// The time that the reader of standard error may take before messages are dropped; nil for no limit.
    private let patience: Int32?
    private let line: ProgressLine

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - patience: the time in milliseconds.
    ///   - line: the line that shows the present step.
    package init(
        program: String, json: Bool, warnings: [String] = [], patience: Int32? = nil,
        line: ProgressLine = .ofProcess
    ) {
        self.line = line
        self.program = program
        self.json = json
        self.warnings = warnings
        self.patience = patience
    }

    /// Prints the result: its text for a person, or its JSON for a program.
    package func result(_ view: some ResultView) throws(Failure) { try result(view) { view.text } }

    /// Prints the result: `text` for a person, `value` for a program.
    package func result(_ value: some Encodable, text: () -> String) throws(Failure) {
        line.finish()
        try StandardStream.output.write(
            json ? Self.encode(value, warnings) : Self.fitted(VisibleText.of(text()), .output) + "\n")
    }

    /// Prints the result: `text` for a person, with styles if standard output is a terminal, `value` for a program.
    package func result(_ value: some Encodable, text: () -> StyledText) throws(Failure) {
        line.finish()
        try StandardStream.output.write(styled(value, text))
    }

    /// Prints the result of something that was done, as ``receipt(_:text:)`` does.
    package func receipt(_ view: some ResultView) throws(Failure) { try receipt(view) { view.text } }

    /// Prints the result of something that was done, as ``result(_:text:)`` does.
    ///
    /// - Throws: ``Failure/unreported(_:)`` unless every byte was written, also if the reader of standard output went
    ///   away.
    package func receipt(_ value: some Encodable, text: () -> String) throws(Failure) {
        line.finish()
        let text = json ? Self.encode(value, warnings) : Self.fitted(VisibleText.of(text()), .output) + "\n"
        try StandardStream.output.report(Array(text.utf8))
    }

    /// Prints the result of something that was done, as ``receipt(_:text:)`` does, with styles if standard output is a
    /// terminal.
    package func receipt(_ value: some Encodable, text: () -> StyledText) throws(Failure) {
        line.finish()
        try StandardStream.output.report(Array(styled(value, text).utf8))
    }

    private func styled(_ value: some Encodable, _ text: () -> StyledText) -> String {
        json ? Self.encode(value, warnings) : text().text(isStyled: TerminalStyles.areShown(on: 1)) + "\n"
    }

    /// Prints a result of a command that continues: `text` for a person, one line of JSON for a program.
    package func line(_ value: some Encodable, text: () -> String) throws(Failure) {
        try StandardStream.output.write(bytes(ofLine: value, text: text))
    }

    /// Prints several results: `text` for a person, one line of JSON for each result for a program.
    package func lines(_ values: [some Encodable], text: () -> String) throws(Failure) {
        line.finish()
        let lines = values.map { Self.encode($0, formatting: [.sortedKeys]) }
        try StandardStream.output.write(json ? lines.joined() : VisibleText.of(text()) + "\n")
    }

    /// Returns the bytes of a result of a command that continues, as ``line(_:text:)`` prints them.
    package func bytes(ofLine value: some Encodable, text: () -> String) -> [UInt8] {
        line.finish()
        return Array((json ? Self.encode(value, formatting: [.sortedKeys]) : VisibleText.of(text()) + "\n").utf8)
    }

    /// Writes the command's output file, and reports it. `-` writes to standard output without a report.
    ///
    /// - Parameter isForOthers: whether other users may read the file, if the umask permits it.
    /// - Throws: ``Failure/unreported(_:)`` unless every byte was written to standard output; ``Failure/unwritable(_:_:)``,
    ///   ``Failure/outputExists(_:)``.
    package func file(
        _ bytes: [UInt8], to path: String, isForOthers: Bool = false, _ view: some ResultView
    ) throws(Failure) {
        try file(bytes, to: path, isForOthers: isForOthers, view) { view.text }
    }

    /// Writes the command's output file, as ``file(_:to:isForOthers:_:)`` does, and reports it with this text.
    package func file(
        _ bytes: [UInt8], to path: String, isForOthers: Bool = false, _ value: some Encodable,
        text: () -> String
    ) throws(Failure) {
        line.finish()
        if path == OutputFile.standardOutput { return try StandardStream.output.report(bytes) }
        try OutputFile.write(bytes, to: path, isForOthers: isForOthers)
        try receipt(value) { "\(path.replacing("\n", with: "\u{FFFD}")): \(text())" }
    }

    /// Reports that a step of a long command begins. This ends the previous step.
    package func progress(_ step: StepText) { if !json { line.begin(step) } }

    /// Reports that a step continues. A terminal shows a clock instead.
    package func progress(stillRunning text: String) { if !json { line.go(on: text) } }

    /// Reports that the present step did not reach its end, although the command continues.
    package func stepFailed() { line.fail() }

    /// Shows a note to a person. With `--json` the result contains it.
    package func note(_ text: String) {
        if !json { tell(Self.fitted(VisibleText.of(text), .errors) + "\n") }
    }

    /// Shows a note to a person, with styles if standard error is a terminal.
    package func note(_ text: StyledText) {
        if !json { tell(text.text(isStyled: TerminalStyles.areShown(on: 2)) + "\n") }
    }

    /// Reports why a command failed.
    package func failure(_ failure: Failure) {
        line.fail()
        if json { return tell(Self.json(of: failure)) }
        note("\(program): \(failure.text)" + indented(failure.hint))
    }

    /// Reports an error in the command line.
    ///
    /// - Parameters:
    ///   - text: the message for a person, in several lines.
    ///   - summary: the message for a program.
    package func misuse(_ text: String, summary: String, hint: String?) {
        if json { return failure(.usage(Self.clause(summary), hint: hint)) }
        note("\(program): " + Self.clause(text) + indented(hint))
    }

    /// Indents a hint below the message after the program's name.
    private func indented(_ hint: String?) -> String {
        hint.map { "\n" + String(repeating: " ", count: program.count + 2) + $0 } ?? ""
    }

    /// Writes a message to standard error. If it is closed or full, or its reader stalls, the message is lost, and only
    /// the exit code reports the failure.
    private func tell(_ text: String) {
        if let patience, !StandardStream.errors.isReady(within: patience) { return }
        line.interrupt { try? StandardStream.errors.write(text) }
    }

    /// Fits the rows to the terminal if the stream is a terminal. Text for a pipe stays unchanged.
    private static func fitted(_ text: String, _ stream: StandardStream) -> String {
        TerminalWidth.columns(of: stream.rawValue).map { Fitted.text(text, columns: $0) } ?? text
    }

    /// Returns a sentence in the form that follows a colon.
    private static func clause(_ sentence: String) -> String { sentence.prefix(1).lowercased() + sentence.dropFirst() }

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

    /// Encodes a result with these warnings in addition to its own.
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
        return VisibleText.escaped(inJSON: String(decoding: data, as: UTF8.self)) + "\n"
    }
}
