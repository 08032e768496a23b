#if canImport(Glibc)
    internal import Foundation
    internal import Secrets
    internal import Synchronization
    internal import TestSupport
    internal import Testing

    @testable internal import SecureStorage
    @testable internal import TPM

    /// The TPM's counter in a program that is killed at one of its calls: from then on no call does anything.
    private final class KilledCounter: RollbackGuard {
        private let counter: TPMCounter
        private let calls: Mutex<(left: Int, happens: Bool)>

        /// - Parameters:
        ///   - call: the call at which the program ends, from 0 on.
        ///   - happens: whether the TPM still executes that call.
        init(_ counter: TPMCounter, atCall call: Int, happens: Bool) {
            self.counter = counter
            calls = Mutex((call, happens))
        }

        /// Whether the program has ended.
        var isKilled: Bool { calls.withLock { $0.left < 0 } }

        var anchor: StoreBackend? { .tpm }

        func firstGeneration(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
            try call { () throws(SecureStorageError) in try counter.firstGeneration(of: vault) }
        }
        func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
            try call { () throws(SecureStorageError) in try counter.lastSeen(of: vault) }
        }
        func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
            try call { () throws(SecureStorageError) in try counter.record(generation, of: vault) }
        }
        func forget(_ vault: VaultID) throws(SecureStorageError) {
            try call { () throws(SecureStorageError) in try counter.forget(vault) }
        }

        private func call<Value>(_ body: () throws(SecureStorageError) -> Value) throws(SecureStorageError) -> Value {
            let (left, happens) = calls.withLock { state in
                defer { state.left -= state.left < 0 ? 0 : 1 }
                return (state.left, state.happens)
            }
            if left > 0 { return try body() }
            if left == 0, happens { _ = try body() }
            throw .backend(.tpm, .unavailable(.noDevice))
        }
    }

    @Suite(
        "Counters that killed programs leave in a TPM",
        .enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    final class LeftCounterTests {
        private let rig: Rig
        private let folder: TemporaryFolder

        init() throws {
            rig = try Rig()
            folder = try TemporaryFolder()
        }

        private static func secret(_ text: String) -> SecretBytes {
            var bytes = [UInt8](text.utf8)
            return SecretBytes(moving: &bytes)
        }

        /// The store of a program, which may be killed.
        private func home(_ counter: any RollbackGuard) -> StoreHome {
            let (path, device) = (folder.path, rig.device)
            return StoreHome(path: path, name: "keys") { (record) throws(SecureStorageError) in
                guard let record, record.backend == .tpm else { return VaultPlace(stem: "\(path)/keys") }
                return VaultPlace(
                    stem: "\(path)/keys-\(record.namespace)", device: TPMSealer(with: device, boundTo: nil),
                    counter: counter)
            }
        }

        private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

        private var counter: TPMCounter { TPMCounter(in: rig.device) }

        /// The indexes in the memory of the TPM that this target made.
        private func indexes() throws -> Int {
            try rig.chip.tool("getcap", "handles-nv-index").split(separator: "\n").count { line in
                let digits = line.drop { $0 != "x" }.dropFirst()
                return UInt32(digits, radix: 16).map { (0x0180_0000..<0x01C0_0000).contains($0) } ?? false
            }
        }

        private func migrate(_ home: StoreHome) async throws(SecureStorageError) {
            let migration = try home.plan(from: .vault, to: .tpm, random: SystemRandom())
            let passphrases = StoreHome.Passphrases(
                source: Self.secret("old"), destination: Self.secret("1234"),
                recovery: Self.secret("a recovery passphrase"))
            _ = try await home.move(migration, passphrases: passphrases, random: SystemRandom(), progress: { _ in })
        }

        /// Deletes the store, and every file.
        private func clear() async throws {
            try await home(counter).place().destroy()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
            }
        }

        private func reseal(_ home: StoreHome) async throws(SecureStorageError) {
            try await home.reseal(
                recovery: Self.secret("a recovery passphrase"), pin: Self.secret("5678"), isNewChip: true,
                acceptingOlder: true, random: SystemRandom())
        }

        @Test(
            "a migration that was killed at any call of the counter leaves none behind once it is run again",
            arguments: [false, true])
        func migration(happens: Bool) async throws {
            var (call, left) = (0, 0)
            while true {
                let dying = KilledCounter(counter, atCall: call, happens: happens)
                do throws(SecureStorageError) { try await migrate(home(dying)) } catch {}
                guard dying.isKilled else { break }
                left = max(left, try home(counter).leftCounters())
                // The next program goes on.
                try await migrate(home(counter))
                #expect(try indexes() == 1 && home(counter).leftCounters() == 0, "call \(call)")
                try await clear()
                #expect(try indexes() == 0, "call \(call)")
                call += 1
            }
            #expect(call > 2 && left > 0)
            // The last program was not killed.
            #expect(try indexes() == 1 && home(counter).leftCounters() == 0)
            #expect(try !names().contains("counters"))
        }

        @Test(
            "a store that was killed while it got a new counter has one counter once it is sealed again, and opens",
            arguments: [false, true])
        func newChip(happens: Bool) async throws {
            try await migrate(home(counter))
            var (call, left) = (0, 0)
            while true {
                let dying = KilledCounter(counter, atCall: call, happens: happens)
                do throws(SecureStorageError) { try await reseal(home(dying)) } catch {}
                guard dying.isKilled else { break }
                left = max(left, try home(counter).leftCounters())
                try await reseal(home(counter))
                #expect(try indexes() == 1 && home(counter).leftCounters() == 0, "call \(call)")
                let store = try await home(counter).place().open(
                    passphrase: Self.secret("5678"), random: SystemRandom())
                await store.close()
                call += 1
            }
            #expect(call > 2 && left > 0)
        }

        @Test("neither a counter that a vault file names nor one of another folder or program is removed")
        func others() async throws {
            try await migrate(home(counter))
            let path = try #require(try names().first { $0.hasSuffix(".vault") })
            let live = try VaultFile.id(ofFileAt: "\(folder.path)/\(path)")
            let (gone, foreign) = (VaultID(from: SystemRandom()), VaultID(from: SystemRandom()))
            for vault in [gone, foreign] { _ = try counter.define(for: vault) }
            try rig.chip.tool("nvdefine", "0x1800001", "-s", "8", "-a", "authread|authwrite|nt=counter")
            let journal = CounterJournal(in: folder.path)
            for vault in [live, gone] { try journal.note(vault) }
            #expect(try home(counter).leftCounters() == 1)

            // While a vault file cannot be read, nothing is removed: it may be the one that needs the counter.
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(folder.path)/other.vault"))
            #expect(throws: SecureStorageError.self) { try home(counter).leftCounters() }
            let noted = NotedCounter(counter: counter, journal: journal)
            try noted.removeUnnamed()
            #expect(throws: Never.self) { try counter.lastSeen(of: gone) }
            try FileManager.default.removeItem(atPath: "\(folder.path)/other.vault")

            try noted.removeUnnamed()
            #expect(refusal { () throws(SecureStorageError) in try counter.lastSeen(of: gone) } != nil)
            for vault in [live, foreign] { #expect(throws: Never.self) { try counter.lastSeen(of: vault) } }
            #expect(try indexes() == 3)
            #expect(try journal.noted().isEmpty)
        }
    }
#endif
