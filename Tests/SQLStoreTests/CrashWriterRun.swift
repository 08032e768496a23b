internal import Foundation
internal import TestSupport
internal import Testing

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A run of the program `CrashWriter store`: until it is killed, or under `strace`, which makes its system calls fail.
struct CrashWriterRun {
    static let strace = "/usr/bin/strace"
    static let isTraceable =
        FileManager.default.isExecutableFile(atPath: strace) || ProcessInfo.processInfo.environment["CI"] == "true"
    static let absence: Comment = "strace is not installed: run `scripts/bootstrap peers`"

    /// A write of the program: its task, and its number.
    struct Write: Hashable {
        let task: UInt8
        let number: UInt32
    }

    /// The reported writes, in order.
    let said: [String]
    /// The system calls on the files of the store and on its output.
    let calls: [String]

    func writes(_ verdict: String) -> Set<Write> {
        Set(
            said.compactMap { line in
                let words = line.split(separator: " ")
                guard words.count >= 3, words[0] == verdict, let task = UInt8(words[1]), let number = UInt32(words[2])
                else { return nil }
                return Write(task: task, number: number)
            })
    }

    private static let program = "\(FuekiCommand.binaries)/CrashWriter"

    /// Whole lines: one without its end was not reported.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Kills it after it has reported this many lines.
    init(killedAfter lines: Int, path: String, tasks: Int, first: Int) async throws {
        let writer = try Companion(Self.program, ["store", path, "\(tasks)", "\(first)", "1000000"])
        try Patience.block(for: "\(lines) lines") {
            guard writer.status == nil else {
                throw Patience.Exhausted(description: "it has not written \(lines) lines: \(writer.errors)")
            }
            return writer.output.utf8.count(where: { $0 == 0x0a }) >= lines
        }
        writer.signal(SIGKILL)
        try await writer.end()
        said = Self.lines(writer.output)
        calls = []
    }

    /// Lets it write under strace.
    ///
    /// - Parameter fault: such as `fdatasync:error=EIO:when=3`: the result of the third such call of each of its
    ///   threads on a file of the store.
    init(path: String, tasks: Int, first: Int = 0, count: Int, fault: String? = nil) throws {
        let folder = try TemporaryFolder()
        let output = "\(folder.path)/said"
        var arguments = ["-f", "-qq", "-y", "-o", "\(folder.path)/calls"]
        arguments += ["-e", "trace=pwrite64,write,fdatasync,fsync,ftruncate"]
        for traced in [path, path + "-wal", output] { arguments += ["-P", traced] }
        if let fault { arguments += ["-e", "inject=" + fault] }
        arguments += [Self.program, "store", path, "\(tasks)", "\(first)", "\(count)"]
        said = Self.lines(try Program.run(Self.strace, arguments, output: output).output)
        calls = Self.lines(try folder.read("calls"))
    }

    var wasTampered: Bool { calls.contains { $0.contains("(INJECTED)") || $0.contains("killed by SIGKILL") } }
}
