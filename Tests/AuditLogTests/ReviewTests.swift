internal import Encoding
internal import Foundation
internal import Secrets
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import AuditLog

/// A connection that calls a function of the test.
private struct CallingLink: WitnessLink {
    let key: NoteKey
    let body: @Sendable (WitnessRequest) async throws -> Result<[SignedNote.Signature], WitnessRefusal>

    func answer(to request: WitnessRequest) async throws -> Result<[SignedNote.Signature], WitnessRefusal> {
        try await body(request)
    }
}

/// A store of secrets that answers only when the test lets it.
private final class GatedSecrets: EpochSecretStore {
    private let inner = MemorySecrets()
    private let state = Mutex((isOpen: true, waiting: [CheckedContinuation<Void, Never>]()))

    var isAsked: Bool { state.withLock { !$0.waiting.isEmpty } }

    func shut() { state.withLock { $0.isOpen = false } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func load() async throws -> SecretBytes? {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return try inner.load()
    }

    func replace(with secret: borrowing SecretBytes) async throws { try inner.replace(with: secret) }
}

/// Stores on a disk that is full.
private struct FullDisk: EpochSecretStore, CheckpointStore {
    func load() -> SecretBytes? { nil }
    func replace(with secret: borrowing SecretBytes) throws { throw AuditLogError.diskFull }
    func last(of origin: String) -> SignedNote? { nil }
    func keep(_ note: SignedNote, of checkpoint: Checkpoint) throws { throw AuditLogError.diskFull }
}

private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
}

@Suite("Attacks of a review")
struct ReviewTests {
    private func setup(
        _ fixture: LogFixture, secrets: (any EpochSecretStore)? = nil, checkpoints: (any CheckpointStore)? = nil
    ) throws -> AuditLogSetup {
        let clock = fixture.clock
        return try AuditLogSetup(
            folder: fixture.path, reader: fixture.reader.publicKey, secrets: secrets ?? fixture.secrets,
            signer: fixture.signer, checkpoints: checkpoints ?? fixture.checkpoints,
            epochLength: .init(entries: 1 << 20, seconds: 1 << 20), random: SystemRandom(), now: { clock.now() })
    }

    @Test("a store whose disk is full is reported as a full disk, and not as a fault of the secret or the checkpoint")
    func fullDisk() async throws {
        let fixture = try LogFixture()
        let withoutSecret = try setup(fixture, secrets: FullDisk())
        let first = try await AuditLog.create(withoutSecret)
        await #expect(throws: AuditLogError.diskFull) { try await first.append(event(0)) }
        let other = try LogFixture()
        let log = try await AuditLog.create(try setup(other, checkpoints: FullDisk()))
        await #expect(throws: AuditLogError.diskFull) { try await log.checkpoint() }
    }

    private func witness(
        of key: NoteKey, store: any CheckpointStore
    ) throws -> (witness: Witness, signer: Ed25519Signer) {
        let signer = try Ed25519Signer(name: "witness.example", kind: .cosignature, seed: LogFixture.secret(50))
        return (try Witness(signer: signer, logs: [key], store: store, now: WitnessTests.now), signer)
    }

    private func note(_ text: String, by signer: Ed25519Signer) throws -> SignedNote {
        SignedNote(text: text, signatures: [.init(by: signer.key, try signer.sign([UInt8](text.utf8)))])
    }

    @Test("signatures of strangers on a checkpoint do not stop a witness from reading its store")
    func strangers() async throws {
        let fixture = try LogFixture()
        let folder = try TemporaryFolder()
        let (witness, _) = try witness(
            of: fixture.signer.key, store: CheckpointFolder(at: folder.path + "/kept", apartFrom: nil))
        let tree = MemoryTree(20)
        func checkpoint(_ size: UInt64) throws -> SignedNote {
            try note(
                Checkpoint(origin: LogFixture.origin, size: size, root: tree.root(size: size)).text, by: fixture.signer)
        }
        let strangers = try (0..<31).map { number in
            let key = try NoteKey(name: "s\(number)", kind: .signature, publicKey: [UInt8](repeating: 1, count: 32))
            return SignedNote.Signature(by: key, [UInt8](repeating: 2, count: 64))
        }
        let first = try WitnessRequest(
            decoding: WitnessRequest(old: 0, proof: [], checkpoint: checkpoint(8).adding(strangers)).encoded)
        guard case .success = await witness.answer(to: first) else { Issue.record("refused"); return }
        let second = WitnessRequest(
            old: 8, proof: try tree.consistencyProof(from: 8, to: 20), checkpoint: try checkpoint(20))
        guard case .success = await witness.answer(to: second) else { Issue.record("stopped"); return }
    }

