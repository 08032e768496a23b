internal import Crypto
internal import Foundation
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuditLog

/// Changes by an attacker who can write to the folder of a log.
@Suite("Attacks on a log")
struct AttackTests {
    /// The records of a file: an entry or a commit each.
    private static func records(_ bytes: [UInt8]) -> [[UInt8]] {
        var records = Segment.Records(bytes)
        var (all, start): ([[UInt8]], Int) = ([], records.offset)
        while records.next() != nil {
            all.append(Array(bytes[start..<records.offset]))
            start = records.offset
        }
        return all
    }

    private static let name = Segment.name(start: 0)

    /// A log with six events, each in a commit of its own, and its files.
    private static func log(_ fixture: LogFixture) async throws -> ModelFiles {
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        for number in 0..<3 { try await log.append(event(number)) }
        _ = try await log.checkpoint()
        for number in 3..<6 { try await log.append(event(number)) }
        _ = try await log.checkpoint()
        return files
    }

    private static func verify(_ files: ModelFiles, _ fixture: LogFixture, key: Bool = false) throws
        -> VerificationReport
    {
        let kept = try fixture.checkpoints.notes.map { try Checkpoint(parsing: $0.text) }
        return try LogFixture.verify(
            LogReader(files: files, identity: fixture.identity), fixture.identity, kept, key ? fixture.reader : nil
        ).0
    }

    /// Makes the commits and the stored hashes of a file fit its entries, as someone would who knows the format.
    private static func recommit(_ records: [[UInt8]], _ fixture: LogFixture) throws -> (file: [UInt8], hashes: [UInt8])
    {
        var file = Segment.Header(log: try fixture.identity.digest, start: 0, root: .empty).encoded
        var (tree, hashes): (GrowingTree, [UInt8]) = (GrowingTree(), [])
        for record in records where record.first == 1 {
            let entry = Array(record.dropFirst(3))
            Segment.append(entry: entry, to: &file)
            tree.append(.leaf(entry)) { _ in }
            hashes += TreeHash.leaf(entry).bytes
            Segment.append(commit: tree.size, root: tree.root, to: &file)
        }
        return (file, hashes)
    }

