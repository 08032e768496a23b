internal import Encoding
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuditLog

/// A connection to a witness in this process, which sends bytes as a network would.
final class DirectLink: WitnessLink {
    let key: NoteKey
    private let witness: Witness
    private let state = Mutex(
        (requests: [WitnessRequest](), answers: [Result<[SignedNote.Signature], WitnessRefusal>]()))

    /// - Parameter answers: those given instead of the witness's, in order.
    init(_ witness: Witness, key: NoteKey, answers: [Result<[SignedNote.Signature], WitnessRefusal>] = []) {
        (self.witness, self.key) = (witness, key)
        state.withLock { $0.answers = answers }
    }

    var requests: [WitnessRequest] { state.withLock { $0.requests } }

    func answer(to request: WitnessRequest) async throws -> Result<[SignedNote.Signature], WitnessRefusal> {
        let read = try WitnessRequest(decoding: request.encoded)
        let prepared = state.withLock { state -> Result<[SignedNote.Signature], WitnessRefusal>? in
            state.requests.append(read)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if let prepared { return prepared }
        return await witness.answer(to: read).map { [$0] }
    }
}

/// A store that takes its time, and fails to keep anything if the test wants it.
final class SlowCheckpoints: CheckpointStore {
    private let kept = MemoryCheckpoints()
    private let fails: Bool

    init(failing fails: Bool) { self.fails = fails }

    var notes: [SignedNote] { kept.notes }

    func last(of origin: String) async throws -> SignedNote? {
        let last = try kept.last(of: origin)
        for _ in 0..<20 { await Task.yield() }
        return last
    }

    func keep(_ note: SignedNote, of checkpoint: Checkpoint) async throws {
        if fails { throw MemorySecrets.Failure() }
        for _ in 0..<20 { await Task.yield() }
        try kept.keep(note, of: checkpoint)
    }
}

@Suite("Witnesses")
struct WitnessTests {
    static let now: @Sendable () -> Timestamp = { Timestamp(seconds: 1_700_000_000) }

    private func witness(
        _ fixture: LogFixture, seed: UInt8 = 50, store: any CheckpointStore = MemoryCheckpoints()
    ) throws -> (Witness, NoteKey) {
        let signer = try Ed25519Signer(
            name: "witness.example/\(seed)", kind: .cosignature, seed: LogFixture.secret(seed))
        return (try Witness(signer: signer, logs: [fixture.signer.key], store: store, now: Self.now), signer.key)
    }