    @Test("a witness that returns many cosignatures does not stop the log from opening")
    func manyCosignatures() async throws {
        let fixture = try LogFixture()
        let folder = try TemporaryFolder()
        let store = try CheckpointFolder(at: folder.path + "/kept", apartFrom: nil)
        let log = try await AuditLog.create(setup(fixture, checkpoints: store))
        try await log.append(event(0))
        let signer = try Ed25519Signer(name: "witness.example", kind: .cosignature, seed: LogFixture.secret(50))
        let link = CallingLink(key: signer.key) { request in
            .success(
                try (UInt64(1)...40).map { time in
                    let message = Cosignature.message(time: time, text: request.checkpoint.text)
                    return .init(by: signer.key, time.bigEndianBytes + (try signer.sign(message)))
                })
        }
        _ = try? await log.checkpoint(witnessedBy: link)
        _ = try? await log.close()
        let again = try await AuditLog.open(setup(fixture, checkpoints: store))
        try await again.close()
    }

    @Test("a slow witness does not make an older checkpoint the last one")
    func slowWitness() async throws {
        let fixture = try LogFixture()
        let folder = try TemporaryFolder()
        let store = try CheckpointFolder(at: folder.path + "/kept", apartFrom: nil)
        let log = try await AuditLog.create(setup(fixture, checkpoints: store))
        try await log.append(event(0))
        let (witness, signer) = try witness(of: fixture.signer.key, store: MemoryCheckpoints())
        let link = CallingLink(key: signer.key) { request in
            try await log.append(event(1))
            _ = try await log.checkpoint()
            return await witness.answer(to: request).map { [$0] }
        }
        let old = try await log.checkpoint(witnessedBy: link)
        let oldSize = try Checkpoint(parsing: old.text).size
        let last = try #require(try store.last(of: LogFixture.origin))
        #expect(try Checkpoint(parsing: last.text).size > oldSize)
        try await log.close()
    }

