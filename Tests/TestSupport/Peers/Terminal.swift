/// A terminal on which the questions of a command are answered. Needs ``Peer/python``.
public enum Terminal {
    /// The text on the terminal, and how the command ended.
    public struct Session: Decodable, Sendable {
        /// Everything shown; typed text is included only where the terminal echoed it.
        public let screen: String
        /// The exit status; -1 if an expected question did not come, or the command did not end, within ten minutes.
        public let exit: Int32
    }

    /// Runs a command, and types each answer when its question is on the screen.
    ///
    /// - Parameters:
    ///   - isStyled: whether the command may use styles and colours.
    ///   - copied: a regular expression. The user types what its group matches on the screen, last, in place of
    ///     `{copied}` in an answer.
    ///   - meanwhile: a shell script that runs in the folder while the last question is open, and has to succeed.
    public static func run(
        _ command: [String], environment: [String: String] = [:], in folder: String = "/", isStyled: Bool = false,
        answers: [(question: String, answer: String)], copied: String? = nil, meanwhile: String? = nil
    ) throws -> Session {
        struct Request: Encodable {
            let command: [String]
            let environment: [String: String]
            let directory: String
            let answers: [[String]]
            let copied: String?
            let meanwhile: String?
        }
        return try Python.ask(
            "on_terminal.py",
            Request(
                command: command,
                // `swift test` sets it for all tests if its output has no colours.
                environment: environment.merging(["NO_COLOR": isStyled ? "" : "1"]) { own, _ in own },
                directory: folder,
                answers: answers.map { [$0.question, $0.answer] }, copied: copied, meanwhile: meanwhile))
    }
}
