package import DisplayText
internal import Foundation

/// The failure of a command: a message for the person, an optional hint, and an exit code for scripts.
package struct Failure: Error {
    /// The exit codes of both programs. They are part of the interface: each program's help and manual list its own
    /// codes with their meanings (``ExitCodes``). Codes from 64 on follow sysexits.h.
    package enum Code: Int32, CaseIterable, Sendable {
        case other = 1
        case refused = 2
        case wrongPassphrase = 3
        case badShare = 4
        case ceremony = 5
        case usage = 64
        case malformed = 65
        case missing = 66
        case unavailable = 69
        case unwritable = 73
        case unreported = 74
        case busy = 75
        case permissions = 77
        case settings = 78
    }

    package let code: Code
    /// A stable word for scripts, such as `wrong_passphrase`.
    package let name: String
    package private(set) var message: String
    package private(set) var hint: String?
    /// The words in ``message`` that come from another source, such as a node, in quotation marks. A person sees them
    /// separately.
    package var quoted: SanitizedText?
    /// The text that the message is about, shown below it with marks.
    package var figure: MarkedGroups?
    /// An object whose members stand beside `error` in the JSON of a failure.
    package var details: (any Encodable & Sendable)?

    package init(
        code: Code, name: String, message: String, hint: String? = nil, quoted: SanitizedText? = nil,
        details: (any Encodable & Sendable)? = nil
    ) {
        self.code = code
        self.name = name
        self.message = message
        self.hint = hint
        self.quoted = quoted
        self.details = details
    }

    /// Puts the message into a larger one, with its quotation and details.
    package func reworded(_ change: (String) -> String) -> Failure {
        var failure = self
        failure.message = change(message)
        return failure
    }

    /// Returns this failure with another hint.
    package func advising(_ hint: String) -> Failure {
        var failure = self
        failure.hint = hint
        return failure
    }

    /// Returns the message for a person. Foreign words follow below it, in rows that begin with a mark, so that none of
    /// them can look like a line of this program.
    ///
    /// - Parameter columns: the width of the terminal, for the rows of foreign words.
    package func text(columns: Int) -> String {
        // A message is one line, but a file's name in it may contain line breaks.
        let line = message.replacing("\n", with: "\u{FFFD}")
        if let figure { return ([line] + figure.rows(columns: columns)).joined(separator: "\n") }
        guard let quoted, let place = line.range(of: "\"\(quoted)\"") else { return line }
        let own = line[..<place.lowerBound] + "see below" + line[place.upperBound...]
        return own + "\n" + TextBlock(quoted, columns: columns).text
    }
}

// Failures that any command may have.
extension Failure {
    package static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(code: .usage, name: "usage", message: message, hint: hint)
    }

    /// Returns the failure of a repeated option.
    ///
    /// - Parameter option: the repeated option; without this failure, only its last value would count.
    package static func repeated(_ option: String) -> Failure {
        .usage(
            "\(option) is given more than once, and takes one value; nothing was done",
            hint: "leave out all but one of them")
    }

    /// Returns the failure of a question without a terminal.
    ///
    /// - Parameter option: the option that makes the question unnecessary.
    package static func noTerminal(insteadUse option: String) -> Failure {
        Failure(
            code: .usage, name: "no_terminal", message: "there is no terminal to ask on", hint: "use \(option)")
    }

    package static func cancelled() -> Failure {
        Failure(code: .refused, name: "cancelled", message: "cancelled; nothing was done")
    }

    package static func badPassphrase(_ reason: String) -> Failure {
        Failure(code: .usage, name: "bad_passphrase", message: "this passphrase cannot be used: \(reason)")
    }

    /// Returns the failure of a file that cannot be read.
    ///
    /// - Parameter number: the number of the system's error.
    package static func unreadable(_ path: String, _ number: Int32) -> Failure {
        Failure(
            code: .missing, name: "unreadable",
            message: "cannot read \(path.isEmpty ? "''" : path): \(System.reason(number))")
    }

    /// Returns the failure of a file that cannot be written.
    ///
    /// - Parameter number: the number of the system's error.
    package static func unwritable(_ path: String, _ number: Int32) -> Failure {
        Failure(
            code: .unwritable, name: "unwritable",
            message: "cannot write to \(path.isEmpty ? "''" : path): \(System.reason(number))")
    }

    /// Returns the failure of a command that has done its work and could not print the result.
    ///
    /// - Parameter number: the number of the system's error.
    package static func unreported(_ number: Int32) -> Failure {
        Failure(
            code: .unreported, name: "result_not_written",
            message: "it is done, but its result could not be written to standard output: \(System.reason(number))")
    }

    /// The failure of a command that runs until it is ended, and whose output is not read.
    package static var stalledOutput: Failure {
        Failure(
            code: .unreported, name: "stalled_output", message: "the output was not read in time: the command has ended"
        )
    }

    package static func outputExists(_ path: String) -> Failure {
        Failure(
            code: .unwritable, name: "output_exists", message: "\(path) exists already, and is left as it is",
            hint: "name another file, or remove this one first")
    }
}
