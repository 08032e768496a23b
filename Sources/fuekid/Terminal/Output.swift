internal import ArgumentParser
internal import Foundation

/// Where a command's words go: results to standard output, all else to standard error. With `--json` both are JSON.
struct Output {
    let json: Bool

    /// How long the reader of standard error may take before a failure is told without words.
    private static let stalledReaderMilliseconds: Int32 = 2_000

    /// Prints the result: `text` for a person, `value` for a program.
    func result(_ value: some Encodable, text: () -> String) throws(Failure) {
        try Self.put(json ? Self.encode(value) : text() + "\n", to: STDOUT_FILENO)
    }

    /// Prints a result of a command that goes on: one line.
    func line(_ value: some Encodable, text: () -> String) throws(Failure) {
        try Self.put(
            json ? Self.encode(value, formatting: [.sortedKeys]) : text() + "\n", to: STDOUT_FILENO)
    }

    func failure(_ failure: Failure) {
        let hint = failure.hint.map { "\n  \($0)" } ?? ""
        let text =
            json
            ? Self.encode(
                JSONFailure(error: .init(code: failure.name, message: failure.message, hint: failure.hint)))
            : "fuekid: \(failure.message)\(hint)\n"
        // Where standard error is closed or full, or its reader stalls, the exit code alone tells.
        var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, Self.stalledReaderMilliseconds) == 1 else { return }
        try? Self.put(text, to: STDERR_FILENO)
    }

    /// Tells what is wrong with the command line: an error of ArgumentParser's.
    func misuse(_ error: any Error) {
        // The same words behind "Error: ", and then the usage.
        let whole = json ? Fuekid.message(for: error) : Fuekid.fullMessage(for: error)
        let sentence = whole.hasPrefix("Error: ") ? String(whole.dropFirst(7)) : whole
        var misuse = Failure.usage(sentence.prefix(1).lowercased() + sentence.dropFirst())
        // To the parser it is an option.
        if CommandLine.arguments.contains(where: { $0.wholeMatch(of: /-[A-Za-z0-9_-]{21}/) != nil }) {
            misuse.hint = "an id that begins with a dash stands behind two dashes: -- -AbC…"
        }
        failure(misuse)
    }

    private struct JSONFailure: Encodable {
        struct Body: Encodable {
            let code: String
            let message: String
            let hint: String?
        }

        let error: Body
    }

    /// What is written is out when the call returns.
    private static func put(_ text: String, to stream: Int32) throws(Failure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(stream, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // A reader that went away is no error of ours.
            if count < 0, errno == EPIPE { return }
            guard count > 0 else { throw .unwritableOutput }
            rest = rest.dropFirst(count)
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