    @Test("each flipped byte of each entry is found, at the entry where it is")
    func flip() async throws {
        let fixture = try LogFixture()
        let files = try await Self.log(fixture)
        let good = try files.all(of: Self.name, limit: 1 << 20)
        #expect(try Self.verify(files, fixture, key: true).findings == [])
        var sequence: UInt64 = 0
        var offset = Segment.headerSize
        for record in Self.records(good) {
            for position in [0, 1, 2, 3, 8, 20, record.count / 2, record.count - 1] where position < record.count {
                files.tamper(Self.name) {
                    $0 = good
                    $0[offset + position] ^= 1
                }
                let report = try Self.verify(files, fixture)
                #expect(!report.isSound, "record at \(offset), byte \(position)")
                // A broken length or type makes the rest of the commit unreadable; a content is found exactly.
                let first = try #require(report.firstBad)
                #expect(first == sequence || (record.first == 2 && first + 1 == sequence), "\(report.findings)")
            }
            offset += record.count
            if record.first == 1 { sequence += 1 }
        }
        for position in 0..<Segment.headerSize {
            files.tamper(Self.name) {
                $0 = good
                $0[position] ^= 1
            }
            #expect(try !Self.verify(files, fixture).isSound)
            await #expect(throws: AuditLogError.self) {
                try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
            }
        }
    }

    /// The ways to change the order of entries.
    enum Change: CaseIterable {
        case drop, duplicate, swap, flip, truncate
    }

    @Test(
        "entries that are dropped, repeated, swapped, changed or cut off are found, also if commits and hashes fit them",
        arguments: Change.allCases)
    func rearranged(_ change: Change) async throws {
        let fixture = try LogFixture()
        let files = try await Self.log(fixture)
        let good = try files.all(of: Self.name, limit: 1 << 20)
        let records = Self.records(good)
        for index in records.indices where records[index].first == 1 {
            let sequence = UInt64(records.prefix(index).count { $0.first == 1 })
            var changed = records
            switch change {
            case .drop: changed.remove(at: index)
            case .duplicate: changed.insert(records[index], at: index)
            case .swap:
                guard index + 2 < records.count else { continue }
                changed.swapAt(index, index + 2)
            case .flip: changed[index][60] ^= 1
            case .truncate: changed = Array(changed.prefix(index))
            }
            // As it is: the commits no longer fit.
            files.tamper(Self.name) { $0 = Array(good.prefix(Segment.headerSize)) + changed.joined() }
            let report = try Self.verify(files, fixture)
            let affected = change == .duplicate ? sequence + 1 : sequence
            #expect(!report.isSound, "\(sequence)")
            #expect(report.firstBad == affected || report.firstBad == sequence, "\(sequence): \(report.findings)")
            // By someone who knows the format: only the checkpoints that are kept elsewhere, and the seals, remain.
            let forged = try Self.recommit(changed, fixture)
            files.tamper(Self.name) { $0 = forged.file }
            files.tamper("hashes-0") { $0 = forged.hashes }
            let (withCheckpoints, withKey) = (
                try Self.verify(files, fixture), try Self.verify(files, fixture, key: true)
            )
            // What follows the last checkpoint, only the owner's key can judge.
            let isBehind = change == .duplicate && sequence == 6
            #expect(withCheckpoints.isSound == isBehind, "\(sequence): \(withCheckpoints.findings)")
            let first = try #require(withKey.firstBad)
            #expect(first <= affected, "\(sequence): \(withKey.findings)")
            let forgeries: [VerificationReport.Finding] = [
                .forged(sequence: sequence), .forged(sequence: sequence + 1), .epochMissing(sequence: sequence),
            ]
            let isCutOff = change == .truncate || change == .drop && sequence == 6
            #expect(
                isCutOff || withKey.findings.contains { forgeries.contains($0) }, "\(sequence): \(withKey.findings)")
            if isBehind { continue }
            await #expect(throws: AuditLogError.self, "\(sequence)") {
                try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
            }
        }
    }

    @Test("every end that is cut off is found by the last checkpoint, and opening refuses it and changes nothing")
    func truncation() async throws {
        let fixture = try LogFixture()
        let files = try await Self.log(fixture)
        let good = try files.all(of: Self.name, limit: 1 << 20)
        for size in stride(from: Segment.headerSize, to: good.count, by: 7) {
            let cut = Array(good.prefix(size))
            files.tamper(Self.name) { $0 = cut }
            #expect(try !Self.verify(files, fixture).isSound, "\(size)")
            await #expect(throws: AuditLogError.self, "\(size)") {
                try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
            }
            #expect(try files.all(of: Self.name, limit: 1 << 20) == cut)
        }
    }

    @Test(
        "a changed byte in the last commit looks unfinished: a checkpoint or a known state refuses it; without one, its removal is logged"
    )
    func lastCommit() async throws {
        for knows in [Known.checkpoint, .state, .nothing] {
            let fixture = try LogFixture()
            let files = try await Self.log(fixture)
            let good = try files.all(of: Self.name, limit: 1 << 20)
            let log = try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
            try await log.append(event(6))
            try await log.append(event(7))
            let state = try await log.state
            if knows == .checkpoint { _ = try await log.checkpoint() }
            files.tamper(Self.name) { $0[$0.count - 60] ^= 1 }
            let changed = try files.all(of: Self.name, limit: 1 << 20)
            var setup = try fixture.setup
            if knows == .state { setup.known = [state] }
            guard knows == .nothing else {
                await #expect(throws: AuditLogError.rolledBack(size: 9, expected: 10)) {
                    try await AuditLog.open(setup, in: files, lock: nil, missingSecret: .refused)
                }
                #expect(try files.all(of: Self.name, limit: 1 << 20) == changed)
                continue
            }
            #expect(changed.count > good.count)
            let again = try await AuditLog.open(setup, in: files, lock: nil, missingSecret: .refused)
            #expect(again.droppedAtOpening > 0)
            try await again.close()
            let (_, records) = try LogFixture.verify(
                LogReader(files: files, identity: fixture.identity), fixture.identity, [], fixture.reader)
            #expect(logEvents(records).contains(.tailDropped(bytes: UInt32(again.droppedAtOpening))))
        }
    }

    private enum Known { case checkpoint, state, nothing }

    @Test("a state that belongs to another log is refused, and so is one that the log never had")
    func knownStates() async throws {
        let fixture = try LogFixture()
        let files = try await Self.log(fixture)
        var setup = try fixture.setup
        setup.known = [try Checkpoint(origin: "other.example/log", size: 1, root: .leaf([1]))]
        await #expect(throws: AuditLogError.otherLog) {
            try await AuditLog.open(setup, in: files, lock: nil, missingSecret: .refused)
        }
        setup.known = [try Checkpoint(origin: LogFixture.origin, size: 3, root: .leaf([1]))]
        await #expect(throws: AuditLogError.forked(size: 3)) {
            try await AuditLog.open(setup, in: files, lock: nil, missingSecret: .refused)
        }
        fixture.checkpoints.notes = []
        await #expect(throws: AuditLogError.rolledBack(size: 0, expected: 3)) {
            try await AuditLog.create(setup, in: ModelFiles(), lock: nil)
        }
    }

    @Test("the folder of an earlier state is refused when it is opened, and before a checkpoint of it is signed")
    func rollback() async throws {
        let fixture = try LogFixture()
        let files = try await Self.log(fixture)
        let old = files.afterKill()
        let log = try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
        try await log.append(event(6))
        _ = try await log.checkpoint()
        let signed = fixture.checkpoints.notes.count
        await #expect(throws: AuditLogError.rolledBack(size: 7, expected: 9)) {
            try await AuditLog.open(fixture.setup, in: old, lock: nil, missingSecret: .refused)
        }
        #expect(try Self.verify(old, fixture).findings == [.truncated(size: 7, expected: 9)])
        #expect(fixture.checkpoints.notes.count == signed)
    }

    @Test("an earlier state without a later checkpoint is noticed by the secret of a later epoch")
    func rollbackByEpoch() async throws {
        let fixture = try LogFixture()
        let files = try await Self.log(fixture)
        let old = files.afterKill()
        let log = try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
        try await log.append(event(6))
        await #expect(throws: AuditLogError.rolledBack(size: 7, expected: 8)) {
            try await AuditLog.open(fixture.setup, in: old, lock: nil, missingSecret: .refused)
        }
    }

    @Test("a removed log is not silently replaced by a new one")
    func removal() async throws {
        let fixture = try LogFixture()
        _ = try await Self.log(fixture)
        await #expect(throws: AuditLogError.rolledBack(size: 0, expected: 7)) {
            try await AuditLog.create(fixture.setup, in: ModelFiles(), lock: nil)
        }
    }

    @Test("a log that was rewritten from an earlier point on is a fork of its checkpoint")
    func fork() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        let (other, secret) = (files.afterKill(), fixture.secrets.bytes)
        try await log.append(event(1))
        _ = try await log.checkpoint()
        // The attacker has all keys, and sets the log and its secret back.
        fixture.secrets.bytes = secret
        let kept = fixture.checkpoints.notes
        fixture.checkpoints.notes = []
        let forked = try await AuditLog.open(fixture.setup, in: other, lock: nil, missingSecret: .refused)
        for number in 7..<9 { try await forked.append(event(number)) }
        fixture.checkpoints.notes = kept
        await #expect(throws: AuditLogError.forked(size: 3)) { try await forked.checkpoint() }
        await #expect(throws: AuditLogError.forked(size: 3)) {
            try await AuditLog.open(fixture.setup, in: other, lock: nil, missingSecret: .refused)
        }
        #expect(try Self.verify(other, fixture).findings == [.forked(after: 0, before: 3)])
    }

    @Test("the end of one log spliced to the beginning of another is found by the tree and by the seals")
    func splice() async throws {
        let (one, two) = (try LogFixture(), try LogFixture())
        let (first, second) = (try await Self.log(one), try await Self.log(two))
        let mine = Self.records(try first.all(of: Self.name, limit: 1 << 20))
        let theirs = Self.records(try second.all(of: Self.name, limit: 1 << 20))
        for index in stride(from: 2, to: mine.count, by: 2) {
            let forged = try Self.recommit(Array(mine.prefix(index) + theirs.dropFirst(index)), one)
            first.tamper(Self.name) { $0 = forged.file }
            first.tamper("hashes-0") { $0 = forged.hashes }
            let sequence = UInt64(index / 2)
            let report = try Self.verify(first, one, key: true)
            #expect(report.findings.contains(.forged(sequence: sequence)), "\(report.findings)")
            #expect(report.findings.contains { if case .forked = $0 { true } else { false } })
        }
    }

    @Test("a removed file of entries is a gap")
    func gap() async throws {
        let fixture = try LogFixture()
        fixture.segmentEntries = 256
        let log = try await fixture.create()
        try await log.append(contentsOf: (0..<1_000).map { try event($0) })
        try await log.close()
        try FileManager.default.removeItem(atPath: fixture.path + "/" + Segment.name(start: 512))
        let (report, _) = try fixture.verify()
        #expect(report.findings == [.gap(from: 512, to: 768)])
        #expect(report.firstBad == 512)
    }

    @Test("someone who takes the secret of an epoch can neither read nor forge entries of earlier epochs")
    func forwardSecurity() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        var log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        log = try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
        try await log.append(event(1))
        // Now the machine is taken: the folder, and the secret.
        let (epoch, key) = try fixture.stolenKey()
        #expect(epoch == 1)
        let reader = LogReader(files: files, identity: try fixture.identity)
        let identity = try fixture.identity
        func opens(_ sequence: UInt64) throws -> Bool {
            guard let bytes = try reader.entries(sequence..<sequence + 1).first,
                let entry = SealedEntry(decoding: bytes[...])
            else { return false }
            if case .record = entry.open(key: key, log: identity.digest, sequence: sequence) { return true }
            return false
        }
        #expect(try !opens(0))
        #expect(try !opens(1))
        #expect(try opens(3))
        // A log that is rewritten from an earlier epoch on needs a secret that no longer exists: the forged epoch has
        // no valid predecessor.
        let fresh = LogFixture.secret(1)
        let forged = EpochSecret(first: 0, fresh: fresh, of: identity.digest)
        let envelope = try Envelope.seal(
            forged.forReader(fresh: fresh), to: fixture.reader.publicKey,
            context: Envelope.context(log: identity.digest, sequence: 2))
        let opening = SealedEntry.seal(
            AuditRecord(wall: Timestamp(seconds: 0), uptime: .zero, event: .log(.epochBegan)),
            key: forged.entryKey(),
            epoch: 1, nonce: [UInt8](repeating: 0, count: 12), opening: .init(predecessor: 0, envelope: envelope),
            log: identity.digest, sequence: 2)
        let kept = try reader.entries(0..<2) + [opening]
        let (file, hashes) = try Self.recommit(kept.map { [1, 0, 0] + $0 }, fixture)
        files.tamper(Self.name) { $0 = file }
        files.tamper("hashes-0") { $0 = hashes }
        let (report, _) = try LogFixture.verify(reader, identity, [], fixture.reader)
        #expect(report.findings.filter(\.isFault) == [.chainBroken(sequence: 2)])
    }

    @Test("an epoch that was made of an earlier secret than the last one with entries is a break of the chain")
    func skippedEpoch() async throws {
        let fixture = try LogFixture()
        let files = try await Self.log(fixture)
        let identity = try fixture.identity
        let log = identity.digest
        let fresh = LogFixture.secret(1)
        var (records, sequence): ([[UInt8]], UInt64) = ([], 0)
        func append(_ epoch: borrowing EpochSecret, begins predecessor: UInt32??) throws {
            var opening: SealedEntry.Opening?
            if let predecessor {
                let context = Envelope.context(log: log, sequence: sequence)
                let envelope = try Envelope.seal(
                    epoch.forReader(fresh: fresh), to: fixture.reader.publicKey, context: context)
                opening = .init(predecessor: predecessor, envelope: envelope)
            }
            let record = AuditRecord(time: fixture.clock.now(), event: .log(.epochBegan))
            records.append(
                [1, 0, 0]
                    + SealedEntry.seal(
                        record, key: epoch.entryKey(), epoch: epoch.epoch,
                        nonce: [UInt8](repeating: UInt8(sequence), count: 12), opening: opening, log: log,
                        sequence: sequence))
            sequence += 1
        }
        let first = EpochSecret(first: 0, fresh: fresh, of: log)
        try append(first, begins: .some(nil))
        try append(first, begins: nil)
        let second = first.next(1, fresh: fresh, of: log)
        try append(second, begins: .some(0))
        try append(second, begins: nil)
        // A thief of the first secret continues the log from it.
        try append(first.next(2, fresh: fresh, of: log), begins: .some(0))
        let (file, hashes) = try Self.recommit(records, fixture)
        files.tamper(Self.name) { $0 = file }
        files.tamper("hashes-0") { $0 = hashes }
        let reader = LogReader(files: files, identity: identity)
        let (report, _) = try LogFixture.verify(reader, identity, [], fixture.reader)
        #expect(report.findings == [.chainBroken(sequence: 4)])
    }

    @Test("a secret that was taken does not open later epochs, if the thief did not stay")
    func healing() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        var log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        let (_, key) = try fixture.stolenKey()
        log = try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
        let place = try await log.append(event(1))
        let identity = try fixture.identity
        let bytes = try LogReader(files: files, identity: identity).entries(place..<place + 1).first
        let entry = try #require(SealedEntry(decoding: (bytes ?? [])[...]))
        guard case .forged = entry.open(key: key, log: identity.digest, sequence: place) else {
            Issue.record("opened by an earlier key")
            return
        }
    }
}

extension LogFixture {
    /// The key of the present epoch, as someone has it who takes the machine.
    fileprivate func stolenKey() throws -> (epoch: UInt32, key: SymmetricKey) {
        guard let bytes = try secrets.load(), let secret = EpochSecret(stored: bytes) else {
            throw AuditLogError.epochSecretMissing
        }
        return (secret.epoch, secret.entryKey())
    }
}
