internal import AuthAPI
internal import Foundation
internal import GRDB
internal import Secrets
internal import TestSupport
internal import Testing
internal import Tokens

@testable internal import AuthServer
@testable internal import SQLStore

@Suite("Backups of SQLite")
final class SQLiteBackupTests {
    private let folder: TemporaryFolder
    private var copy: String { "\(folder.path)/copy.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String = "store") async throws -> SQLiteDatabase {
        let database = try await SQLiteDatabase(at: "\(folder.path)/\(name)/fueki.sqlite")
        try await Migrator.migrate(database, at: now, to: AuthTables.migrations)
        return database
    }

    private var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }

    @Test("a copy that is made under load is one moment of the database, whole and for its owner only")
    func underLoad() async throws {
        let database = try await open()
        try await database.write { try Household(1).add(in: $0) }
        let isOver = AtomicFlag()
        let copies = (0..<3).map { "\(folder.path)/copy\($0)" }
        let acknowledged = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in UInt8(0)..<4 {
                group.addTask {
                    var number: Int64 = 0
                    while !isOver.isSet {
                        // Both rows, or none.
                        let value = bytes(task, 23) + withUnsafeBytes(of: number.bigEndian) { Array($0) }
                        try await database.write { transaction in
                            _ = try SpentValues.spend(value + [0], until: now, in: transaction)
                            _ = try SpentValues.spend(value + [1], until: now, in: transaction)
                        }
                        number += 1
                    }
                    return Int(number)
                }
            }
            for copy in copies {
                try await Task.sleep(for: .milliseconds(60))
                try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
            }
            isOver.set()
            return try await group.reduce(0, +)
        }
        await database.close()
        var counts: [Int] = []
        for copy in copies {
            let report = try await SQLiteBackup.check(copy, holding: AuthTables.contents)
            #expect(
                report
                    == SQLiteBackup.Report(
                        migrations: AuthTables.migrations.count, isCurrent: true,
                        counts: AuthTables.Counts(accounts: 1, sessions: 1)))
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let opened = try await SQLiteDatabase(at: copy)
            let values = try await opened.read { transaction in
                try transaction.run("SELECT value FROM spent_values ORDER BY value", []).map { try $0.bytes(0) }
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

    private final class AtomicFlag: @unchecked Sendable {
        private let lock = NSLock()
        private var value = false
        var isSet: Bool { lock.withLock { value } }
        func set() { lock.withLock { value = true } }
    }

    @Test("a copy replaces nothing, and a failed one leaves nothing behind")
    func refusals() async throws {
        let database = try await open()
        try "there".write(toFile: copy, atomically: false, encoding: .utf8)
        await #expect(throws: StoreError.alreadyExists) {
            try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "there")
        let nowhere = "\(folder.path)/missing/copy"
        await #expect(throws: StoreError.notFound) {
            try await SQLiteBackup.make(of: database, at: nowhere, holding: AuthTables.contents)
        }
        await #expect(throws: StoreError.invalidAddress) {
            try await SQLiteBackup.make(of: database, at: "copy", holding: AuthTables.contents)
        }
        await database.close()
        #expect(try names == ["store", "copy.sqlite"])
    }

    @Test("a copy with a changed page is found to be damaged, wherever the change is in a page that is used")
    func damage() async throws {
        let database = try await open()
        try await database.write { transaction in
            for number in UInt8(1)...60 { try Household(number).add(in: transaction) }
        }
        try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        await database.close()
        let content = try Data(contentsOf: URL(fileURLWithPath: copy))
        let damaged = "\(folder.path)/damaged"
        var found = 0
        for page in 0..<(content.count / 4096) {
            var changed = content
            // The head of the page, which says what is on it.
            changed.replaceSubrange((page * 4096)..<(page * 4096 + 16), with: Data(repeating: 0xee, count: 16))
            try changed.write(to: URL(fileURLWithPath: damaged))
            do { _ = try await SQLiteBackup.check(damaged, holding: AuthTables.contents) } catch { found += 1 }
        }
        #expect(found == content.count / 4096)
        try content.prefix(content.count - 4096).write(to: URL(fileURLWithPath: damaged))
        await #expect(throws: StoreError.damaged) {
            _ = try await SQLiteBackup.check(damaged, holding: AuthTables.contents)
        }
        try Data("no database, though it is long enough to be one".utf8).write(to: URL(fileURLWithPath: damaged))
        await #expect(throws: StoreError.damaged) {
            _ = try await SQLiteBackup.check(damaged, holding: AuthTables.contents)
        }
        await #expect(throws: StoreError.notFound) {
            _ = try await SQLiteBackup.check("\(folder.path)/none", holding: AuthTables.contents)
        }
    }

    @Test("of a closed store one file is left, and a copy of it by any means has everything")
    func closed() async throws {
        let database = try await open()
        try await database.write { try Household(1).add(in: $0) }
        // Whoever reads has a connection that cannot copy the log.
        #expect(try await database.read { try Accounts.find(id(1), sealer: sealer, in: $0) } != nil)
        await database.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/store") == ["fueki.sqlite"])
        try FileManager.default.copyItem(atPath: "\(folder.path)/store/fueki.sqlite", toPath: copy)
        #expect(try await SQLiteBackup.check(copy, holding: AuthTables.contents).counts.accounts == 1)
    }

    @Test("a copy that is found to be bad is not left there")
    func badCopy() async throws {
        let database = try await open()
        _ = try await database.write { transaction in
            try transaction.change(
                "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES ($1, $2, $3, $4)",
                [.integer(99), .text("of tomorrow"), .bytes([1]), .time(now)])
        }
        await #expect(throws: StoreError.unknownMigration("of tomorrow")) {
            try await SQLiteBackup.make(of: database, at: self.copy, holding: AuthTables.contents)
        }
        await database.close()
        #expect(try names == ["store"])
    }

    @Test("a copy in which a session points at nobody is found to be damaged")
    func orphans() async throws {
        let database = try await open()
        try await database.write { try Household(1).add(in: $0) }
        try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        await database.close()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let connection = try DatabaseQueue(path: copy, configuration: configuration)
        try await connection.write { try $0.execute(sql: "DELETE FROM accounts") }
        try connection.close()
        await #expect(throws: StoreError.damaged) {
            _ = try await SQLiteBackup.check(copy, holding: AuthTables.contents)
        }
    }

    @Test("after a restoration everything is there, and everybody signs in again")
    func restore() async throws {
        let database = try await open()
        try await database.write { transaction in
            try Household(1).add(in: transaction)
            _ = try Passkeys.add(Household(1).passkey(1), sealer: sealer, in: transaction)
        }
        try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        await database.close()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/new", withIntermediateDirectories: false)
        let report = try await AuthTables.restore(copy, to: "\(folder.path)/new/fueki.sqlite", at: now.plus(9))
        #expect(
            report
                == SQLiteBackup.Report(
                    migrations: AuthTables.migrations.count, isCurrent: true,
                    counts: AuthTables.Counts(accounts: 1, sessions: 1)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/new") == ["fueki.sqlite"])
        let restored = try await open("new")
        let records = try #require(
            try await AccountRecords.export(id(1), sealer: sealer, from: restored))
        #expect(records.passkeys == [Household(1).passkey(1)])
        #expect(records.sessions.map(\.revokedReason) == ["restored"])
        await restored.close()
    }

    @Test("a copy that still has its log is restored with it")
    func restoreWithLog() async throws {
        let database = try await open()
        try await database.write { try Household(1).add(in: $0) }
        try await database.emptyLog()
        // This is in the log only.
        try await database.write { transaction in
            _ = try RecoveryCodes.replaceAll(
                of: id(1),
                with: [
                    RecoveryCodeRow(
                        selector: bytes(1, 5), account: id(1), salt: bytes(2, 16), hash: bytes(3), createdAt: now,
                        usedAt: now)
                ], in: transaction)
        }
        for companion in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/store/fueki.sqlite\(companion)", toPath: copy + companion)
        }
        await database.close()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/new", withIntermediateDirectories: false)
        _ = try await AuthTables.restore(copy, to: "\(folder.path)/new/fueki.sqlite", at: now)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/new") == ["fueki.sqlite"])
        let restored = try await open("new")
        #expect(try await restored.read { try RecoveryCodes.find(bytes(1, 5), in: $0)?.usedAt } == now)
        await restored.close()
    }

    @Test("a restoration voids challenges and proofs: which of them were used after the copy was made, nobody knows")
    func restoreSpent() async throws {
        let database = try await open()
        let configuration = try TestServer.configuration()
        func start(_ database: SQLiteDatabase) async throws -> KeyRing.Snapshot {
            try await AuthServer(
                configuration, sealer: sealer, database: database, clock: { now }, random: SystemRandom(),
                logger: RecordingLog().logger
            ).backend.keys.current
        }
        let before = try await start(database)
        try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        await database.close()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/new", withIntermediateDirectories: false)
        _ = try await AuthTables.restore(copy, to: "\(folder.path)/new/fueki.sqlite", at: now)
        let restored = try await open("new")
        let after = try await start(restored)
        await restored.close()
        let challenge = before.challenge.authenticate([1])
        #expect(!after.challenges.contains { $0.isValid(challenge, for: [1]) })
        #expect(after.nonces.issue(now: now) != before.nonces.issue(now: now))
        #expect(after.verification.document == before.verification.document)
    }

    @Test(
        "a restoration voids invitations, of which some may have been used since; a copy from before there were any is taken"
    )
    func restoreInvitations() async throws {
        let database = try await open()
        try await database.write { try Invitations.add(bytes(1), until: now.plus(1_000), in: $0) }
        try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        await database.close()
        let old = try await SQLiteDatabase(at: "\(folder.path)/old/fueki.sqlite")
        try await Migrator.migrate(old, at: now, to: [.firstTables, .metadataNumber])
        try await SQLiteBackup.make(of: old, at: "\(folder.path)/old-copy.sqlite", holding: AuthTables.contents)
        await old.close()
        for (copy, name) in [(copy, "new"), ("\(folder.path)/old-copy.sqlite", "older")] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
            _ = try await AuthTables.restore(copy, to: "\(folder.path)/\(name)/fueki.sqlite", at: now)
            let restored = try await open(name)
            #expect(try await restored.read { try Invitations.count(at: now, in: $0) } == 0)
            await restored.close()
        }
    }

    @Test("a restoration replaces no database, and joins no log of another one")
    func restoreRefusals() async throws {
        let database = try await open()
        try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        await database.close()
        let path = "\(folder.path)/target"
        for companion in ["", "-wal", "-shm", "-journal"] {
            try "x".write(toFile: path + companion, atomically: false, encoding: .utf8)
            await #expect(throws: StoreError.alreadyExists) {
                _ = try await AuthTables.restore(copy, to: path, at: now)
            }
            try FileManager.default.removeItem(atPath: path + companion)
        }
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/nothing"))
        await #expect(throws: StoreError.damaged) {
            _ = try await AuthTables.restore("\(folder.path)/nothing", to: path, at: now)
        }
        #expect(try names == ["store", "copy.sqlite", "nothing"])
    }
}
