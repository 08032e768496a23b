internal import AuthAPI
internal import Foundation
internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Tokens

@testable internal import AuthStore
@testable internal import SQLStore

@Suite("Backups of SQLite")
final class SQLiteBackupTests {
    private let folder: TemporaryFolder
    private var copy: String { "\(folder.path)/copy.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String = "store") async throws -> SQLiteDatabase {
        try await .migrated(at: "\(folder.path)/\(name)/fueki.sqlite", to: AuthTables.migrations)
    }

    private var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }

    @Test("after a restore all data exist, and every user has to sign in again")
    func restore() async throws {
        let database = try await open()
        try await database.write { transaction in
            try StoredAccount(1).add(in: transaction)
            _ = try Passkeys.add(StoredAccount(1).passkey(1), sealer: sealer, in: transaction)
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
        #expect(records.passkeys == [StoredAccount(1).passkey(1)])
        #expect(records.sessions.map(\.revokedReason) == ["restored"])
        await restored.close()
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
}
