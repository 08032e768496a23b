internal import Custody
internal import Foundation

/// What a command ends with when it does not succeed: a text for the person, a hint where there is one, and an exit code
/// for scripts.
struct Failure: Error, Equatable {
    /// The exit codes are part of the interface: the README and the manual list them.
    enum Code: Int32 {
        /// Something else than what the other codes say.
        case other = 1
        /// The transaction was refused by a rule, or declined by the person.
        case refused = 2
        /// The passphrase does not open the file.
        case wrongPassphrase = 3
        /// A share is missing, damaged, or of another wallet or epoch.
        case badShare = 4
        /// The holders could not agree on a signature.
        case ceremony = 5
        /// The command line is wrong (`EX_USAGE`).
        case usage = 64
        /// A file does not hold what it should (`EX_DATAERR`).
        case badInput = 65
        /// A file cannot be read (`EX_NOINPUT`).
        case unreadable = 66
        /// A file cannot be written, or is in the way (`EX_CANTCREAT`).
        case unwritable = 73
        /// Another process holds the file; try again (`EX_TEMPFAIL`).
        case busy = 75
    }

    let code: Code
    /// A stable word for scripts: `wrong_passphrase`.
    let name: String
    let message: String
    var hint: String?

    static func noTerminal() -> Failure {
        Failure(
            code: .usage, name: "no_terminal", message: "there is no terminal to ask on",
            hint: "give the passphrase with --passphrase-file, and confirm with --yes")
    }

    static func cancelled() -> Failure {
        Failure(code: .refused, name: "cancelled", message: "cancelled; nothing was changed")
    }

    static func declined() -> Failure {
        Failure(code: .refused, name: "declined", message: "not signed: you did not confirm")
    }

    static func badPassphrase(_ reason: String) -> Failure {
        Failure(code: .usage, name: "bad_passphrase", message: "this passphrase cannot be used: \(reason)")
    }

    static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(code: .usage, name: "usage", message: message, hint: hint)
    }

    static func unreadable(_ path: String, _ number: Int32) -> Failure {
        Failure(code: .unreadable, name: "unreadable", message: "cannot read \(path): \(reason(number))")
    }

    static func unwritable(_ path: String, _ number: Int32) -> Failure {
        Failure(code: .unwritable, name: "unwritable", message: "cannot write \(path): \(reason(number))")
    }

    static func outputExists(_ path: String) -> Failure {
        Failure(
            code: .unwritable, name: "output_exists", message: "\(path) exists already, and is left as it is",
            hint: "name another file, or remove this one first")
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
