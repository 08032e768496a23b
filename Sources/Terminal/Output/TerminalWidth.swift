package import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The width of the terminal on which a person reads.
package enum TerminalWidth {
    /// The width for text in a file or a pipe: it may be read later on a very narrow terminal.
    private static let narrow = 40
    /// The highest width: longer rows are hard to read.
    private static let wide = 100

    /// The width of most windows, for sentences if the width of the reader's terminal is unknown.
    private static let usual = 80

    /// The width for this program's sentences: that of the process's terminal, otherwise that of most windows.
    package static var sentenceColumns: Int { min(wide, known ?? ofControllingTerminal ?? usual) }

    /// The width for rows of foreign text: that of the process's terminal, otherwise one that fits any terminal.
    package static var columns: Int { min(wide, known ?? ofControllingTerminal ?? narrow) }

    /// The width of the terminal at standard error, output or input; nil if none of them is a terminal that reports a
    /// width.
    package static var known: Int? {
        [STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO].lazy.compactMap(columns).first
    }

    /// The width of the controlling terminal, on which questions are asked, wherever the streams go.
    private static var ofControllingTerminal: Int? {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return columns(of: terminal)
    }

    /// Returns the width of the terminal at an open file; nil if the file is not a terminal, or reports no width.
    static func columns(of file: Int32) -> Int? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

extension Columns {
    /// The columns of the terminal of this process.
    package static var ofTerminal: Columns {
        Columns(sentences: TerminalWidth.sentenceColumns, foreign: TerminalWidth.columns)
    }
}

extension Wrapped {
    /// Wraps sentences into lines that the terminal of this process does not break.
    package static func text(_ text: String) -> String { Self.text(text, columns: TerminalWidth.sentenceColumns) }
}

extension Failure {
    /// The message, formatted for the terminal of this process.
    package var text: String { text(columns: TerminalWidth.columns) }
}
