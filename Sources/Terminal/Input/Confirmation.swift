#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Asks a yes-or-no question on the controlling terminal. Anything but `y` or `yes` is no.
package enum Confirmation {
    /// With a subject that has no styles.
    package static func ask(
        _ question: String, about subject: String, insteadUse option: String
    ) throws(Failure) -> Bool {
        try ask(question, about: StyledText(subject), insteadUse: option)
    }

    /// - Parameters:
    ///   - subject: what the question is about. It is shown on the same terminal, wherever standard output and standard
    ///     error go: nobody agrees to what is not on the screen.
    ///   - option: what makes asking needless.
    /// - Throws: ``Failure/noTerminal(insteadUse:)`` where there is nobody to ask.
    package static func ask(
        _ question: String, about subject: StyledText, insteadUse option: String
    ) throws(Failure) -> Bool {
        guard let terminal = fopen("/dev/tty", "r+e") else {
            throw .noTerminal(insteadUse: option)
        }
        defer { fclose(terminal) }
        fputs(subject.text(isStyled: TerminalStyles.areShown(on: fileno(terminal))) + "\n\n", terminal)
        fflush(terminal)
        // What was typed, or pasted, before all that was shown is no answer to it.
        tcflush(fileno(terminal), TCIFLUSH)
        fputs("\(question) [y/N] ", terminal)
        fflush(terminal)

        var answer = ""
        while true {
            let character = fgetc(terminal)
            if character == EOF || character == 0x0A { break }
            if answer.utf8.count < 8 {
                answer.unicodeScalars.append(UnicodeScalar(UInt8(truncatingIfNeeded: character)))
            }
        }
        return ["y", "yes"].contains(answer.lowercased())
    }
}
