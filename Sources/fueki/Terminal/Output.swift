internal import Foundation

/// Where a command's words go: results to standard output, all else to standard error. With `--json` both are JSON,
/// and nothing is said about progress.
struct Output {
    let json: Bool

    /// Prints the result: `text` for a person, `value` for a program.
    func result(_ value: some Encodable, text: () -> String) {
        if json {
            Self.write(Self.encode(value), to: .standardOutput)
        } else {
            Self.write(text() + "\n", to: .standardOutput)
        }
    }

    /// Prints several results: `text` for a person, one line of JSON for each for a program.
    func lines(_ values: [some Encodable], text: () -> String) {
        if json {
            for value in values { Self.write(Self.encode(value, formatting: [.sortedKeys]), to: .standardOutput) }
        } else {
            Self.write(text() + "\n", to: .standardOutput)
        }
    }

    /// Says, while a long step runs, which one it is.
    func progress(_ text: String) {
        guard !json else { return }
        Self.write("\(text)\n", to: .standardError)
    }

    /// Says something that the person must see, whatever is asked for. With `--json` the result says it.
    func note(_ text: String) {
        guard !json else { return }
        Self.write("\(text)\n", to: .standardError)
    }

    func failure(_ failure: Failure) {
        if json {
            let error = JSONFailure(error: .init(code: failure.name, message: failure.message, hint: failure.hint))
            Self.write(Self.encode(error), to: .standardError)
        } else {
            Self.write("fueki: \(failure.message)\n", to: .standardError)
            if let hint = failure.hint { Self.write("       \(hint)\n", to: .standardError) }
        }
    }

    private struct JSONFailure: Encodable {
        struct Body: Encodable {
            let code: String
            let message: String
            let hint: String?
        }

        let error: Body
    }

    private static func encode(
        _ value: some Encodable, formatting: JSONEncoder.OutputFormatting = [.prettyPrinted, .sortedKeys]
    ) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union(.withoutEscapingSlashes)
        guard let data = try? encoder.encode(value) else { preconditionFailure("results are plain values") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private static func write(_ text: String, to file: FileHandle) {
        // A reader that went away (`fueki … | head`) is no error of ours.
        try? file.write(contentsOf: Data(text.utf8))
    }
}
