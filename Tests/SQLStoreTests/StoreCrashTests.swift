internal import CrashWriter
internal import Foundation
internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import SQLStore

/// The state of a database file after its writer is killed, or the disk fails.
@Suite("Crashes of the store", .serialized)
final class StoreCrashTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/store/fueki.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private static func value(_ write: CrashWriterRun.Write, half: UInt8) -> [UInt8] {
        bytes(write.task, 16) + bytes(half, 12) + withUnsafeBytes(of: write.number.bigEndian) { Array($0) }
    }

    /// Checks that the file is intact, that acknowledged writes exist, and that no write exists by half.
    private func check(_ acknowledged: Set<CrashWriterRun.Write>, _ context: String) async throws {
        let database = try await SQLiteDatabase(at: path, lockSeconds: Double(Patience.seconds))
        let values = try await database.read { transaction in
            Set(try transaction.run("SELECT value FROM written_values", []).map { try $0.bytes(0) })
        }
        await database.close()
        for write in acknowledged where !values.contains(Self.value(write, half: 0)) {
            Issue.record("\(context): \(write) was acknowledged, and is lost")
        }
        for value in values {
            var other = value
            for position in 16..<28 { other[position] ^= 1 }
            if !values.contains(other) { Issue.record("\(context): half a write") }
        }
        let report = try await SQLiteBackup.check(path, holding: WrittenValues.contents)
        #expect(report.isCurrent, "\(context)")
    }

    @Test("a writer that is killed repeatedly at any moment loses no acknowledged write")
    func killed() async throws {
        var acknowledged: Set<CrashWriterRun.Write> = []
        for round in CrashPoints.some(12, of: Array(0..<35), in: "rounds of the store") {
            let lines = SeededRandom(seed: UInt64(round)).below(600) + 1
            let run = try await CrashWriterRun(
                killedAfter: lines, path: path, tasks: round % 3 == 0 ? 1 : 16, first: round * 1_000_000)
            #expect(run.said.last != "closed", "not killed")
            #expect(run.writes("refused").isEmpty)
            acknowledged.formUnion(run.writes("acknowledged"))
            try await check(acknowledged, "round \(round)")
        }
        #expect(acknowledged.count > 1000)
    }

    @Test(
        "each write is in the log, and the log flushed, before it is acknowledged",
        .enabled(if: CrashWriterRun.isTraceable, CrashWriterRun.absence), arguments: [1, 8])
    func order(_ tasks: Int) throws {
        let run = try CrashWriterRun(path: path, tasks: tasks, count: 20)
        #expect(run.said.last == "closed")
        #expect(run.writes("acknowledged").count == 20 * tasks)
        // The writes in the log, and whether it was flushed since; as many writes as a commit has may be acknowledged
        // after it.
        var (isDirty, flushes, acknowledged) = (false, 0, 0)
        for call in run.calls {
            if call.contains("pwrite64("), call.contains("-wal>") { isDirty = true }
            if call.contains("fdatasync("), call.contains("-wal>") {
                isDirty = false
                flushes += 1
            }
            if call.contains("write(1<"), call.contains("acknowledged") {
                acknowledged += 1
                if tasks == 1 {
                    #expect(!isDirty, "acknowledged before the flush")
                    // One for each; before them those of the migration.
                    #expect(flushes >= acknowledged, "acknowledged without a flush")
                }
            }
        }
        #expect(acknowledged == 20 * tasks)
        #expect(flushes > 0)
        if tasks > 1 { #expect(flushes < acknowledged, "nothing was committed together") }
    }

    @Test(
        "a disk that fails or is full loses nothing that was acknowledged, and leaves no half of what was refused",
        .enabled(if: CrashWriterRun.isTraceable, CrashWriterRun.absence),
        arguments: ["pwrite64", "fdatasync"], ["error=EIO", "error=ENOSPC", "signal=KILL"])
    func failingDisk(_ call: String, _ fault: String) async throws {
        var tampered = 0
        // A single failure, and a disk that fails from then on. Several threads write: which call is the third differs
        // in each run.
        let purpose = "\(call) \(fault) of the store"
        let reached = CrashPoints.some(1, of: ["1", "2", "3", "5", "8"], in: purpose) + ["8+"]
        let late = CrashPoints.some(1, of: ["13", "21", "21+"], in: purpose)
        for when in reached + late {
            let injected = "\(call):\(fault):when=\(when)"
            let run = try CrashWriterRun(path: path, tasks: 4, count: 10, fault: injected)
            if run.wasTampered { tampered += 1 }
            // The next writer succeeds.
            let after = try CrashWriterRun(path: path, tasks: 2, first: 100, count: 3)
            #expect(after.writes("acknowledged").count == 6, "\(injected)")
            try await check(run.writes("acknowledged").union(after.writes("acknowledged")), injected)
            for line in run.said where line.hasPrefix("refused") || line.hasPrefix("failed") {
                let isTold = ["diskFull", "failed(code: \"SQLite", "unavailable", "damaged"].contains {
                    line.contains($0)
                }
                #expect(isTold, "\(injected): \(line)")
            }
            try FileManager.default.removeItem(atPath: "\(folder.path)/store")
        }
        // Fewer writes may be committed than the last ones need.
        #expect(tampered >= reached.count)
    }
}
