internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import AuditLog

/// The state of a log after its program ended, the power failed or a call of the file system failed, at each call.
@Suite("Crashes of a log")
struct CrashTests {
    private static let rounds = 4

    /// Appends and renews the epoch until a fault; returns the events that were acknowledged.
    private func write(_ fixture: LogFixture, _ files: ModelFiles) async throws -> [Int] {
        var acknowledged: [Int] = []
        let setup = try fixture.setup
        guard var log = try? await AuditLog.create(setup, in: files, lock: nil) else { return [] }
        for round in 0..<Self.rounds {
            for number in round * 3..<round * 3 + 3 {
                do {
                    try await log.append(event(number))
                    acknowledged.append(number)
                } catch {}
            }
            _ = try? await log.append(contentsOf: (0..<70).map { try event(1_000 * (round + 1) + $0) })
            _ = try? await log.checkpoint()
            if let again = try? await AuditLog.open(setup, in: files, lock: nil, missingSecret: .refused) {
                log = again
            }
        }
        return acknowledged
    }

    /// Opens the log after the fault, and checks that nothing acknowledged is missing and nothing is forged.
    private func check(_ files: ModelFiles, _ fixture: LogFixture, _ acknowledged: [Int], _ what: String) async throws {
        let setup = try fixture.setup
        let log = try await opened(setup, files, acknowledged, what)
        try await log.append(event(9_999))
        let kept = try fixture.checkpoints.notes.map { try Checkpoint(parsing: $0.text) }
        let (report, records) = try LogFixture.verify(
            LogReader(files: files, identity: fixture.identity), fixture.identity, kept, fixture.reader)
        #expect(report.findings == [], "\(what)")
        let all = numbers(records)
        #expect(all.last == 9_999, "\(what)")
        let single = all.filter { $0 < 100 }
        #expect(single == Array(Set(single)).sorted(), "\(what): in another order")
        #expect(Set(acknowledged).isSubset(of: single), "\(what): acknowledged, and lost")
        try await log.close()
    }

    private func opened(
        _ setup: AuditLogSetup, _ files: ModelFiles, _ acknowledged: [Int], _ what: String
    ) async throws -> AuditLog {
        do {
            return try await AuditLog.open(setup, in: files, lock: nil, missingSecret: .refused)
        } catch AuditLogError.notFound {
            #expect(acknowledged.isEmpty, "\(what): the log is gone")
            return try await AuditLog.create(setup, in: files, lock: nil)
        }
    }

    private func fixture() throws -> LogFixture {
        let fixture = try LogFixture()
        fixture.segmentEntries = 256
        fixture.epochEntries = 150
        return fixture
    }

    @Test(
        "a program that ends at any call of the file system loses nothing that was acknowledged",
        arguments: [ModelFiles.Fault.kill, .killInside])
    func killed(_ fault: ModelFiles.Fault) async throws {
        let calm = ModelFiles()
        _ = try await write(try fixture(), calm)
        #expect(calm.calls.count > 50)
        for call in 1...calm.calls.count {
            let (fixture, files) = (try fixture(), ModelFiles())
            files.inject(fault, at: call)
            let acknowledged = try await write(fixture, files)
            #expect(files.isDead)
            try await check(files.afterKill(), fixture, acknowledged, "call \(call), \(calm.calls[call - 1])")
        }
    }

    @Test("a loss of power at any call loses nothing that was acknowledged, whatever reached the disk")
    func powerLoss() async throws {
        let calm = ModelFiles()
        _ = try await write(try fixture(), calm)
        for call in 1...calm.calls.count {
            for seed in 0..<3 {
                let (fixture, files) = (try fixture(), ModelFiles())
                files.inject(seed == 0 ? .kill : .killInside, at: call)
                let acknowledged = try await write(fixture, files)
                let random = SeededRandom(seed: UInt64(call * 10 + seed))
                try await check(
                    files.afterPowerLoss(random), fixture, acknowledged,
                    "call \(call), \(calm.calls[call - 1]), seed \(seed)")
            }
        }
    }

