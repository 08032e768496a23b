internal import Foundation
internal import TestSupport
internal import Testing

/// Runs the `VaultWriter` program under `strace`, which kills it at a system call or makes that call fail.
struct Strace {
    static let path = "/usr/bin/strace"

    /// Whether the machine has it. Where CI says it is one, tests do not skip but fail for the lack of it.
    static let isUsable = FileManager.default.isExecutableFile(atPath: path)
    static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"
    static let reason: Comment = "strace is not installed: crashes cannot be provoked here"

    /// What the writer said, and the system calls it made that concern the vault.
    struct Run {
        let said: [String]
        let calls: [String]

        /// The last write that was acknowledged, 0 if none was.
        var acknowledged: Int {
            said.compactMap { $0.hasPrefix("acknowledged ") ? Int($0.dropFirst(13)) : nil }.last ?? 0
        }
        var wasTampered: Bool { calls.contains { $0.contains("(INJECTED)") || $0.contains("killed by SIGKILL") } }
    }

    /// Beside the test program, where SwiftPM puts all programs of a build.
    private static var writer: String? {
        let tests = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        return tests.lazy.map { $0.deletingLastPathComponent().appendingPathComponent("VaultWriter").path }
            .first(where: FileManager.default.isExecutableFile(atPath:))
    }

    /// The calls by which a write reaches the disk.
    static let calls = [
        "openat", "write", "fsync", "renameat", "close", "unlinkat", "flock", "ftruncate", "pwrite64",
        "newfstatat",
        "read",
    ]

    /// Lets the writer save `count` versions to `folder/vault`.
    ///
    /// - Parameter injecting: what strace is to do, such as `fsync:signal=KILL:when=3`. Only calls on the folder and the
    ///   files of the vault count.
    static func run(in folder: TemporaryFolder, count: Int, injecting: String? = nil) throws -> Run {
        let writer = try #require(writer, "VaultWriter was not built")
        let logs = try TemporaryFolder()
        var arguments = ["-f", "-qq", "-y", "-o", logs("strace"), "-e", "trace=" + calls.joined(separator: ",")]
        for name in ["", "/vault", "/.vault.tmp", "/vault.lock"] { arguments += ["-P", folder.path + name] }
        arguments += ["-P", logs("said")]
        if let injecting { arguments += ["-e", "inject=" + injecting] }
        _ = try Program.run(path, arguments + [writer, folder("vault"), "\(count)"], output: logs("said"))
        func lines(_ name: String) throws -> [String] {
            try String(contentsOfFile: logs(name), encoding: .utf8).split(separator: "\n").map(String.init)
        }
        return Run(said: try lines("said"), calls: try lines("strace"))
    }

    /// Lets a writer go on beside the test.
    ///
    /// - Parameter injecting: what strace is to do to it; without strace if nil.
    static func startWriter(_ vault: String, count: Int, injecting: String? = nil) throws -> Companion {
        let writer = try #require(writer, "VaultWriter was not built")
        guard let injecting else { return try Companion(writer, [vault, "\(count)"]) }
        let options = ["-f", "-qq", "-o", "/dev/null", "-e", "inject=" + injecting]
        return try Companion(path, options + [writer, vault, "\(count)"])
    }
}
