internal import Foundation
internal import GRDB
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import SQLStore

@Suite("Backups of SQLite")
final class SQLiteBackupTests {
    private let folder: TemporaryFolder
    private var copy: String { "\(folder.path)/copy.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String = "store") async throws -> SQLiteDatabase {
        let database = try await SQLiteDatabase(
            at: "\(folder.path)/\(name)/fueki.sqlite", lockSeconds: Double(Patience.seconds))
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        return database
    }

    private var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }

    @Test("a copy made under load is one state of the database, complete and readable by its owner only")
    func underLoad() async throws {
        let database = try await open()
        try await database.write { try Owners.add(1, in: $0) }
        let isOver = AtomicFlag()
        let copies = (0..<3).map { "\(folder.path)/copy\($0)" }
        let written = Tally()
        let acknowledged = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in UInt8(0)..<4 {
                group.addTask {
                    var number: Int64 = 0
                    while !isOver.isSet {
                        // Both rows, or none.
                        let value = bytes(task, 23) + withUnsafeBytes(of: number.bigEndian) { Array($0) }
                        try await database.write { transaction in
                            _ = try Marks.add(value + [0], in: transaction)
                            _ = try Marks.add(value + [1], in: transaction)
                        }
                        number += 1
                        written.add()
                    }
                    return Int(number)
                }
            }
            for copy in copies {
                let before = written.count
                try await Patience.wait(for: "writes before a copy") { written.count > before + 10 }
                try await SQLiteBackup.make(of: database, at: copy, holding: TestTables.contents)
            }
            isOver.set()
            return try await group.reduce(0, +)
        }
        await database.close()
        var counts: [Int] = []
        for copy in copies {
            let report = try await SQLiteBackup.check(copy, holding: TestTables.contents)
            #expect(
                report
                    == SQLiteBackup.Report(
                        migrations: TestTables.migrations.count, isCurrent: true,
                        counts: 1))
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let opened = try await SQLiteDatabase(at: copy)
            let values = try await opened.read { transaction in
                try Marks.all(in: transaction)
            }
            await opened.close()
            #expect(values.count % 2 == 0)
            for pair in stride(from: 0, to: values.count, by: 2) {
                #expect(values[pair].dropLast() == values[pair + 1].dropLast())
            }
            counts.append(values.count / 2)
        }
        #expect(counts == counts.sorted())
        #expect((1...acknowledged).contains(counts[2]))
    }

    private final class Tally: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func add() { number.withLock { $0 += 1 } }
    }

    private final class AtomicFlag: @unchecked Sendable {
        private let lock = NSLock()
        private var value = false
        var isSet: Bool { lock.withLock { value } }
        func set() { lock.withLock { value = true } }
    }

    @Test("a copy replaces no file, and a failed one leaves no file")
    func refusals() async throws {
        let database = try await open()
        try "there".write(toFile: copy, atomically: false, encoding: .utf8)
        await #expect(throws: StoreError.alreadyExists) {
            try await SQLiteBackup.make(of: database, at: copy, holding: TestTables.contents)
        }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "there")
        let nowhere = "\(folder.path)/missing/copy"
        await #expect(throws: StoreError.notFound) {
            try await SQLiteBackup.make(of: database, at: nowhere, holding: TestTables.contents)
        }
        await #expect(throws: StoreError.invalidAddress) {
            try await SQLiteBackup.make(of: database, at: "copy", holding: TestTables.contents)
        }
        await database.close()
        #expect(try names == ["store", "copy.sqlite"])
    }

    @Test("a copy with a changed page is reported as damaged, whichever used page it is")
    func damage() async throws {
        let database = try await open()
        try await database.write { transaction in
            for number in UInt8(1)...60 { try Owners.add(number, in: transaction) }
        }
        try await SQLiteBackup.make(of: database, at: copy, holding: TestTables.contents)
        await database.close()
        let content = try Data(contentsOf: URL(fileURLWithPath: copy))
        let damaged = "\(folder.path)/damaged"
        var found = 0
        for page in 0..<(content.count / 4096) {
            var changed = content
            // The head of the page, which contains its type.
            changed.replaceSubrange((page * 4096)..<(page * 4096 + 16), with: Data(repeating: 0xee, count: 16))
            try changed.write(to: URL(fileURLWithPath: damaged))
            do { _ = try await SQLiteBackup.check(damaged, holding: TestTables.contents) } catch { found += 1 }
        }
        #expect(found == content.count / 4096)
        try content.prefix(content.count - 4096).write(to: URL(fileURLWithPath: damaged))
        await #expect(throws: StoreError.damaged) {
            _ = try await SQLiteBackup.check(damaged, holding: TestTables.contents)
        }
        try Data("no database, though it is long enough to be one".utf8).write(to: URL(fileURLWithPath: damaged))
        await #expect(throws: StoreError.damaged) {
            _ = try await SQLiteBackup.check(damaged, holding: TestTables.contents)
        }
        await #expect(throws: StoreError.notFound) {
            _ = try await SQLiteBackup.check("\(folder.path)/none", holding: TestTables.contents)
        }
    }

    @Test("a closed store is a single file, and a copy of it by any means is complete")
    func closed() async throws {
        let database = try await open()
        try await database.write { try Owners.add(1, in: $0) }
        // A reader has a connection that cannot copy the log.
        #expect(try await database.read { try Owners.name(of: 1, in: $0) } != nil)
        await database.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/store") == ["fueki.sqlite"])
        try FileManager.default.copyItem(atPath: "\(folder.path)/store/fueki.sqlite", toPath: copy)
        #expect(try await SQLiteBackup.check(copy, holding: TestTables.contents).counts == 1)
    }

    @Test("a damaged copy is removed")
    func badCopy() async throws {
        let database = try await open()
        _ = try await database.write { transaction in
            try transaction.change(
                "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES ($1, $2, $3, $4)",
                [.integer(99), .text("of tomorrow"), .bytes([1]), .time(now)])
        }
        await #expect(throws: StoreError.unknownMigration("of tomorrow")) {
            try await SQLiteBackup.make(of: database, at: self.copy, holding: TestTables.contents)
        }
        await database.close()
        #expect(try names == ["store"])
    }

    @Test("a copy with a dangling foreign key is reported as damaged")
    func orphans() async throws {
        let database = try await open()
        try await database.write { try Owners.add(1, in: $0) }
        try await SQLiteBackup.make(of: database, at: copy, holding: TestTables.contents)
        await database.close()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let connection = try DatabaseQueue(path: copy, configuration: configuration)
        try await connection.write { try $0.execute(sql: "DELETE FROM owners") }
        try connection.close()
        await #expect(throws: StoreError.damaged) {
            _ = try await SQLiteBackup.check(copy, holding: TestTables.contents)
        }
    }

    @Test("a copy with its write-ahead log is restored with it")
    func restoreWithLog() async throws {
        let database = try await open()
        try await database.write { try Owners.add(1, in: $0) }
        try await database.emptyLog()
        // This row is in the log only.
        #expect(try await database.write { try Marks.add(bytes(1), in: $0) })
        for companion in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/store/fueki.sqlite\(companion)", toPath: copy + companion)
        }
        await database.close()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/new", withIntermediateDirectories: false)
        _ = try await SQLiteBackup.restore(copy, to: "\(folder.path)/new/fueki.sqlite", holding: TestTables.contents) {
            _, _ in
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/new") == ["fueki.sqlite"])
        let restored = try await open("new")
        #expect(try await restored.read { try Marks.all(in: $0) } == [bytes(1)])
        await restored.close()
    }

    @Test("a restore runs the program's changes, and not on the copy; a failed change leaves no database")
    func restoreChanges() async throws {
        let database = try await open()
        try await database.write { try Owners.add(1, in: $0) }
        let made = try await SQLiteBackup.make(of: database, at: copy, holding: TestTables.contents)
        await database.close()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/new", withIntermediateDirectories: false)
        let path = "\(folder.path)/new/fueki.sqlite"
        await #expect(throws: StoreError.conflict) {
            _ = try await SQLiteBackup.restore(copy, to: path, holding: TestTables.contents) {
                transaction, _ throws(StoreError) in
                try transaction.change("DELETE FROM owners", [])
                throw .conflict
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/new") == [])
        let report = try await SQLiteBackup.restore(copy, to: path, holding: TestTables.contents) {
            transaction, applied throws(StoreError) in
            guard applied == TestTables.migrations.count else { throw .conflict }
            try transaction.change("DELETE FROM owners", [])
        }
        #expect(report == made)
        #expect(report == SQLiteBackup.Report(migrations: TestTables.migrations.count, isCurrent: true, counts: 1))
        #expect(try await SQLiteBackup.check(path, holding: TestTables.contents).counts == 0)
        #expect(try await SQLiteBackup.check(copy, holding: TestTables.contents).counts == 1)
    }

    @Test("a restore replaces no database, and uses no other database's write-ahead log")
    func restoreRefusals() async throws {
        let database = try await open()
        try await SQLiteBackup.make(of: database, at: copy, holding: TestTables.contents)
        await database.close()
        let path = "\(folder.path)/target"
        for companion in ["", "-wal", "-shm", "-journal"] {
            try "x".write(toFile: path + companion, atomically: false, encoding: .utf8)
            await #expect(throws: StoreError.alreadyExists) {
                _ = try await SQLiteBackup.restore(copy, to: path, holding: TestTables.contents) { _, _ in }
            }
            try FileManager.default.removeItem(atPath: path + companion)
        }
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/nothing"))
        await #expect(throws: StoreError.damaged) {
            _ = try await SQLiteBackup.restore("\(folder.path)/nothing", to: path, holding: TestTables.contents) {
                _, _ in
            }
        }
        #expect(try names == ["store", "copy.sqlite", "nothing"])
    }
}