    @Test(
        "a call that fails loses nothing that was acknowledged, and the log can go on or says that it cannot",
        arguments: [ModelFiles.AuditLogErrorCode.inputOutput, .full])
    func failed(_ code: ModelFiles.AuditLogErrorCode) async throws {
        let calm = ModelFiles()
        _ = try await write(try fixture(), calm)
        for call in 1...calm.calls.count {
            let (fixture, files) = (try fixture(), ModelFiles())
            files.inject(.fail(code), at: call)
            let acknowledged = try await write(fixture, files)
            // At most the three events of one round are lost for the caller.
            #expect(acknowledged.isEmpty || acknowledged.count >= 3 * Self.rounds - 6, "call \(call)")
            try await check(files.afterKill(), fixture, acknowledged, "call \(call), \(calm.calls[call - 1])")
        }
    }

    @Test("every commit is written and flushed before it is acknowledged, and nothing else is flushed for it")
    func order() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        let before = files.calls.count
        try await log.append(event(1))
        let name = Segment.name(start: 0)
        #expect(files.calls.dropFirst(before) == ["write \(name)", "flush \(name)", "write hashes-0"])
    }

    @Test("a failed flush is final: the log refuses everything until it is opened again")
    func failedFlush() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        files.inject(.fail(.inputOutput), at: files.calls.count + 2)
        await #expect(throws: AuditLogError.writeFailed(code: 5)) { try await log.append(event(1)) }
        for _ in 0..<2 { await #expect(throws: AuditLogError.broken) { try await log.append(event(2)) } }
        await #expect(throws: AuditLogError.broken) { try await log.admit(event(2)) }
        let again = try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
        try await again.append(event(3))
    }

    @Test("a full disk refuses the act, is itself recorded, and so is the end of it")
    func fullDisk() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        // A part of the commit is written, which is longer than the entry about the full disk.
        files.setFree(5_000)
        await #expect(throws: AuditLogError.diskFull) {
            try await log.append(contentsOf: (0..<100).map { try event($0) })
        }
        files.setFree(100)
        for number in 1..<4 {
            await #expect(throws: AuditLogError.diskFull) { try await log.admit(event(number)) }
        }
        let reader = LogReader(files: files, identity: try fixture.identity)
        var (report, records) = try LogFixture.verify(reader, fixture.identity, [], fixture.reader)
        #expect(report.findings == [])
        #expect(logEvents(records).filter { $0 == .diskFull }.count == 1)
        #expect(numbers(records) == [0])
        files.setFree(nil)
        try await log.append(event(9))
        (report, records) = try LogFixture.verify(reader, fixture.identity, [], fixture.reader)
        #expect(report.findings == [])
        #expect(numbers(records) == [0, 9])
        #expect(logEvents(records).contains(.spaceRestored))
        #expect(try files.size(of: "reserve") == AuditLimits.reserve)
    }

    @Test("an interrupted commit is removed and recorded; bytes that were flushed are never removed")
    func tornTail() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        for number in 0..<3 { try await log.append(event(number)) }
        let name = Segment.name(start: 0)
        let good = try files.all(of: name, limit: 1 << 20)
        files.tamper(name) { $0 += [1, 0, 200, 1, 2, 3] }
        _ = try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
        let (report, records) = try LogFixture.verify(
            LogReader(files: files, identity: fixture.identity), fixture.identity, [], fixture.reader)
        #expect(report.findings == [])
        #expect(logEvents(records).contains(.tailDropped(bytes: 6)))
        // A changed byte before the last commit is damage: the file is left as it is.
        var bad = good
        bad[good.count / 2] ^= 1
        files.tamper(name) { $0 = bad }
        await #expect(throws: AuditLogError.self) {
            try await AuditLog.open(fixture.setup, in: files, lock: nil, missingSecret: .refused)
        }
        #expect(try files.all(of: name, limit: 1 << 20) == bad)
    }

    @Test("an epoch whose secret could not be stored gets no entries, and the next one continues the chain")
    func secretNotStored() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        try await log.append(event(0))
        fixture.clock.move(wall: 0, uptime: 1_000 << 20)
        fixture.secrets.fails = true
        for _ in 0..<2 {
            await #expect(throws: AuditLogError.portFailed(.epochSecrets)) { try await log.append(event(1)) }
        }
        fixture.secrets.fails = false
        try await log.append(event(2))
        let (report, records) = try LogFixture.verify(
            LogReader(files: files, identity: fixture.identity), fixture.identity, [], fixture.reader)
        #expect(report.findings == [])
        #expect(numbers(records) == [0, 2])
        #expect(logEvents(records).filter { $0 == .epochBegan }.count == 4)
    }
}
