internal import Encoding
internal import Foundation
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import AuditLog

@Suite("A log")
struct LogTests {
    @Test("appended events are durable, in order, and read by the owner after the log is opened again")
    func appending() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        for number in 0..<20 { try await log.append(event(number)) }
        try await log.append(contentsOf: (20..<600).map { try event($0) })
        let note = try await log.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [])
        #expect(numbers(records) == Array(0..<600))
        #expect(report.size == Checkpoint(note, signedBy: fixture.signer.key)?.size)
        #expect(logEvents(records) == [.epochBegan, .closed])
        await #expect(throws: AuditLogError.closed) { try await log.append(event(0)) }

        let again = try await fixture.open()
        #expect(try await again.append(event(600)) == 603)
        try await again.close()
        let (later, all) = try fixture.verify()
        #expect(later.findings == [])
        #expect(numbers(all) == Array(0...600))
        #expect(later.size == 605)
    }

    @Test("events of many tasks at once get one place each, and share flushes")
    func concurrent() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        let places = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for number in 0..<2_000 { group.addTask { try await log.append(event(number)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(places).count == 2_000)
        try await log.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [])
        #expect(numbers(records).sorted() == Array(0..<2_000))
        let times = records.map(\.uptime)
        #expect(times.sorted() == times)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path + "/" + Segment.name(start: 0)))
        #expect(Segment.commits(in: [UInt8](bytes)[...]) < 1_000)
    }

    @Test("a log of several files and epochs opens by its last file, and all of it verifies")
    func segments() async throws {
        let fixture = try LogFixture()
        fixture.segmentEntries = 512
        fixture.epochEntries = 100
        var log = try await fixture.create()
        for round in 0..<5 {
            try await log.append(contentsOf: (round * 700..<(round + 1) * 700).map { try event($0) })
            try await log.close()
            log = try await fixture.open()
        }
        try await log.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [])
        #expect(numbers(records) == Array(0..<3_500))
        let reader = try LogReader(at: fixture.path)
        #expect(try reader.tree.root(size: report.size) == report.root)
        #expect(try reader.files.segmentStarts() == (0...6).map { $0 * 512 })
    }

    @Test("appending does not read what was written before")
    func appendReadsNothing() async throws {
        let files = ModelFiles()
        let fixture = try LogFixture()
        var setup = try fixture.setup
        setup.segmentEntries = 256
        let log = try await AuditLog.create(setup, in: files, lock: nil)
        try await log.append(contentsOf: (0..<1_000).map { try event($0) })
        let before = files.readBytes
        for number in 0..<300 { try await log.append(event(number)) }
        #expect(files.readBytes == before)
        // Opening reads the last file, and not the log.
        let whole = try files.names().compactMap { try files.size(of: $0) }.reduce(0, +)
        _ = try await AuditLog.open(setup, in: files, lock: nil, missingSecret: .refused)
        #expect(files.readBytes - before < whole / 3)
    }

    @Test("hashes that were removed or changed are made again when the log is opened")
    func derivedHashes() async throws {
        let fixture = try LogFixture()
        fixture.segmentEntries = 256
        let log = try await fixture.create()
        try await log.append(contentsOf: (0..<1_000).map { try event($0) })
        try await log.close()
        let hashes = URL(fileURLWithPath: fixture.path + "/hashes-0")
        let good = try Data(contentsOf: hashes)
        for bad in [Data(), good.prefix(100), Data(repeating: 0, count: good.count)] {
            try bad.write(to: hashes)
            #expect(try fixture.verify().0.isSound)
            let again = try await fixture.open()
            let note = try await again.checkpoint()
            let proof = try await again.proof(of: 5, in: note)
            let entry = try LogReader(at: fixture.path).entries(5..<6)
            #expect(entry.allSatisfy { proof.verifies($0, log: fixture.signer.key, witnesses: []) })
            try await again.close()
            #expect(try Data(contentsOf: hashes).prefix(good.count) == good)
        }
        try FileManager.default.removeItem(at: hashes)
        try FileManager.default.removeItem(atPath: fixture.path + "/hashes-1")
        try await fixture.open().close()
        #expect(try fixture.verify().0.isSound)
        #expect(try Data(contentsOf: hashes).prefix(good.count) == good)
    }

    @Test("a second writer is refused, and a folder with a log is not made again")
    func exclusive() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        let error = await #expect(throws: AuditLogError.self) { try await fixture.open() }
        #expect(error == .lockedByAnother(processID: getpid()))
        try await log.close()
        await #expect(throws: AuditLogError.alreadyExists) { try await fixture.create() }
    }

    @Test("a log of another origin or another reader is refused")
    func identity() async throws {
        let fixture = try LogFixture()
        try await fixture.create().close()
        let others = [
            try LogFixture.setup(
                like: fixture, signer: Ed25519Signer(name: "other", seed: LogFixture.secret(7)), reader: nil),
            try LogFixture.setup(like: fixture, signer: fixture.signer, reader: [UInt8](repeating: 9, count: 32)),
        ]
        for setup in others {
            await #expect(throws: AuditLogError.otherLog) { try await AuditLog.open(setup) }
        }
        #expect(
            try LogFixture.verify(
                LogReader(at: fixture.path),
                LogIdentity(origin: LogFixture.origin, reader: [UInt8](repeating: 9, count: 32)),
                [], fixture.reader
            ).0.findings.first == .otherLog)
    }

    @Test("a clock that is set back is recorded before the next event, and reported")
    func clock() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        fixture.clock.move(wall: -500)
        try await log.append(event(1))
        fixture.clock.move(wall: -60_000)
        let place = try await log.append(event(2))
        try await log.close()
        let (report, records) = try fixture.verify()
        guard case .log(.clockWentBack(let back)) = records[Int(place) - 1].event else {
            Issue.record("not recorded")
            return
        }
        #expect((59_000...61_000).contains(back))
        #expect(report.isSound)
        #expect(report.findings.count == 1)
        guard case .clockWentBack(place - 1, _) = report.findings.first else {
            Issue.record("not reported: \(report.findings)")
            return
        }
        // The clock is set back while the log is closed.
        fixture.clock.move(wall: -3_600_000)
        try await fixture.open().close()
        #expect(try fixture.verify().0.findings.count == 2)
    }

    @Test("an entry says nothing to those without the key, and equal events have different entries")
    func confidentiality() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        for _ in 0..<3 { try await log.append(event(1)) }
        try await log.close()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.path + "/" + Segment.name(start: 0))))
        #expect(!bytes.contains([UInt8]("wallet".utf8)))
        let entries = try LogReader(at: fixture.path).entries(1..<4)
        #expect(Set(entries).count == 3)
        // The lengths of all usual events are equal.
        #expect(Set(entries.map(\.count)).count == 1)
        // A hash of the plaintext, which could be guessed, is not in the tree.
        let (_, records) = try fixture.verify()
        let hashes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.path + "/hashes-0")))
        for record in records {
            #expect(!hashes.contains(TreeHash.leaf(record.encoded).bytes))
            #expect(!hashes.contains(TreeHash.plain(record.encoded).bytes))
        }
        let stranger = try ReaderKey(LogFixture.secret(98))
        let (report, nothing) = try LogFixture.verify(LogReader(at: fixture.path), fixture.identity, [], stranger)
        #expect(nothing.isEmpty && !report.isSound)
        // The tree verifies without any key.
        #expect(try LogFixture.verify(LogReader(at: fixture.path), fixture.identity, [], nil).0.findings == [])
    }

    @Test("a key that was added later, of an epoch, a signer or a witness, breaks no earlier entry or checkpoint")
    func laterKeys() async throws {
        let fixture = try LogFixture()
        try await fixture.create().close()
        let old = fixture.checkpoints.notes
        let signer = try Ed25519Signer(name: LogFixture.origin, seed: LogFixture.secret(8))
        let setup = try LogFixture.setup(like: fixture, signer: signer, reader: nil)
        let log = try await AuditLog.open(setup)
        try await log.append(event(1))
        let note = try await log.close()
        #expect(fixture.checkpoints.notes.count == 2)
        #expect(old.allSatisfy { Checkpoint($0, signedBy: fixture.signer.key) != nil })
        #expect(Checkpoint(note, signedBy: signer.key) != nil && Checkpoint(note, signedBy: fixture.signer.key) == nil)
        #expect(try fixture.verify().0.findings == [])
    }

    @Test("the secret of the epoch and the kept checkpoints cannot lie in the folder of the log")
    func keyBesideLog() throws {
        let fixture = try LogFixture()
        try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: true)
        for path in [fixture.path + "/secret", fixture.path + "/below/secret", fixture.folder.path + "/secret"] {
            #expect(throws: AuditLogError.keyBesideLog, "\(path)") {
                try EpochSecretFile(at: path, apartFrom: fixture.path)
            }
        }
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.path + "/link", withDestinationPath: fixture.path)
        #expect(throws: AuditLogError.keyBesideLog) {
            try EpochSecretFile(at: fixture.folder.path + "/link/secret", apartFrom: fixture.path)
        }
        #expect(throws: AuditLogError.keyBesideLog) {
            try CheckpointFolder(at: fixture.path + "/kept", apartFrom: fixture.path)
        }
        let file = try EpochSecretFile(at: fixture.folder.path + "/keys/secret", apartFrom: fixture.path)
        #expect(try file.load() == nil)
        try file.replace(with: LogFixture.secret(3))
        #expect(try file.load()?.matches(LogFixture.secret(3)) == true)
    }

    @Test("a log without the secret of its last epoch is continued only on demand, and verification shows it")
    func missingSecret() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        try await log.close()
        fixture.secrets.bytes = nil
        await #expect(throws: AuditLogError.epochSecretMissing) { try await fixture.open() }
        let again = try await AuditLog.open(fixture.setup, missingSecret: .replaced)
        try await again.append(event(1))
        try await again.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [.chainBroken(sequence: 3)])
        #expect(numbers(records) == [0, 1])
    }

    @Test("an epoch ends by time as well as by the number of entries")
    func epochs() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        fixture.clock.move(wall: 0, uptime: 1_000 << 20)
        try await log.append(event(1))
        try await log.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [])
        #expect(logEvents(records) == [.epochBegan, .epochBegan, .closed])
        for (entries, seconds): (UInt64, UInt64) in [(1, 10), (10, 0), (1 << 21, 10)] {
            #expect(throws: AuditLogError.outsideLimits) {
                try AuditLogSetup.EpochLength(entries: entries, seconds: seconds)
            }
        }
    }

    @Test("an admission whose end is missing is visible")
    func admissions() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        let wallet = try AuditIdentifier([1])
        let first = try await log.admit(.wallet(WalletEvent(.signing, .admitted, wallet: wallet, subject: nil)))
        try await log.append(
            .wallet(WalletEvent(.signing, .completed, wallet: wallet, subject: nil, admission: first.sequence)))
        let second = try await log.admit(.wallet(WalletEvent(.renewal, .admitted, wallet: wallet, subject: nil)))
        try await log.close()
        let (_, records) = try fixture.verify()
        let ended = Set(records.compactMap { if case .wallet(let event) = $0.event { event.admission } else { nil } })
        #expect(ended.contains(first.sequence) && !ended.contains(second.sequence))
    }
}

