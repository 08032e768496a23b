package import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Asks a yes-or-no question on the controlling terminal. Any answer except `y` or `yes` means no.
package enum Confirmation {
    /// Asks about a subject without styles.
    package static func ask(
        _ question: String, about subject: String, insteadUse option: String
    ) throws(Failure) -> Bool {
        try ask(question, about: StyledText(subject), insteadUse: option)
    }

    /// Asks the user to type a word, so that a habitual `y` is not enough.
    ///
    /// - Returns: whether the user typed exactly this word.
    /// - Throws: ``Failure/noTerminal(insteadUse:)`` without a terminal.
    package static func typed(
        _ expected: String, _ question: String, about subject: StyledText, insteadUse option: String
    ) throws(Failure) -> Bool {
        try answer("\(question): ", about: subject, insteadUse: option, limit: expected.utf8.count + 1) == expected
    }

    /// Asks a yes-or-no question about a subject.
    ///
    /// - Parameters:
    ///   - subject: the subject of the question. It is shown on the same terminal, wherever standard output and
    ///     standard error go, so that a person agrees only to text on the screen.
    ///   - option: the option that makes the question unnecessary.
    /// - Throws: ``Failure/noTerminal(insteadUse:)`` without a terminal.
    package static func ask(
        _ question: String, about subject: StyledText, insteadUse option: String
    ) throws(Failure) -> Bool {
        let answer = try answer("\(question) [y/N] ", about: subject, insteadUse: option, limit: 8)
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Shows the subject and the prompt on the controlling terminal, and reads one line.
    ///
    /// - Parameter limit: the highest number of bytes that are kept of the line.
    /// - Returns: the line without its end.
    /// - Throws: ``Failure/noTerminal(insteadUse:)`` without a terminal.
    private static func answer(
        _ prompt: String, about subject: StyledText, insteadUse option: String, limit: Int
    ) throws(Failure) -> String {
        guard let terminal = fopen("/dev/tty", "r+e") else {
            throw .noTerminal(insteadUse: option)
        }
        defer { fclose(terminal) }
        ProgressLine.ofProcess.finish()
        fputs(subject.text(isStyled: TerminalStyles.areShown(on: fileno(terminal))) + "\n\n", terminal)
        fflush(terminal)
        // Text that was typed or pasted before the whole question was shown is not an answer to it.
        tcflush(fileno(terminal), TCIFLUSH)
        fputs(prompt, terminal)
        fflush(terminal)

        var answer = ""
        while true {
            let character = fgetc(terminal)
            if character == EOF || character == 0x0A { break }
            if answer.utf8.count < limit {
                answer.unicodeScalars.append(UnicodeScalar(UInt8(truncatingIfNeeded: character)))
            }
        }
        return answer
    }
}
