internal import Foundation
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import AuditLog

/// The state of a log after a real program was killed, or one of its system calls failed, at each call.
@Suite("System calls of a log", .enabled(if: Strace.isUsable || Strace.isRequired, "\(Strace.absence)"), .serialized)
struct StraceTests {
    private static let events = 4
    private static let calls = [
        "openat", "write", "pwrite64", "pread64", "read", "fsync", "fdatasync", "ftruncate", "unlinkat", "renameat",
        "mkdirat", "flock", "close", "newfstatat",
    ]

    struct Run {
        let said: [String]
        let calls: [String]

        var acknowledged: Int {
            said.compactMap { $0.hasPrefix("acknowledged ") ? Int($0.dropFirst(13)) : nil }.last ?? 0
        }
        var wasTampered: Bool { calls.contains { $0.contains("(INJECTED)") || $0.contains("killed by SIGKILL") } }
    }

    /// Lets the writer make a log in `folder`, or continue it.
    private func run(_ folder: String, injecting: String? = nil) throws -> Run {
        let logs = try TemporaryFolder()
        let (trace, said) = (logs.path + "/strace", logs.path + "/said")
        let names = ["entries-000000000000000", "description", "reserve", "hashes-0", "log.lock"]
        let files =
            names.map { "/log/\($0)" } + ["", "/log", "/keys", "/keys/secret", "/keys/.secret.tmp", "/kept"]
        var arguments = ["-f", "-qq", "-y", "-o", trace, "-e", "trace=" + Self.calls.joined(separator: ",")]
        for file in files { arguments += ["-P", folder + file] }
        arguments += ["-P", said]
        if let injecting { arguments += ["-e", "inject=" + injecting] }
        _ = try Program.run(
            "/usr/bin/strace", arguments + ["\(FuekiCommand.binaries)/CrashWriter", "log", folder, "\(Self.events)"],
            output: said)
        func lines(_ path: String) throws -> [String] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        return Run(said: try lines(said), calls: try lines(trace))
    }

    /// Checks that the log opens and goes on, and that it has every acknowledged event.
    private func check(_ folder: String, after run: Run, _ injected: String) throws {
        let again = try self.run(folder)
        #expect(again.said.last == "closed", "\(injected): \(again.said)")
        let reader = try ReaderKey(LogFixture.secret(2))
        let identity = try LogIdentity(origin: "crash.example/log", reader: reader.publicKey)
        let kept = try CheckpointFolder(at: folder + "/kept", apartFrom: nil).last(of: identity.origin)
        let last = try Checkpoint(parsing: try #require(kept).text)
        let (report, records) = try LogFixture.verify(
            try LogReader(at: folder + "/log"), identity, [last], reader)
        #expect(report.findings == [], "\(injected)")
        #expect(report.size == last.size, "\(injected)")
        let wallets = records.compactMap { record -> Int? in
            guard case .wallet(let event) = record.event else { return nil }
            return Int(String(decoding: event.wallet.bytes, as: UTF8.self))
        }
        let second = Array(1...Self.events)
        #expect(Array(wallets.suffix(Self.events)) == second, "\(injected)")
        let first = wallets.dropLast(Self.events)
        #expect(first.count >= run.acknowledged, "\(injected): acknowledged, and lost")
        #expect(Array(first) == Array(second.prefix(first.count)), "\(injected): \(wallets)")
    }

    private func inject(_ fault: String, at call: String) throws {
        let calm = try calm()
        #expect(calm.said.last == "closed", "\(calm.said)")
        for number in CrashPoints(trace: calm.calls).numbers(of: call) {
            let injected = "\(call):\(fault):when=\(number)"
            let folder = try TemporaryFolder()
            let run = try run(folder.path, injecting: injected)
            #expect(run.wasTampered, "\(injected): the writer made fewer calls")
            try check(folder.path, after: run, injected)
        }
    }

    /// Runs the writer undisturbed in a folder of its own.
    private func calm() throws -> Run {
        let folder = try TemporaryFolder()
        return try run(folder.path)
    }

    @Test("every event is written and flushed, in that order, before it is acknowledged")
    func order() throws {
        let run = try calm()
        #expect(Set(run.calls.map { $0.prefix { $0 != " " } }).count == 1, "strace counts calls by thread")
        let steps = run.calls.compactMap { call -> String? in
            if call.contains("pwrite64("), call.contains("/entries-") { return "write" }
            if call.contains("fdatasync("), call.contains("/entries-") { return "flush" }
            if call.contains("fdatasync("), call.contains("/hashes-") { return "needless" }
            if call.contains("write("), call.contains("acknowledged") { return "acknowledge" }
            return nil
        }
        var isFlushed = true
        for step in steps {
            switch step {
            case "write":
                #expect(isFlushed)
                isFlushed = false
            case "flush": isFlushed = true
            case "acknowledge": #expect(isFlushed)
            default: Issue.record("a flush that no event needs")
            }
        }
        #expect(steps.count { $0 == "acknowledge" } == Self.events)
    }

    @Test("a writer killed at any system call loses nothing that was acknowledged", arguments: calls)
    func killed(_ call: String) throws { try inject("signal=KILL", at: call) }

    @Test(
        "a system call that fails loses nothing that was acknowledged",
        arguments: ["openat", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlinkat", "renameat", "pread64"],
        ["EIO", "ENOSPC"])
    func failed(_ call: String, _ error: String) throws { try inject("error=" + error, at: call) }
}