extension LogFixture {
    static func setup(
        like fixture: LogFixture, signer: Ed25519Signer, reader: [UInt8]?
    ) throws -> AuditLogSetup {
        let clock = fixture.clock
        return try AuditLogSetup(
            folder: fixture.path, reader: reader ?? fixture.reader.publicKey, secrets: fixture.secrets, signer: signer,
            checkpoints: fixture.checkpoints, epochLength: .init(entries: 1_000, seconds: 1_000),
            random: SystemRandom(), now: { clock.now() })
    }

    @Test("a reader's key is read from 64 hexadecimal digits, of either case, and from nothing else")
    func hexadecimalReaderKey() throws {
        let digits = (0..<32).map { $0 % 2 == 0 ? "0aF" + "\($0 % 10)" : "" }.joined()
        func secret(_ bytes: [UInt8]) -> SecretBytes {
            SecretBytes(count: bytes.count) { memory in for index in memory.indices { memory[index] = bytes[index] } }
        }
        let key = try ReaderKey(hexadecimal: secret(Array(digits.utf8)))
        #expect(try key.publicKey == ReaderKey(secret(Hex.decode(digits))).publicKey)
        for text in ["", String(digits.dropLast()), digits + "0", "g" + digits.dropFirst(), "0x" + digits.dropFirst(2)]
        {
            #expect(throws: AuditLogError.outsideLimits, "\(text)") {
                try ReaderKey(hexadecimal: secret(Array(text.utf8)))
            }
        }
    }
}
