internal import Foundation
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
    private static var writer: URL? {
        let tests = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        return tests.lazy.map { $0.deletingLastPathComponent().appendingPathComponent("VaultWriter") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-f", "-qq", "-y", "-o", logs("strace"), "-e", "trace=" + calls.joined(separator: ",")]
        for name in ["", "/vault", "/.vault.tmp", "/vault.lock"] { process.arguments? += ["-P", folder.path + name] }
        process.arguments? += ["-P", logs("said")]
        if let injecting { process.arguments? += ["-e", "inject=" + injecting] }
        process.arguments? += [writer.path, folder("vault"), "\(count)"]
        _ = FileManager.default.createFile(atPath: logs("said"), contents: nil)
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: logs("said")))
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        func lines(_ name: String) throws -> [String] {
            try String(contentsOfFile: logs(name), encoding: .utf8).split(separator: "\n").map(String.init)
        }
        return Run(said: try lines("said"), calls: try lines("strace"))
    }

    /// A writer without strace, whose output goes to a pipe.
    struct Writer {
        let process: Process
        let output: FileHandle

        func firstLine() throws -> String {
            var line: [UInt8] = []
            while let byte = try output.read(upToCount: 1)?.first, byte != 0x0a { line.append(byte) }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// - Parameter injecting: what strace is to do to it; without strace if nil.
    static func startWriter(_ vault: String, count: Int, injecting: String? = nil) throws -> Writer {
        let process = Process()
        let pipe = Pipe()
        let writer: URL = try #require(writer, "VaultWriter was not built")
        let strace = injecting.map { ["-f", "-qq", "-o", "/dev/null", "-e", "inject=" + $0, writer.path] } ?? []
        process.executableURL = injecting == nil ? writer : URL(fileURLWithPath: path)
        process.arguments = strace + [vault, "\(count)"]
        process.standardOutput = pipe
        try process.run()
        return Writer(process: process, output: pipe.fileHandleForReading)
    }
}
