internal import Foundation
internal import Secrets
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuditLog

/// Keeps secrets of epochs in memory, and can fail.
final class MemorySecrets: EpochSecretStore {
    struct Failure: Error {}

    private let state: Mutex<(bytes: [UInt8]?, fails: Bool)>

    init(_ bytes: [UInt8]? = nil) { state = Mutex((bytes, false)) }

    var bytes: [UInt8]? {
        get { state.withLock { $0.bytes } }
        set { state.withLock { $0.bytes = newValue } }
    }
    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func load() throws -> SecretBytes? {
        guard var bytes else { return nil }
        return SecretBytes(moving: &bytes)
    }

    func replace(with secret: borrowing SecretBytes) throws {
        if fails { throw Failure() }
        bytes = secret.withUnsafeBytes { Array($0) }
    }
}

/// Keeps checkpoints in memory, and can fail.
final class MemoryCheckpoints: CheckpointStore {
    private let state = Mutex((notes: [SignedNote](), fails: false))

    var notes: [SignedNote] {
        get { state.withLock { $0.notes } }
        set { state.withLock { $0.notes = newValue } }
    }
    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func last(of origin: String) throws -> SignedNote? {
        if fails { throw MemorySecrets.Failure() }
        var last: (size: UInt64, note: SignedNote)?
        for note in notes where note.text.hasPrefix(origin + "\n") {
            let size = try Checkpoint(parsing: note.text).size
            if size >= last?.size ?? 0 { last = (size, note) }
        }
        return last?.note
    }

    func keep(_ note: SignedNote, of checkpoint: Checkpoint) throws {
        if fails { throw MemorySecrets.Failure() }
        state.withLock { $0.notes.append(note) }
    }
}

/// A clock that a test sets. Each reading is one millisecond later.
final class TestClock: Sendable {
    private let state = Mutex((wall: Int64(1_700_000_000_000), uptime: Int64(0)))

    func now() -> ClockReading {
        state.withLock { state in
            state.wall += 1
            state.uptime += 1
            return ClockReading(
                wall: Timestamp(milliseconds: state.wall), uptime: Timestamp.Span(milliseconds: state.uptime))
        }
    }

    func move(wall: Int64, uptime: Int64 = 0) {
        state.withLock { state in
            state.wall += wall
            state.uptime += uptime
        }
    }
}

/// The ports of a log in a test, and the keys of its owner.
final class LogFixture {
    static let origin = "device.example/log"

    let folder: TemporaryFolder
    let secrets = MemorySecrets()
    let checkpoints = MemoryCheckpoints()
    let clock = TestClock()
    let signer: Ed25519Signer
    let reader: ReaderKey
    var segmentEntries = AuditLimits.segmentEntries
    var epochEntries: UInt64 = 1 << 20

    init(_ seed: UInt8 = 7) throws {
        folder = try TemporaryFolder()
        signer = try Ed25519Signer(name: Self.origin, seed: Self.secret(seed))
        reader = try ReaderKey(Self.secret(99))
    }

    static func secret(_ byte: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { memory in for index in memory.indices { memory[index] = byte } }
    }

    var path: String { folder.path + "/log" }

    var identity: LogIdentity { get throws { try LogIdentity(origin: Self.origin, reader: reader.publicKey) } }

    var setup: AuditLogSetup {
        get throws {
            let clock = clock
            var setup = try AuditLogSetup(
                folder: path, reader: reader.publicKey, secrets: secrets, signer: signer, checkpoints: checkpoints,
                epochLength: .init(entries: epochEntries, seconds: 1 << 20), random: SystemRandom(),
                now: { clock.now() })
            setup.segmentEntries = segmentEntries
            return setup
        }
    }

    func create() async throws -> AuditLog { try await AuditLog.create(try setup) }
    func open() async throws -> AuditLog { try await AuditLog.open(try setup) }

    /// Verifies the log in the folder with the checkpoints that are kept.
    func verify(checkpoints notes: [SignedNote]? = nil) throws -> (VerificationReport, [AuditRecord]) {
        try Self.verify(
            LogReader(at: path), identity, try (notes ?? checkpoints.notes).map { try Checkpoint(parsing: $0.text) },
            reader)
    }

    static func verify(
        _ log: LogReader, _ identity: LogIdentity, _ checkpoints: [Checkpoint], _ key: ReaderKey?
    ) throws -> (VerificationReport, [AuditRecord]) {
        let records = Mutex<[AuditRecord]>([])
        let report = try LogVerification.report(on: log, identity: identity, checkpoints: checkpoints, key: key) {
            _, record in records.withLock { $0.append(record) }
        }
        return (report, records.withLock { $0 })
    }
}

/// An event with a number, to be found again.
func event(_ number: Int) throws -> AuditEvent {
    .wallet(
        WalletEvent(
            .signing, .admitted, wallet: try AuditIdentifier([UInt8]("wallet \(number)".utf8)),
            subject: try AuditDigest([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32))))
}

/// The numbers of the events that ``event(_:)`` made, in order.
func numbers(_ records: [AuditRecord]) -> [Int] {
    records.compactMap { record in
        guard case .wallet(let event) = record.event else { return nil }
        return Int(String(decoding: event.wallet.bytes.dropFirst(7), as: UTF8.self))
    }
}

/// The log's own events among records.
func logEvents(_ records: [AuditRecord]) -> [LogEvent] {
    records.compactMap { if case .log(let event) = $0.event { event } else { nil } }
}

/// Hashes of leaves in memory.
struct MemoryTree: TreeSource {
    let leaves: [TreeHash]

    init(_ count: Int) { leaves = (0..<count).map { .leaf([UInt8("\($0)".utf8.count)] + Array("\($0)".utf8)) } }
    init(leaves: [TreeHash]) { self.leaves = leaves }

    func tile(level: Int, index: UInt64, width: Int) throws(AuditLogError) -> [TreeHash] {
        let span = (0..<level).reduce(1) { size, _ in size * 256 }
        return try (0..<width).map { offset throws(AuditLogError) in
            let first = (Int(index) * 256 + offset) * span
            guard first + span <= leaves.count else { throw .outsideLimits }
            return Self.root(leaves[first..<(first + span)])
        }
    }

    /// The definition of RFC 6962, section 2.1, word by word.
    static func root(_ leaves: ArraySlice<TreeHash>) -> TreeHash {
        guard leaves.count > 1, let first = leaves.first else { return leaves.first ?? .empty }
        _ = first
        var split = 1
        while split * 2 < leaves.count { split *= 2 }
        return .node(root(leaves.prefix(split)), root(leaves.dropFirst(split)))
    }
}
