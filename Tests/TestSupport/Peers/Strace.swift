internal import Foundation

/// Runs the built command under `strace`, which kills it at a system call on certain files, or makes that call fail.
public struct Strace {
    static let path = "/usr/bin/strace"
    static let taskset = "/usr/bin/taskset"

    /// Whether the machine has strace. In CI, tests do not skip but fail without it.
    public static let isUsable = [path, taskset].allSatisfy(FileManager.default.isExecutableFile(atPath:))
    public static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"
    public static let absence = "strace is not installed: crashes cannot be provoked here"

    public struct Run {
        public let outcome: Program.Outcome
        /// The system calls on the files.
        public let calls: [String]

        public var wasTampered: Bool {
            calls.contains { $0.contains("(INJECTED)") || $0.contains("killed by SIGKILL") }
        }
        /// The number of threads that made these calls.
        public var threads: Int { Set(calls.compactMap { $0.split(separator: " ").first }).count }
        public func count(of call: String) -> Int { calls.count { $0.contains(" \(call)(") } }
    }

    /// Runs a program, and again, at most five times, while it made the calls in several threads and no fault was injected.
    ///
    /// Under load the system may give a program a second thread, and strace counts by thread.
    ///
    /// - Parameters:
    ///   - attempt: runs the program where no earlier run has left anything.
    ///   - run: the run in what `attempt` returns.
    public static func steady<Attempt>(
        _ attempt: () throws -> Attempt, run: (Attempt) -> Run
    ) rethrows -> Attempt {
        var last = try attempt()
        for _ in 0..<5 where !run(last).wasTampered && run(last).threads > 1 { last = try attempt() }
        return last
    }

    /// Runs a program as ``steady(_:run:)`` does.
    public static func steady(_ attempt: () throws -> Run) rethrows -> Run { try steady(attempt) { $0 } }

    /// The calls that change the disk, and those that open files.
    public static let calls = [
        "openat", "open", "write", "fsync", "renameat", "rename", "linkat", "link", "unlinkat", "mkdirat", "flock",
        "ftruncate", "pwrite64", "fdatasync", "close", "read", "newfstatat", "rmdir",
    ]

    /// Runs `fueki` with these arguments.
    ///
    /// - Parameters:
    ///   - files: only calls on these count, if there are any. Their temporary and lock files belong to them.
    ///   - injecting: strace's instruction, such as `fsync:signal=KILL:when=3`.
    ///   - program: another one of the built programs.
    public static func run(
        _ command: borrowing FuekiCommand, _ arguments: [String], on files: [String], injecting: String? = nil,
        program: String = "fueki"
    ) throws -> Run {
        let log = "\(command.folder.path)/strace"
        let paths = Set(
            files.flatMap { file -> [String] in
                let folder = (file as NSString).deletingLastPathComponent
                let name = (file as NSString).lastPathComponent
                return [file, folder, "\(folder)/.\(name).tmp", "\(folder)/\(name).lock"]
            })
        // On one processor, so that all steps happen in one thread: strace counts by thread.
        var traced = ["-c", "0", path, "-f", "-qq", "-y", "-o", log, "-e", "trace=" + calls.joined(separator: ",")]
        for path in paths.sorted() { traced += ["-P", path] }
        if let injecting { traced += ["-e", "inject=\(injecting)"] }
        traced.append("\(FuekiCommand.binaries)/\(program)")
        let outcome = try Program.run(
            taskset, traced + arguments,
            environment: ["FUEKI_HOME": "\(command.folder.path)/home"], in: command.folder.path)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        try FileManager.default.removeItem(atPath: log)
        return Run(outcome: outcome, calls: text.split(separator: "\n").map(String.init))
    }
}