    @Test("a signature after opening survives a power loss", arguments: [false, true])
    func flushedOnOpening(flushFailed: Bool) async throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let fixture = try LogFixture()
            let files = ModelFiles()
            let log = try await AuditLog.create(try fixture.setup, in: files, lock: nil)
            try await log.append(event(0))
            let before = files.calls.count
            try await log.append(event(1))
            let flush = try #require(files.calls[before...].firstIndex { $0.hasPrefix("flush entries") })
            // The next commit makes the same calls.
            let at = files.calls.count + (flush - before) + 1
            files.inject(flushFailed ? .fail(.inputOutput) : .kill, at: at)
            await #expect(throws: AuditLogError.self) { try await log.append(event(2)) }
            let reopened = flushFailed ? files.afterFailedFlush() : files.afterKill()
            let next = try await AuditLog.open(try fixture.setup, in: reopened, lock: nil, missingSecret: .refused)
            _ = try await next.checkpoint()
            let rest = reopened.afterPowerLoss(SeededRandom(seed: seed))
            _ = try await AuditLog.open(try fixture.setup, in: rest, lock: nil, missingSecret: .refused)
        }
    }

    @Test("a log with too many waiting events can be closed, and then takes no more")
    func closingWhenOverloaded() async throws {
        let fixture = try LogFixture()
        let secrets = GatedSecrets()
        let log = try await AuditLog.create(setup(fixture, secrets: secrets))
        secrets.shut()
        let leader = Task { try await log.append(event(0)) }
        // From here on, the one who commits waits for the store.
        while !secrets.isAsked { await Task.yield() }
        let events = try (0..<AuditLimits.commitEntries).map { try event($0) }
        let groups = (0..<12).map { _ in Task { try await log.append(contentsOf: events) } }
        let refused = Counter()
        let single = try event(7)
        let singles = (0..<17_000).map { _ in
            Task {
                do { try await log.append(single) } catch AuditLogError.overloaded { refused.add() }
            }
        }
        // The store does not answer, so what waits stays.
        while refused.value == 0 { await Task.yield() }
        let ended = Counter()
        let closing = Task {
            defer { ended.add() }
            try await log.close()
        }
        // Until the close has begun, or has given up, there are too many events.
        var isClosed = false
        while !isClosed, ended.value == 0 {
            do { try await log.append(single) } catch AuditLogError.closed { isClosed = true } catch {}
        }
        secrets.open()
        _ = try? await closing.value
        _ = try? await leader.value
        for group in groups { _ = try? await group.value }
        for single in singles { _ = try? await single.value }
        await #expect(throws: AuditLogError.closed) { try await log.append(event(1)) }
        await #expect(throws: AuditLogError.closed) { try await log.checkpoint() }
    }

    @Test("an origin in another form of Unicode is another origin")
    func unicode() async throws {
        let (composed, decomposed) = ("caf\u{E9}.example", "cafe\u{301}.example")
        let signer = try Ed25519Signer(name: composed, seed: LogFixture.secret(7))
        let folder = try TemporaryFolder()
        let (witness, _) = try witness(
            of: signer.key, store: CheckpointFolder(at: folder.path + "/kept", apartFrom: nil))
        let (tree, other) = (MemoryTree(8), MemoryTree(leaves: MemoryTree(9).leaves.reversed()))
        let honest = try note(Checkpoint(origin: composed, size: 8, root: tree.root(size: 8)).text, by: signer)
        let forged = try note(Checkpoint(origin: decomposed, size: 8, root: other.root(size: 8)).text, by: signer)
        guard case .success = await witness.answer(to: WitnessRequest(old: 0, proof: [], checkpoint: honest)) else {
            Issue.record("refused")
            return
        }
        let answer = await witness.answer(to: WitnessRequest(old: 0, proof: [], checkpoint: forged))
        if case .success = answer { Issue.record("cosigned a second history") }
        #expect(Checkpoint(forged, signedBy: signer.key) == nil)
    }

    @Test("many readers at once each get the bytes of their own file")
    func readers() async throws {
        let folder = try TemporaryFolder()
        let files = try DiskFiles(at: folder.path, isWritable: true)
        for number in 0..<40 {
            try files.create("file-\(number)")
            try files.write([UInt8](repeating: UInt8(number), count: 64), to: "file-\(number)", at: 0)
        }
        let reader = try DiskFiles(at: folder.path, isWritable: false)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<4_000 {
                        let number = (round * 7 + task * 11) % 40
                        let bytes = try? reader.read("file-\(number)", from: 0, count: 64)
                        if bytes != [UInt8](repeating: UInt8(number), count: 64) { wrong += 1 }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("a log that has forked is refused before its end is changed")
    func forkedAndTorn() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(try fixture.setup, in: files, lock: nil)
        try await log.append(contentsOf: (0..<5).map { try event($0) })
        let size = await log.size
        let other = try Checkpoint(origin: LogFixture.origin, size: size - 1, root: .empty)
        fixture.checkpoints.notes = [try note(other.text, by: fixture.signer)]
        let name = Segment.name(start: 0)
        files.tamper(name) { $0 += [1, 0, 200, 9] }
        let torn = try files.all(of: name, limit: 1 << 20)
        await #expect(throws: AuditLogError.forked(size: size - 1)) {
            _ = try await AuditLog.open(try fixture.setup, in: files, lock: nil, missingSecret: .refused)
        }
        #expect(try files.all(of: name, limit: 1 << 20) == torn)
    }

    @Test("a sink gets what was committed while it was being added, and nothing from before")
    func addedDuringCommit() async throws {
        let sink = TestSink(.good)
        let feed = SinkFeed(
            sink, name: try AuditIdentifier([1]), isRequired: true, deadline: .seconds(5), clock: StoppedClock())
        func batch(_ range: Range<UInt64>) -> SinkBatch {
            SinkBatch(first: range.lowerBound, entries: range.map { [UInt8($0)] }, size: range.upperBound, root: .empty)
        }
        #expect(feed.offer(batch(0..<3)))
        #expect(feed.offer(batch(3..<5)))
        let waiting = Task { await feed.hasTaken(through: 5) }
        feed.run(from: 3) {}
        #expect(feed.offer(batch(1..<2)))
        #expect(feed.offer(batch(5..<6)))
        #expect(await waiting.value)
        #expect(await feed.hasTaken(through: 6))
        #expect(sink.entries.keys.sorted() == [3, 4, 5])
        feed.remove()
    }

    @Test("a secret that was restored from an older copy does not continue the log")
    func restoredSecret() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        let old = fixture.secrets.bytes
        try await log.close()
        let next = try await fixture.open()
        try await next.append(event(1))
        try await next.close()
        fixture.secrets.bytes = old
        await #expect(throws: AuditLogError.epochSecretMissing) { _ = try await fixture.open() }
        let replaced = try await AuditLog.open(try fixture.setup, missingSecret: .replaced)
        try await replaced.append(event(2))
        try await replaced.close()
        let isReported = try fixture.verify().0.findings.contains { if case .chainBroken = $0 { true } else { false } }
        #expect(isReported)
    }

    @Test("a sink that is behind by many entries in few batches is given up")
    func backlogOfEntries() async throws {
        let feed = SinkFeed(
            TestSink(.stuck), name: try AuditIdentifier([1]), isRequired: true, deadline: .seconds(5),
            clock: StoppedClock())
        let count = AuditLimits.commitEntries
        var taken = 0
        while taken <= AuditLimits.sinkBacklogEntries {
            let first = UInt64(taken)
            let batch = SinkBatch(
                first: first, entries: [[UInt8]](repeating: [1], count: count), size: first + UInt64(count),
                root: .empty)
            guard feed.offer(batch) else { break }
            taken += count
        }
        #expect(taken == AuditLimits.sinkBacklogEntries)
        feed.remove()
    }
}
