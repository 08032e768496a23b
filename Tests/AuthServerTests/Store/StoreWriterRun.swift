internal import Foundation
internal import TestSupport
internal import Testing

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Runs the `StoreWriter` program: until it is killed, or under `strace`, which makes its system calls fail.
struct StoreWriterRun {
    static let strace = "/usr/bin/strace"
    static let isTraceable =
        FileManager.default.isExecutableFile(atPath: strace) || ProcessInfo.processInfo.environment["CI"] == "true"
    static let absence: Comment = "strace is not installed: run `scripts/bootstrap peers`"

    /// A write of it: of which task, and its number.
    struct Write: Hashable {
        let task: UInt8
        let number: UInt32
    }

    /// What it said, in order.
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

    /// Beside the test program, where SwiftPM puts all programs of a build.
    private static func program() throws -> URL {
        let tests = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        return try #require(
            tests.lazy.map { $0.deletingLastPathComponent().appendingPathComponent("StoreWriter") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }, "StoreWriter was not built")
    }

    /// Kills it after it has said so many lines.
    init(killedAfter lines: Int, path: String, tasks: Int, first: Int) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = try Self.program()
        process.arguments = [path, "\(tasks)", "\(first)", "1000000"]
        process.standardOutput = pipe
        try process.run()
        var output = Data()
        var missing = lines
        while missing > 0 {
            let chunk = pipe.fileHandleForReading.availableData
            if chunk.isEmpty { break }
            missing -= chunk.count { $0 == 0x0a }
            output += chunk
        }
        kill(process.processIdentifier, SIGKILL)
        // What it had said by then is still in the pipe.
        output += pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A line without its end was not said.
        said = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
            .map(String.init)
        calls = []
    }

    /// Lets it write under strace.
    ///
    /// - Parameter fault: such as `fdatasync:error=EIO:when=3`: what the third such call of each of its threads on a file of the
    ///   store meets.
    init(path: String, tasks: Int, first: Int = 0, count: Int, fault: String? = nil) throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.strace)
        let calls = "pwrite64,write,fdatasync,fsync,ftruncate"
        process.arguments = ["-f", "-qq", "-y", "-o", "\(folder.path)/calls", "-e", "trace=" + calls]
        for companion in ["", "-wal"] { process.arguments? += ["-P", path + companion] }
        process.arguments? += ["-P", "\(folder.path)/said"]
        if let fault { process.arguments? += ["-e", "inject=" + fault] }
        process.arguments? += [try Self.program().path, path, "\(tasks)", "\(first)", "\(count)"]
        try folder.write("", to: "said")
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder.path)/said"))
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        said = try folder.read("said").split(separator: "\n").map(String.init)
        self.calls = try folder.read("calls").split(separator: "\n").map(String.init)
    }

    var wasTampered: Bool { calls.contains { $0.contains("(INJECTED)") || $0.contains("killed by SIGKILL") } }
}