    @Test("a witness cosigns a log that grows, and the log records it")
    func growing() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        let (witness, key) = try witness(fixture)
        for round in 0..<5 {
            try await log.append(contentsOf: (0...round * 40).map { try event($0) })
            let link = DirectLink(witness, key: key)
            let note = try await log.checkpoint(witnessedBy: link)
            #expect(note.cosignatureTimes(by: key) == [1_700_000_000])
            #expect(Checkpoint(note, signedBy: fixture.signer.key) != nil)
            #expect(link.requests.count == (round == 0 ? 1 : 2))
        }
        let size = await log.size
        try await log.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [])
        #expect(size > 5)
        #expect(logEvents(records).filter { if case .witnessed = $0 { true } else { false } }.count == 5)
    }

    private func note(_ tree: MemoryTree, _ size: UInt64, _ fixture: LogFixture, root: TreeHash? = nil) throws
        -> SignedNote
    {
        let checkpoint = try Checkpoint(origin: LogFixture.origin, size: size, root: root ?? tree.root(size: size))
        return SignedNote(
            text: checkpoint.text,
            signatures: [.init(by: fixture.signer.key, try fixture.signer.sign([UInt8](checkpoint.text.utf8)))])
    }

    @Test(
        "a witness refuses smaller, inconsistent, unproven and unsigned trees, each with its reason, and keeps its state"
    )
    func refusals() async throws {
        let fixture = try LogFixture()
        let store = MemoryCheckpoints()
        let (witness, _) = try witness(fixture, store: store)
        let tree = MemoryTree(20)
        func ask(_ old: UInt64, _ proof: [TreeHash], _ note: SignedNote) async -> WitnessRefusal? {
            switch await witness.answer(to: WitnessRequest(old: old, proof: proof, checkpoint: note)) {
            case .success: nil
            case .failure(let refusal): refusal
            }
        }
        let at8 = try note(tree, 8, fixture)
        #expect(await ask(0, [.empty], at8) == .inconsistent)
        #expect(await ask(5, [], at8) == .otherSize(0))
        #expect(await ask(9, [], at8) == .malformed)
        #expect(await ask(0, [], SignedNote(text: "x\n", signatures: at8.signatures)) == .malformed)
        #expect(await ask(0, [], SignedNote(text: at8.text, signatures: [])) == .notSigned)
        let stranger = try Checkpoint(origin: "stranger", size: 1, root: .leaf([1]))
        #expect(await ask(0, [], SignedNote(text: stranger.text, signatures: at8.signatures)) == .unknownLog)
        #expect(await ask(0, [], try note(tree, 9, fixture).adding([])) == nil)
        // From now on the witness has seen 9 leaves.
        #expect(await ask(0, [], at8) == .otherSize(9))
        #expect(await ask(8, [], at8) == .otherSize(9))
        let proof = try tree.consistencyProof(from: 9, to: 15)
        let at15 = try note(tree, 15, fixture)
        #expect(await ask(9, [], at15) == .inconsistent)
        #expect(await ask(9, proof + [.empty], at15) == .inconsistent)
        #expect(await ask(9, proof, try note(tree, 15, fixture, root: .leaf([7]))) == .inconsistent)
        // Another root of the same size is a conflict: C2SP tlog-witness.
        #expect(await ask(9, [], try note(tree, 9, fixture, root: .leaf([7]))) == .otherRoot(size: 9))
        #expect(await ask(9, [.empty], try note(tree, 9, fixture, root: .leaf([7]))) == .otherRoot(size: 9))
        #expect(await ask(9, [.empty], try note(tree, 9, fixture)) == .inconsistent)
        #expect(store.notes.count == 1)
        // The same tree again is cosigned again; a larger one with its proof, too.
        #expect(await ask(9, [], try note(tree, 9, fixture)) == nil)
        #expect(await ask(9, proof, at15) == nil)
        // Every root that was cosigned is kept.
        #expect(Set(store.notes.map(\.text)).count == 2)
        // An empty log has the root of no leaves.
        let empty = try LogFixture()
        let (other, _) = try self.witness(empty)
        let emptyNote = try note(tree, 0, empty)
        let answer = await other.answer(to: WitnessRequest(old: 0, proof: [], checkpoint: emptyNote))
        #expect(throws: Never.self) { try answer.get() }
    }

    @Test("a witness cosigns nothing that it could not store, or whose last state it could not read")
    func notStored() async throws {
        let fixture = try LogFixture()
        let store = MemoryCheckpoints()
        let (witness, _) = try witness(fixture, store: store)
        let tree = MemoryTree(3)
        store.fails = true
        let request = WitnessRequest(old: 0, proof: [], checkpoint: try note(tree, 3, fixture))
        #expect(await witness.answer(to: request) == .failure(.notStored))
        store.fails = false
        _ = try await witness.answer(to: request).get()
        #expect(store.notes.count == 1)
        let (other, _) = try self.witness(fixture, store: SlowCheckpoints(failing: true))
        #expect(await other.answer(to: request) == .failure(.notStored))
    }

    @Test("requests at the same time are answered one after another, so that no later one sets the witness back")
    func race() async throws {
        let fixture = try LogFixture()
        let store = SlowCheckpoints(failing: false)
        let (witness, _) = try witness(fixture, store: store)
        let tree = MemoryTree(200)
        let requests = try (1...100).map { size in
            WitnessRequest(old: 0, proof: [], checkpoint: try note(tree, UInt64(size), fixture))
        }
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for request in requests {
                group.addTask { if case .success = await witness.answer(to: request) { true } else { false } }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 1)
        #expect(store.notes.count == 1)
    }

    /// A store that waits for the test at one log.
    private final class StalledCheckpoints: CheckpointStore {
        private let kept = MemoryCheckpoints()
        private let origin: String
        private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

        init(at origin: String) { self.origin = origin }

        var arrived: Int { state.withLock { $0.waiting.count } }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        func last(of origin: String) async throws -> SignedNote? {
            if origin == self.origin {
                await withCheckedContinuation { continuation in
                    let isOpen = state.withLock { state in
                        if !state.isOpen { state.waiting.append(continuation) }
                        return state.isOpen
                    }
                    if isOpen { continuation.resume() }
                }
            }
            return try kept.last(of: origin)
        }

        func keep(_ note: SignedNote, of checkpoint: Checkpoint) async throws { try kept.keep(note, of: checkpoint) }
    }

    @Test("a store that stalls for one log does not stop the other logs, and a log that is added again keeps its turn")
    func stalledLog() async throws {
        let fixture = try LogFixture()
        let other = try Ed25519Signer(name: "other.example/log", seed: LogFixture.secret(8))
        let store = StalledCheckpoints(at: LogFixture.origin)
        let signer = try Ed25519Signer(name: "witness.example", kind: .cosignature, seed: LogFixture.secret(50))
        let witness = try Witness(signer: signer, logs: [fixture.signer.key, other.key], store: store, now: Self.now)
        let tree = MemoryTree(9)
        let request = WitnessRequest(old: 0, proof: [], checkpoint: try note(tree, 3, fixture))
        let second = WitnessRequest(old: 0, proof: [], checkpoint: try note(tree, 5, fixture))
        let checkpoint = try Checkpoint(origin: other.key.name, size: 2, root: tree.root(size: 2))
        let free = WitnessRequest(
            old: 0, proof: [],
            checkpoint: SignedNote(
                text: checkpoint.text, signatures: [.init(by: other.key, try other.sign([UInt8](checkpoint.text.utf8)))]
            ))
        async let stalled = witness.answer(to: request)
        try await Patience.wait(for: "the stalled request") { store.arrived == 1 }
        _ = try await witness.answer(to: free).get()
        // The operator removes the log and adds it again, while its request is under way.
        try witness.replaceLogs(with: [other.key])
        #expect(witness.key(of: LogFixture.origin) == nil)
        try witness.replaceLogs(with: [fixture.signer.key, other.key])
        async let next = witness.answer(to: second)
        #expect(await witness.answer(to: free) == .failure(.otherSize(2)))
        #expect(store.arrived == 1)
        store.open()
        _ = try await stalled.get()
        #expect(await next == .failure(.otherSize(3)))
    }

    @Test("a size hint that is ahead of the witness leads to a proof from the witness's size")
    func hintAhead() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(contentsOf: (0..<30).map { try event($0) })
        let (witness, key) = try witness(fixture)
        _ = try await log.checkpoint(witnessedBy: DirectLink(witness, key: key))
        try await log.append(contentsOf: (0..<30).map { try event($0) })
        // The first answer claims a larger size than the witness has, as one does that was restored meanwhile.
        let link = DirectLink(witness, key: key, answers: [.failure(.otherSize(40))])
        let note = try await log.checkpoint(witnessedBy: link)
        #expect(note.cosignatureTimes(by: key)?.count == 1)
        #expect(link.requests.map(\.old) == [0, 40, 31])
        // A witness whose size is beyond the log's has seen a longer log: this one was set back.
        let ahead = DirectLink(witness, key: key, answers: [.failure(.otherSize(1_000))])
        await #expect(throws: AuditLogError.rolledBack(size: await log.size, expected: 1_000)) {
            try await log.checkpoint(witnessedBy: ahead)
        }
        // One that gives another size each time ends the attempt.
        let sizes: [Result<[SignedNote.Signature], WitnessRefusal>] = [1, 2, 3, 4].map { .failure(.otherSize($0)) }
        let fickle = DirectLink(witness, key: key, answers: sizes)
        await #expect(throws: AuditLogError.witnessRefused(.otherSize(3))) {
            try await log.checkpoint(witnessedBy: fickle)
        }
        #expect(fickle.requests.count == 3)
    }

    @Test("a log that was set back is found by its witness, although its own checkpoints were set back with it")
    func rollback() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        let (old, secret, notes) = (files.afterKill(), fixture.secrets.bytes, fixture.checkpoints.notes)
        let (witness, key) = try witness(fixture)
        try await log.append(event(1))
        _ = try await log.checkpoint(witnessedBy: DirectLink(witness, key: key))
        // The whole machine is set back.
        (fixture.secrets.bytes, fixture.checkpoints.notes) = (secret, notes)
        let again = try await AuditLog.open(fixture.setup, in: old, lock: nil, missingSecret: .refused)
        let error = await #expect(throws: AuditLogError.self) {
            try await again.checkpoint(witnessedBy: DirectLink(witness, key: key))
        }
        #expect(error == .rolledBack(size: 2, expected: 3))
        // It grows past the witness with other entries.
        for number in 5..<9 { try await again.append(event(number)) }
        await #expect(throws: AuditLogError.forked(size: 3)) {
            try await again.checkpoint(witnessedBy: DirectLink(witness, key: key))
        }
    }

    @Test("a log that shows one history to each of two witnesses cannot show one reader the cosignatures of both")
    func splitView() async throws {
        let fixture = try LogFixture()
        let (first, firstKey) = try witness(fixture, seed: 50)
        let (second, secondKey) = try witness(fixture, seed: 51)
        let (left, right) = (MemoryTree(10), MemoryTree(leaves: (0..<10).map { .leaf([UInt8($0)]) }))
        func cosign(_ witness: Witness, _ note: SignedNote) async throws -> SignedNote {
            note.adding([
                try await witness.answer(to: WitnessRequest(old: 0, proof: [], checkpoint: note)).get()
            ])
        }
        let one = try await cosign(first, try note(left, 10, fixture))
        let two = try await cosign(second, try note(right, 10, fixture))
        #expect(one.cosignatureTimes(by: firstKey)?.count == 1 && two.cosignatureTimes(by: secondKey)?.count == 1)
        // A cosignature of one history does not verify for the other.
        #expect(one.adding(two.signatures).cosignatureTimes(by: secondKey) == nil)
        #expect(two.adding(one.signatures).cosignatureTimes(by: firstKey) == nil)
        let proof = EntryProof(index: 3, path: try left.inclusionProof(of: 3, size: 10), checkpoint: one)
        let entry = [UInt8("3".utf8.count)] + Array("3".utf8)
        #expect(proof.verifies(entry, log: fixture.signer.key, witnesses: [firstKey]))
        #expect(!proof.verifies(entry, log: fixture.signer.key, witnesses: [firstKey, secondKey]))
        // Neither witness accepts the other history afterwards.
        for (witness, note) in [(first, two), (second, one)] {
            let answer = await witness.answer(to: WitnessRequest(old: 10, proof: [], checkpoint: note))
            #expect(answer == .failure(.otherRoot(size: 10)))
        }
        // The notes that the two witnesses have kept prove the fork by the log's own signatures.
        let roots = [one, two].compactMap { Checkpoint($0, signedBy: fixture.signer.key) }
        #expect(roots.count == 2 && roots[0].size == roots[1].size && roots[0].root != roots[1].root)
    }

    @Test("a witness that has seen another root of the same size makes the log a fork, by its refusal or by the size")
    func otherRoot() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        let (witness, key) = try witness(fixture)
        let size = await log.size
        for answers: [Result<[SignedNote.Signature], WitnessRefusal>] in [
            [.failure(.otherSize(size)), .failure(.otherSize(size))],
            [.failure(.otherSize(size)), .failure(.otherRoot(size: size))],
        ] {
            await #expect(throws: AuditLogError.forked(size: size)) {
                try await log.checkpoint(witnessedBy: DirectLink(witness, key: key, answers: answers))
            }
        }
        // The witness itself, which has seen another log of this name.
        let other = MemoryTree(Int(size))
        _ = try await witness.answer(to: WitnessRequest(old: 0, proof: [], checkpoint: try note(other, size, fixture)))
            .get()
        await #expect(throws: AuditLogError.forked(size: size)) {
            try await log.checkpoint(witnessedBy: DirectLink(witness, key: key))
        }
    }

    private static let times: [(UInt64, AuditLogError?)] = {
        let now: UInt64 = 1_700_000_000
        let wrong: [UInt64] = [1, now - 86_402, now + 86_402, now + 30 * 31_536_000, UInt64(Int64.max)]
        let right: [UInt64] = [now - 86_000, now, now + 86_400]
        return [(0, .badWitnessAnswer(.cosignature)), (.max, .badWitnessAnswer(.cosignature))]
            + wrong.map { ($0, .badWitnessAnswer(.time)) } + right.map { ($0, nil) }
    }()

    @Test(
        "a cosignature counts only with a time within a day of the log's clock, and never with the time 0",
        arguments: times)
    func cosignatureTime(_ time: UInt64, _ expected: AuditLogError?) async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        let (witness, key) = try witness(fixture)
        let signer = try Ed25519Signer(name: key.name, kind: .cosignature, seed: LogFixture.secret(50))
        let text = try await log.checkpoint().text
        let signature = SignedNote.Signature(
            by: key, time.bigEndianBytes + (try signer.sign(Cosignature.message(time: time, text: text))))
        let link = DirectLink(witness, key: key, answers: [.success([signature])])
        if let expected {
            await #expect(throws: expected) { try await log.checkpoint(witnessedBy: link) }
            #expect(fixture.checkpoints.notes.allSatisfy { $0.signatures.count == 1 })
        } else {
            #expect(try await log.checkpoint(witnessedBy: link).cosignatureTimes(by: key) == [time])
        }
    }

    @Test("a wrong cosignature, and an answer without one, are not the silence of a witness")
    func wrongCosignature() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        let (witness, key) = try witness(fixture)
        let text = try await log.checkpoint().text
        let other = try Ed25519Signer(name: key.name, kind: .cosignature, seed: LogFixture.secret(51))
        let message = Cosignature.message(time: 1_700_000_000, text: text)
        let wrong = SignedNote.Signature(by: key, UInt64(1_700_000_000).bigEndianBytes + (try other.sign(message)))
        let foreign = SignedNote.Signature(
            by: other.key, UInt64(1_700_000_000).bigEndianBytes + (try other.sign(message)))
        for signatures in [[wrong], [foreign], []] {
            await #expect(throws: AuditLogError.badWitnessAnswer(.cosignature)) {
                try await log.checkpoint(witnessedBy: DirectLink(witness, key: key, answers: [.success(signatures)]))
            }
        }
    }

    @Test("every published root is kept in a folder, and the last one is found again")
    func folder() async throws {
        let fixture = try LogFixture()
        let store = try CheckpointFolder(at: fixture.folder.path + "/kept", apartFrom: fixture.path)
        let (witness, _) = try witness(fixture, store: store)
        let tree = MemoryTree(9)
        #expect(try store.last(of: LogFixture.origin) == nil)
        var old: UInt64 = 0
        for size: UInt64 in [2, 5, 9] {
            let request = WitnessRequest(
                old: old, proof: try tree.consistencyProof(from: old, to: size),
                checkpoint: try note(tree, size, fixture)
            )
            _ = try await witness.answer(to: request).get()
            old = size
            let last = try #require(try store.last(of: LogFixture.origin))
            #expect(try Checkpoint(parsing: last.text).size == size)
        }
        #expect(try store.last(of: "another") == nil)
        let folders = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path + "/kept")
        let names = try FileManager.default.contentsOfDirectory(
            atPath: fixture.folder.path + "/kept/" + (folders.first ?? ""))
        #expect(names.count == 4)
        // A damaged store is not one that has seen nothing.
        let path = fixture.folder.path + "/kept/" + (folders.first ?? "") + "/last"
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: AuditLogError.portFailed(.checkpoints)) { try store.last(of: LogFixture.origin) }
        let request = WitnessRequest(old: 0, proof: [], checkpoint: try note(tree, 2, fixture))
        #expect(await witness.answer(to: request) == .failure(.notStored))
    }

    @Test("a checkpoint that could not be kept is not published")
    func notKept() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        fixture.checkpoints.fails = true
        await #expect(throws: AuditLogError.portFailed(.checkpoints)) { try await log.checkpoint() }
        fixture.checkpoints.fails = false
        _ = try await log.checkpoint()
        #expect(fixture.checkpoints.notes.count == 1)
    }

    @Test("cosignatures of other keys, other times and other texts do not count")
    func cosignatures() async throws {
        let fixture = try LogFixture()
        let (witness, key) = try witness(fixture)
        let tree = MemoryTree(4)
        let plain = try note(tree, 4, fixture)
        let line = try await witness.answer(to: WitnessRequest(old: 0, proof: [], checkpoint: plain)).get()
        #expect(plain.adding([line]).cosignatureTimes(by: key) == [1_700_000_000])
        for index in line.bytes.indices {
            var bytes = line.bytes
            bytes[index] ^= 1
            #expect(plain.adding([.init(by: key, bytes)]).cosignatureTimes(by: key) == nil)
        }
        #expect(plain.adding([.init(by: key, Array(line.bytes.dropLast()))]).cosignatureTimes(by: key) == nil)
        #expect(plain.cosignatureTimes(by: key) == [])
        // A key of the other kind does not cosign, whatever it signed.
        let message = Cosignature.message(time: 5, text: plain.text)
        let ofLog = SignedNote.Signature(
            by: fixture.signer.key, UInt64(5).bigEndianBytes + (try fixture.signer.sign(message)))
        #expect(plain.adding([ofLog]).cosignatureTimes(by: fixture.signer.key) == [])
        #expect(try note(tree, 3, fixture).adding([line]).cosignatureTimes(by: key) == nil)
        #expect(throws: AuditLogError.outsideLimits) {
            try Witness(signer: fixture.signer, logs: [], store: MemoryCheckpoints(), now: Self.now)
        }
        #expect(throws: AuditLogError.outsideLimits) {
            try Witness(
                signer: Ed25519Signer(name: "w", kind: .cosignature, seed: LogFixture.secret(1)),
                logs: [fixture.signer.key, fixture.signer.key], store: MemoryCheckpoints(), now: Self.now)
        }
    }
}
