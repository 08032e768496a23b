internal import Custody
internal import DisplayText
internal import Foundation
internal import Wallet

/// What a command ends with when it does not succeed: a text for the person, a hint where there is one, and an exit code
/// for scripts.
struct Failure: Error {
    /// The exit codes are part of the interface: the README and the manual list them.
    enum Code: Int32, CaseIterable {
        case other = 1
        case refused = 2
        case wrongPassphrase = 3
        case badShare = 4
        case ceremony = 5
        // From here on as in sysexits.h.
        case usage = 64
        case badInput = 65
        case unreadable = 66
        case unavailable = 69
        case unwritable = 73
        case busy = 75

        /// One line of the manual.
        var meaning: String {
            switch self {
            case .other: "failed for a reason that has no code of its own"
            case .refused:
                "refused by a rule, not confirmed, or not valid; nothing was signed"
            case .wrongPassphrase: "the passphrase is wrong"
            case .badShare: "a share is missing, damaged, or another wallet's"
            case .ceremony: "the shares could not make a valid signature"
            case .usage: "wrong usage"
            case .badInput: "a file is malformed"
            case .unreadable: "a file cannot be read, or there is no such wallet"
            case .unavailable: "a node does not answer, or answers wrongly"
            case .unwritable: "a file cannot be written, or exists already"
            case .busy: "another process has the file in use"
            }
        }
    }

    let code: Code
    /// A stable word for scripts: `wrong_passphrase`.
    let name: String
    var message: String
    var hint: String?
    /// The words in ``message`` that a node said, between quotation marks there. A person sees them apart.
    var quoted: SanitizedText?
    /// What was to be signed, where that was known: programs show it, and come back with its digest.
    var intent: IntentView?
    /// The transaction's identifier or hash, where it is signed: it may be mined, whatever went wrong then.
    var id: String?

    /// What went wrong when this was signed.
    func after(signing id: String, _ intent: IntentView?) -> Failure {
        var failure = self
        failure.id = id
        failure.intent = intent
        return failure
    }

    /// The message for a person. What a node said stands below it, in rows that begin with a mark: none of it can look like a line
    /// of this program's own.
    var text: String {
        // A message is one line: a file's name in it may hold line breaks.
        let line = message.replacing("\n", with: "\u{FFFD}")
        guard let quoted, let place = line.range(of: "\"\(quoted)\"") else { return line }
        let own = line[..<place.lowerBound] + "see below" + line[place.upperBound...]
        return own + "\n" + TextBlock(quoted, columns: TerminalWidth.columns).text
    }

    /// - Parameter option: what makes asking needless.
    static func noTerminal(insteadUse option: String) -> Failure {
        Failure(
            code: .usage, name: "no_terminal", message: "there is no terminal to ask on", hint: "use \(option)")
    }

    static func cancelled() -> Failure {
        Failure(code: .refused, name: "cancelled", message: "cancelled; nothing was done")
    }

    /// Costly findings take a yes by name where no one is asked.
    ///
    /// - Parameter confirmation: what was given, and is not enough.
    static func notAccepted(_ costs: [Remark], by confirmation: String) -> Failure {
        var names: [String] = []
        for cost in costs where !names.contains(cost.name) { names.append(cost.name) }
        return Failure(
            code: .refused, name: "needs_confirmation",
            message: "not signed with \(confirmation): \(costs.map(\.text).joined(separator: "; "))",
            hint: "if it is meant, add --accept \(names.joined(separator: ","))")
    }

    /// Nothing would be signed: an earlier payment that did the same is at hand, and nobody knows whether it arrived.
    ///
    /// - Parameter payment: what it is called.
    static func wouldBeSentAgain(_ payment: String) -> Failure {
        Failure(
            code: .refused, name: "earlier_payment",
            message: "\(payment) was signed before, and may not have arrived: without --dry-run it is looked up "
                + "before anything is signed, and handed to the node once more if that does not have it")
    }

    static func declined() -> Failure {
        Failure(code: .refused, name: "declined", message: "not signed: you did not confirm")
    }

    static func notRenewed() -> Failure {
        Failure(code: .refused, name: "declined", message: "nothing was changed: you did not confirm")
    }

    static func badPassphrase(_ reason: String) -> Failure {
        Failure(code: .usage, name: "bad_passphrase", message: "this passphrase cannot be used: \(reason)")
    }

    static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(code: .usage, name: "usage", message: message, hint: hint)
    }

    /// - Parameter option: of which the last value alone would count.
    static func repeated(_ option: String) -> Failure {
        .usage(
            "\(option) is given more than once, and takes one value; nothing was done",
            hint: "leave out all but one of them")
    }

    static func unreadable(_ path: String, _ number: Int32) -> Failure {
        Failure(
            code: .unreadable, name: "unreadable",
            message: "cannot read \(path.isEmpty ? "''" : path): \(reason(number))")
    }

    static func unwritable(_ path: String, _ number: Int32) -> Failure {
        Failure(
            code: .unwritable, name: "unwritable",
            message: "cannot write to \(path.isEmpty ? "''" : path): \(reason(number))")
    }

    static func outputExists(_ path: String) -> Failure {
        Failure(
            code: .unwritable, name: "output_exists", message: "\(path) exists already, and is left as it is",
            hint: "name another file, or remove this one first")
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
