#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How wide the terminal is that a person reads on.
package enum TerminalWidth {
    /// What is printed into a file or a pipe is read later, on a terminal that may be as narrow as they get.
    private static let narrow = 40
    /// Rows that are longer are hard to read.
    private static let wide = 100

    /// Of most windows, where nothing tells how wide the terminal is on which sentences will be read.
    private static let usual = 80

    /// For sentences of this program: of the terminal of this process, or else of most windows.
    package static var sentenceColumns: Int { min(wide, known ?? ofControllingTerminal ?? usual) }

    /// For rows of text of others: of the terminal of this process, or else what fits into any.
    package static var columns: Int { min(wide, known ?? ofControllingTerminal ?? narrow) }

    /// Of the terminal that standard error, output or input is. Nil where none is one, or it does not say.
    package static var known: Int? {
        [STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO].lazy.compactMap(columns).first
    }

    /// Where a question is asked, wherever the streams go.
    private static var ofControllingTerminal: Int? {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return columns(of: terminal)
    }

    private static func columns(of file: Int32) -> Int? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
