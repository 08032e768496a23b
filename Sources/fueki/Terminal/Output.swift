internal import ArgumentParser
internal import Foundation

/// Where a command's words go: results to standard output, all else to standard error. With `--json` both are JSON,
/// and nothing is said about progress.
struct Output {
    let json: Bool
    /// What is wrong with the command line and was told to a person: for programs it is among the `warnings` of a result, if that
    /// is an object.
    var warnings: [String] = []

    /// Prints the result: `text` for a person, `value` for a program.
    func result(_ value: some Encodable, text: () -> String) throws(Failure) {
        try StandardStream.output.write(json ? Self.encode(value, warnings) : Self.visible(text()) + "\n")
    }

    /// Prints several results: `text` for a person, one line of JSON for each for a program.
    func lines(_ values: [some Encodable], text: () -> String) throws(Failure) {
        let lines = values.map { Self.encode($0, formatting: [.sortedKeys]) }
        try StandardStream.output.write(json ? lines.joined() : Self.visible(text()) + "\n")
    }

    /// Writes the file that a command makes, and says what it is. `-` writes it to standard output, and says nothing.
    func file(_ bytes: [UInt8], to path: String, _ value: some Encodable, text: () -> String) throws(Failure) {
        if path == OutputFile.standardOutput { return try StandardStream.output.write(bytes) }
        try OutputFile.write(bytes, to: path)
        try result(value) { "\(path.replacing("\n", with: "\u{FFFD}")): \(text())" }
    }

    /// Says, while a long step runs, which one it is.
    func progress(_ text: String) { note(text) }

    /// Says something that the person should see. With `--json` the result says it.
    func note(_ text: String) {
        // Where standard error is closed or full there is nobody to tell.
        if !json { try? StandardStream.errors.write(Self.visible(text) + "\n") }
    }

    func failure(_ failure: Failure) {
        if json {
            let error = JSONFailure(
                error: .init(code: failure.name, message: failure.message, hint: failure.hint), id: failure.id,
                intent: failure.intent)
            try? StandardStream.errors.write(Self.encode(error))
        } else {
            note("fueki: \(failure.text)" + (failure.hint.map { "\n       \($0)" } ?? ""))
        }
    }

    /// Tells what is wrong with the command line: an error of ArgumentParser's.
    func misuse(_ error: any Error) {
        if json { return failure(.usage(Self.clause(Fueki.message(for: error)))) }
        // The same words behind "Error: ", and then the usage.
        let whole = Fueki.fullMessage(for: error)
        note("fueki: " + Self.clause(whole.hasPrefix("Error: ") ? String(whole.dropFirst(7)) : whole))
    }

    /// The sentence as it follows a colon.
    private static func clause(_ sentence: String) -> String { sentence.prefix(1).lowercased() + sentence.dropFirst() }

    /// The text with a mark in place of everything that would not be seen but obeyed: characters by which a name or path could
    /// rewrite the screen, or turn the direction of what is read.
    static func visible(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n": "\u{FFFD}"
            case .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private struct JSONFailure: Encodable {
        struct Body: Encodable {
            let code: String
            let message: String
            let hint: String?
        }

        let error: Body
        let id: String?
        let intent: IntentView?
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
