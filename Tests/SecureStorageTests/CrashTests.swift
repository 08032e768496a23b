internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// The state of a vault after its writer is killed, or a system call fails, at each system call of a write.
@Suite("Crashes", .enabled(if: Strace.isUsable || Strace.isRequired, Strace.reason), .serialized)
struct CrashTests {
    private static let passphrase = "the writer's passphrase"
    private static let writes = 2

    let folder: SharedFolder

    init() throws { folder = try SharedFolder() }

    /// A vault with version 0, at the lowest cost that the real derivation accepts.
    private func makeVault() async throws {
        let vault = try VaultFile.create(
            at: folder("vault"), passphrase: secret(Self.passphrase), freshness: .unchecked, random: SystemRandom(),
            stretching: .argon2id(memoryKiB: 19 * 1024, passes: 2))
        try await vault.saveAll(
            ["counter", "twin-0"].map { UnsavedItem(secret("0"), as: try name($0), attributes: .critical(.other)) })
        await vault.close()
    }

    /// Checks that the vault opens, that no acknowledged write is lost, and that no left-over files stay.
    private func check(after run: Strace.Run, _ injected: String) async throws {
        let vault = try VaultFile.open(
            at: folder("vault"), passphrase: secret(Self.passphrase), freshness: .unchecked, random: SystemRandom())
        let stored = Int(text(try await vault.load(try name("counter"))) ?? "") ?? -1
        #expect(stored >= run.acknowledged, "\(injected): acknowledged, and lost")
        #expect(stored <= Self.writes, "\(injected): never written")
        // The second write changes two items and removes one: all of it took effect, or nothing.
        let twin = "twin-\(stored / 2 * 2)"
        #expect(try await vault.names(in: nil).map(\.account) == ["counter", twin], "\(injected): written in part")
        #expect(text(try await vault.load(try name(twin))) == "\(stored / 2 * 2)", "\(injected): written in part")
        #expect(folder.contents == ["vault", "vault.lock"], "\(injected): left behind")
        await vault.close()
        #expect(folder.contents == ["vault"], "\(injected): left behind")
    }

    @Test("every write is flushed, renamed and flushed again, in that order, before it is acknowledged")
    func order() async throws {
        try await makeVault()
        let run = try Strace.run(in: folder, count: Self.writes)
        #expect(run.said == ["opened", "acknowledged 1", "acknowledged 2", "closed"])
        func isStep(_ call: String) -> String? {
            if call.contains("fsync("), call.contains("/.vault.tmp>") { return "flush file" }
            if call.contains("renameat("), call.contains("\".vault.tmp\"") { return "rename" }
            if call.contains("fsync(") { return "flush folder" }
            if call.contains("write("), call.contains("/.vault.tmp>") { return "write" }
            if call.contains("O_EXCL") {
                #expect(call.contains("O_NOFOLLOW") && call.contains("O_CLOEXEC") && call.contains("0600"))
                return "make file"
            }
            if call.contains("write("), call.contains("acknowledged") { return "acknowledge" }
            return nil
        }
        #expect(Set(run.calls.map { $0.prefix { $0 != " " } }).count == 1, "strace counts calls by thread")
        let steps = run.calls.compactMap(isStep)
        let once = ["make file", "write", "flush file", "rename", "flush folder", "acknowledge"]
        #expect(steps == once + once)
    }

    @Test(
        "a writer killed at any system call loses nothing that was acknowledged",
        arguments: Strace.calls)
    func killed(_ call: String) async throws {
        try await inject("signal=KILL", at: call)
    }

    @Test(
        "a system call that fails loses nothing that was acknowledged",
        arguments: ["openat", "write", "fsync", "renameat", "close", "unlinkat", "newfstatat", "read"],
        ["EIO", "ENOSPC"])
    func failed(_ call: String, _ error: String) async throws {
        try await inject("error=" + error, at: call)
    }

    /// Interrupts one such call of the writer after another, each time with another vault.
    private func inject(_ fault: String, at call: String) async throws {
        try await makeVault()
        let calm = try Strace.run(in: folder, count: Self.writes)
        #expect(calm.said.last == "closed")
        try FileManager.default.removeItem(atPath: folder("vault"))
        let numbers = CrashPoints(trace: calm.calls).numbers(of: call)
        #expect(!numbers.isEmpty, "the writer never calls \(call)")
        for number in numbers {
            try await makeVault()
            let injected = "\(call):\(fault):when=\(number)"
            let run = try Strace.run(in: folder, count: Self.writes, injecting: injected)
            try await check(after: run, injected)
            try FileManager.default.removeItem(atPath: folder("vault"))
            #expect(run.wasTampered, "\(injected): the writer made fewer calls")
        }
    }

    private static let newPassphrase = "the writer's new passphrase"

