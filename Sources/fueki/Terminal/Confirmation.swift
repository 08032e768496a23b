#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Asks a yes-or-no question on the controlling terminal. Anything but `y` or `yes` is no.
enum Confirmation {
    /// - Throws: ``Failure/noTerminal()`` where there is nobody to ask.
    static func ask(_ question: String) throws(Failure) -> Bool {
        guard let terminal = fopen("/dev/tty", "r+e") else { throw .noTerminal() }
        defer { fclose(terminal) }
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
