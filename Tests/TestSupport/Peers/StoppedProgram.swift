internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program that strace has stopped (`SIGSTOP`) at a system call, so that a test can act at that moment. It ends with
/// this value.
public final class StoppedProgram {
    /// The traced program's output; its status is the program's.
    public let strace: Companion
    /// The program's process id.
    public let process: Int32
    private let folder: TemporaryFolder

    /// Starts a program (an absolute path), and waits until it has stopped after a call.
    ///
    /// - Parameters:
    ///   - environment: added to this process's own environment.
    ///   - number: the number of the call among its kind, from 1.
    ///   - files: only calls on these count. strace compares them with the arguments of the call, and with the paths of
    ///     open files.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], behind call: String,
        number: Int = 1, on files: [String]
    ) async throws {
        folder = try TemporaryFolder()
        let log = "\(folder.path)/calls"
        // On one processor, so that all steps happen in one thread: strace counts by thread.
        let options = ["-c", "0", Strace.path, "-f", "-qq", "-o", log, "-e", "trace=\(call)"]
        let strace = try Companion(
            Strace.taskset,
            options + files.flatMap { ["-P", $0] } + ["-e", "inject=\(call):signal=STOP:when=\(number)", program]
                + arguments, environment: environment)
        var thread: String?
        try await Patience.wait(for: "\(program) that has stopped") {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            thread = text.split(separator: "\n").first { $0.contains("stopped by SIGSTOP") }
                .map { String($0.prefix { $0 != " " }) }
            return thread != nil || strace.status != nil
        }
        let status = try String(contentsOfFile: "/proc/\(thread ?? "none")/status", encoding: .utf8)
        let group = status.split(separator: "\n").first { $0.hasPrefix("Tgid:") }?.split(separator: "\t").last
        guard let process = group.flatMap({ Int32($0) }) else {
            throw Companion.Failure(description: "it has not stopped: \(strace.errors)")
        }
        self.strace = strace
        self.process = process
    }

    deinit { kill(process, SIGKILL) }

    /// Lets it continue. Signals that were sent meanwhile come first.
    public func goOn() { kill(process, SIGCONT) }
}
