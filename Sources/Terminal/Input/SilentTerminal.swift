#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The controlling terminal without echo. The echo returns when this value is destroyed, and also when a signal ends or
/// stops the process meanwhile: the shell does not restore it.
package struct SilentTerminal: ~Copyable {
    package let file: Int32
    private let previous: SavedHandlers

    /// The signals that end or stop a process. Keys cannot send them while the terminal is silent; other programs can.
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP]

    /// Turns off the echo.
    ///
    /// - Returns: nil without a terminal.
    package init?() {
        let file = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        var settings = termios()
        guard tcgetattr(file, &settings) == 0 else {
            close(file)
            return nil
        }
        ProgressLine.ofProcess.finish()
        self.file = file
        Saved.file.pointee = file
        Saved.loud.pointee = settings
        // Without ISIG an interrupt arrives as a character, so the settings are restored in that case, too.
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        Saved.silent.pointee = settings
        previous = SavedHandlers(of: Self.signals)
        // A signal that was ignored before, as under nohup, does not end the process.
        let ignored = previous.ignored
        for number in Self.signals where !ignored.contains(number) { signal(number, Self.handler(of: number)) }
        tcsetattr(file, TCSAFLUSH, Saved.silent)
    }

    deinit {
        tcsetattr(file, TCSAFLUSH, Saved.loud)
        previous.restore()
        close(file)
    }

    /// The values that signal handlers need: handlers must not access memory that Swift manages. They are written only
    /// while no handler is set.
    private enum Saved {
        nonisolated(unsafe) static let file: UnsafeMutablePointer<Int32> = {
            let pointer = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
            pointer.initialize(to: -1)
            return pointer
        }()
        nonisolated(unsafe) static let loud = settings()
        nonisolated(unsafe) static let silent = settings()

        private static func settings() -> UnsafeMutablePointer<termios> {
            let pointer = UnsafeMutablePointer<termios>.allocate(capacity: 1)
            pointer.initialize(to: termios())
            return pointer
        }
    }

    private static func handler(of number: Int32) -> @convention(c) (Int32) -> Void {
        number == SIGTSTP ? stop : end
    }

    /// Restores the terminal, and ends the process with the signal as if no handler were set.
    private static let end: @convention(c) (Int32) -> Void = { number in
        tcsetattr(Saved.file.pointee, TCSANOW, Saved.loud)
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }

    /// Stops the process, and silences the terminal again when the process continues.
    private static let stop: @convention(c) (Int32) -> Void = { number in
        tcsetattr(Saved.file.pointee, TCSANOW, Saved.loud)
        // SIGSTOP cannot be caught, so no handler has to be removed for it.
        kill(getpid(), SIGSTOP)
        tcsetattr(Saved.file.pointee, TCSANOW, Saved.silent)
    }
}
