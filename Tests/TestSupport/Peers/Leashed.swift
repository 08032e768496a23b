internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program that runs until its standard input ends: with this value, or with this process.
struct Leashed: ~Copyable {
    /// The folder of its files, which is removed after it has ended.
    let folder: TemporaryFolder
    private let process: Child
    private let leash: Int32

    /// The reason why it does not run.
    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a program and waits for its first line, which begins with `ready`.
    init(_ program: String, _ arguments: (_ folder: String) -> [String]) throws {
        let folder = try TemporaryFolder()
        // A named pipe, held open by this process: when the process closes it, or ends, the program reads the end of
        // it.
        let pipe = "\(folder.path)/leash"
        guard mkfifo(pipe, 0o600) == 0 else { throw NotStarted(description: "no pipe: error \(errno)") }
        let leash = open(pipe, O_RDWR | O_CLOEXEC)
        let readingEnd = try Descriptor(reading: pipe)
        let answer = try Descriptor(writing: "\(folder.path)/answer")
        let process = try Child(
            program, arguments(folder.path), environment: ProcessInfo.processInfo.environment, in: nil,
            descriptors: [readingEnd.number, answer.number, answer.number])
        do {
            try Patience.block(for: "the first line of \(program)") {
                let hasEnded = process.wait(milliseconds: 0) != nil
                let text = try folder.read("answer")
                if text.hasPrefix("ready"), text.hasSuffix("\n") { return true }
                if hasEnded { throw NotStarted(description: text) }
                return false
            }
        } catch {
            close(leash)
            throw error
        }
        self.folder = folder
        self.process = process
        self.leash = leash
    }

    deinit {
        close(leash)
        // The folder is removed after the program has ended, and not before.
        _ = process.wait(milliseconds: 60_000)
    }

    /// Its first line, without the line's end.
    borrowing func greeting() throws -> String {
        try folder.read("answer").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
