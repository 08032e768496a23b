internal import Foundation
internal import SecretStoreTestSupport
internal import TestSupport
internal import Testing

/// Runs the program `CrashWriter vault` under `strace`, which kills it at a system call or makes that call fail.
struct Strace {
    static let path = "/usr/bin/strace"

    /// Whether the machine has strace. In CI, tests do not skip but fail without it.
    static let isUsable = FileManager.default.isExecutableFile(atPath: path)
    static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"
    static let reason: Comment = "strace is not installed: crashes cannot be provoked here"

    /// The writer's reports, and its system calls on the vault.
    struct Run {
        let said: [String]
        let calls: [String]

        /// The last write that was acknowledged, 0 if none was.
        var acknowledged: Int {
            said.compactMap { $0.hasPrefix("acknowledged ") ? Int($0.dropFirst(13)) : nil }.last ?? 0
        }
        var wasTampered: Bool { calls.contains { $0.contains("(INJECTED)") || $0.contains("killed by SIGKILL") } }
    }

    private static let writer = "\(FuekiCommand.binaries)/CrashWriter"

    /// The calls by which a write reaches the disk.
    static let calls = [
        "openat", "write", "fsync", "renameat", "close", "unlinkat", "flock", "ftruncate", "pwrite64",
        "newfstatat",
        "read",
    ]

    /// Lets the writer save `count` versions to `folder/vault`.
    ///
    /// - Parameter injecting: strace's instruction, such as `fsync:signal=KILL:when=3`. Only calls on the folder and
    ///   the files of the vault count.
    static func run(in folder: SharedFolder, count: Int, injecting: String? = nil) throws -> Run {
        try run(["vault", folder("vault"), "\(count)"], in: folder, injecting: injecting)
    }

    /// Runs the writer with these arguments; its vault is `folder/vault`.
    static func run(_ writing: [String], in folder: SharedFolder, injecting: String? = nil) throws -> Run {
        let logs = try SharedFolder()
        var arguments = ["-f", "-qq", "-y", "-o", logs("strace"), "-e", "trace=" + calls.joined(separator: ",")]
        for name in ["", "/vault", "/.vault.tmp", "/vault.lock"] { arguments += ["-P", folder.path + name] }
        arguments += ["-P", logs("said")]
        if let injecting { arguments += ["-e", "inject=" + injecting] }
        _ = try Program.run(path, arguments + [writer] + writing, output: logs("said"))
        func lines(_ name: String) throws -> [String] {
            try String(contentsOfFile: logs(name), encoding: .utf8).split(separator: "\n").map(String.init)
        }
        return Run(said: try lines("said"), calls: try lines("strace"))
    }

    /// Starts a writer that runs beside the test. It writes for longer than any test lasts.
    static func startWriter(_ vault: String) throws -> Companion {
        try Companion(writer, ["vault", vault, "100000000"])
    }

    /// Starts a writer that has stopped after opening the vault's lock file.
    static func startStoppedWriter(_ vault: String) async throws -> StoppedProgram {
        let lock = (vault as NSString).lastPathComponent + ".lock"
        return try await StoppedProgram(writer, ["vault", vault, "100000000"], behind: "openat", on: [lock])
    }
}