    /// Checks that the vault is whole and opens with the old passphrase or with the new one, and with the new one once
    /// that was acknowledged.
    private func checkRekeyed(after run: Strace.Run, _ injected: String) async throws {
        var opened: [String] = []
        for passphrase in [Self.passphrase, Self.newPassphrase] {
            do throws(SecureStorageError) {
                let vault = try VaultFile.open(
                    at: folder("vault"), passphrase: secret(passphrase), freshness: .unchecked, random: SystemRandom())
                opened.append(passphrase)
                for item in ["counter", "twin-0"] {
                    #expect(text(try await vault.load(try name(item))) == "0", "\(injected): an item is lost")
                }
                #expect(try await vault.generation == (passphrase == Self.passphrase ? 2 : 3), "\(injected)")
                #expect(try await vault.slots == [1], "\(injected)")
                await vault.close()
            } catch {
                #expect(error == .wrongPassphrase, "\(injected)")
            }
        }
        #expect(opened.count == 1, "\(injected): \(opened)")
        if run.acknowledged == 1 { #expect(opened == [Self.newPassphrase], "\(injected): acknowledged, and lost") }
        #expect(folder.contents == ["vault"], "\(injected): left behind")
    }

    @Test(
        "a vault whose rekeying is killed, or fails, at any system call is whole, under the old or the new passphrase",
        arguments: ["signal=KILL", "error=EIO"])
    func rekeying(_ fault: String) async throws {
        let writing = ["rekey", folder("vault"), Self.passphrase, Self.newPassphrase]
        try await makeVault()
        let calm = try Strace.run(writing, in: folder)
        #expect(calm.said == ["opened", "acknowledged 1", "closed"])
        try await checkRekeyed(after: calm, "calm")
        try FileManager.default.removeItem(atPath: folder("vault"))
        for call in ["openat", "write", "fsync", "renameat", "unlinkat"] {
            for number in CrashPoints(trace: calm.calls).numbers(of: call) {
                try await makeVault()
                let injected = "\(call):\(fault):when=\(number)"
                let run = try Strace.run(writing, in: folder, injecting: injected)
                try await checkRekeyed(after: run, injected)
                try FileManager.default.removeItem(atPath: folder("vault"))
                #expect(run.wasTampered, "\(injected): the writer made fewer calls")
            }
        }
    }

    @Test("a full disk is reported as full, and the vault is unchanged")
    func diskFull() async throws {
        for call in ["write", "openat", "fsync", "renameat"] {
            try await makeVault()
            // The call that the first write makes on the temporary file; opening a vault writes nothing to the disk.
            let dry = try Strace.run(in: folder, count: 1)
            let opened = dry.calls.firstIndex { $0.contains("opened") } ?? 0
            let before = dry.calls[..<opened].filter { $0.contains(" \(call)(") }.count
            let offset = call == "openat" ? 2 : 1
            // `opened` itself is a write that counts.
            let when = before + offset + (call == "write" ? 1 : 0)
            let run = try Strace.run(in: folder, count: 1, injecting: "\(call):error=ENOSPC:when=\(when)")
            #expect(run.said == ["opened", "refused \(SecureStorageError.diskFull)"], "\(call)")
            try await check(after: run, call)
            try FileManager.default.removeItem(atPath: folder("vault"))
        }
    }

    @Test("a writer in another process locks the vault, and its process id is reported")
    func lockedByAnotherProcess() async throws {
        try await makeVault()
        let path = folder("vault")
        let writer = try Strace.startWriter(path)
        #expect(try await writer.line(with: "opened") == "opened")
        #expect(throws: SecureStorageError.lockedByAnother(processID: writer.process)) {
            try VaultFile.open(
                at: path, passphrase: secret(Self.passphrase), freshness: .unchecked, random: SystemRandom())
        }
        _ = try VaultFile.openReadOnly(at: path, passphrase: secret(Self.passphrase), freshness: .unchecked)
        // A killed holder releases the lock.
        writer.signal(SIGKILL)
        try await writer.end()
        _ = try VaultFile.open(
            at: path, passphrase: secret(Self.passphrase), freshness: .unchecked, random: SystemRandom())
    }

    @Test("a lock on a lock file that its holder has just removed is not a lock")
    func removedLock() async throws {
        try await makeVault()
        let held = try VaultFile.open(
            at: folder("vault"), passphrase: secret(Self.passphrase), freshness: .unchecked, random: SystemRandom())
        // The writer has opened the lock file, and has not locked it yet. Meanwhile this process is done.
        let writer = try await Strace.startStoppedWriter(folder("vault"))
        #expect(writer.strace.output.isEmpty)
        await held.close()
        writer.goOn()
        #expect(try await writer.strace.line(with: "opened") == "opened")
        let error = #expect(throws: SecureStorageError.self) {
            try VaultFile.open(
                at: folder("vault"), passphrase: secret(Self.passphrase), freshness: .unchecked,
                random: SystemRandom())
        }
        #expect(error == .lockedByAnother(processID: writer.process))
        kill(writer.process, SIGKILL)
        try await writer.strace.end()
    }
}
