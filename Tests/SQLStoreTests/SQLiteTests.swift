internal import Foundation
internal import GRDB
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import SQLStore

@Suite("SQLite")
final class SQLiteTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/store/fueki.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test("commits are flushed, foreign keys are enforced, and deleted data overwritten, by the writer's own settings")
    func settings() async throws {
        let database = try await SQLiteDatabase(at: path)
        func setting(_ pragma: String) async throws -> String? {
            try await database.pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(pragma)") }
        }
        #expect(try await setting("synchronous") == "2")
        #expect(try await setting("journal_mode") == "wal")
        #expect(try await setting("foreign_keys") == "1")
        #expect(try await setting("secure_delete") == "1")
        #expect(try await setting("trusted_schema") == "0")
        #expect(try await setting("cell_size_check") == "1")
        #expect(try await setting("wal_autocheckpoint") == "0")
        await database.close()
    }

    @Test(
        "a file that was removed or replaced takes no more writes, and takes them again when it is back",
        arguments: ["", "-wal"])
    func replaced(companion: String) async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        let write = { @Sendable () async throws in
            _ = try await database.write { try $0.run("DELETE FROM schema_migrations WHERE 1 = 0", []) }
        }
        try await write()
        let (file, moved) = (path + companion, path + companion + ".moved")
        try FileManager.default.moveItem(atPath: file, toPath: moved)
        await #expect(throws: StoreError.fileReplaced) { try await write() }
        try FileManager.default.copyItem(atPath: moved, toPath: file)
        await #expect(throws: StoreError.fileReplaced) { try await write() }
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: moved, toPath: file)
        try await write()
        await database.close()
    }

    @Test("a file that was cut in place takes no more writes, and takes them again when it is whole")
    func cut() async throws {
        let first = try await SQLiteDatabase(at: path)
        _ = try await first.write { try $0.run("CREATE TABLE filler (content BLOB)", []) }
        let write = { @Sendable (database: SQLiteDatabase) async throws in
            _ = try await database.write {
                try $0.run("INSERT INTO filler (content) VALUES ($1)", [.bytes([UInt8](repeating: 1, count: 60_000))])
            }
        }
        try await write(first)
        // The end copies the log into the file.
        await first.close()
        let whole = try #require(FileIdentity(at: path)).size
        #expect(whole > 60_000)

        let database = try await SQLiteDatabase(at: path)
        // The same file, a page shorter: SQLite itself would notice when it reads that page.
        #expect(truncate(path, off_t(whole) - 4_096) == 0)
        await #expect(throws: StoreError.fileReplaced) { try await write(database) }
        #expect(truncate(path, off_t(whole)) == 0)
        try await write(database)
        await database.close()
        #expect(try #require(FileIdentity(at: path)).size > whole)
    }

    @Test("the files and their folder are accessible to their owner only")
    func modes() async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        #expect(try mode("\(folder.path)/store") == 0o700)
        for companion in ["", "-wal", "-shm"] { #expect(try mode(path + companion) == 0o600, "\(companion)") }
        await database.close()
    }

    @Test("a file that others may read, a folder that others may write to, and a link are refused")
    func insecure() async throws {
        try await SQLiteDatabase(at: path).close()
        func refused(_ path: String) async {
            await #expect(throws: StoreError.insecure) { _ = try await SQLiteDatabase(at: path) }
        }
        for wrong in [0o604, 0o640, 0o620] {
            try FileManager.default.setAttributes([.posixPermissions: wrong], ofItemAtPath: path)
            await refused(path)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        for wrong in [0o770, 0o702] {
            try FileManager.default.setAttributes([.posixPermissions: wrong], ofItemAtPath: "\(folder.path)/store")
            await refused(path)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/store")
        try await SQLiteDatabase(at: path).close()
        let link = "\(folder.path)/store/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        await refused(link)
        await #expect(throws: StoreError.invalidAddress) { _ = try await SQLiteDatabase(at: "relative.sqlite") }
    }

    @Test("a file that is not a database, and a truncated one, are reported as damaged")
    func damaged() async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        await database.close()
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        content.replaceSubrange(0..<100, with: Data(repeating: 0x41, count: 100))
        let other = "\(folder.path)/store/other"
        try content.write(to: URL(fileURLWithPath: other))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        await #expect(throws: StoreError.damaged) { _ = try await SQLiteDatabase(at: other) }
    }

    /// Keeps the writer busy until it is released.
    private final class Gate: Sendable {
        private let entered = DispatchSemaphore(value: 0)
        private let released = DispatchSemaphore(value: 0)

        func hold() {
            entered.signal()
            released.wait()
        }
        func waitUntilHeld() { entered.wait() }
        func release() { released.signal() }
    }

    @Test("writes that arrive during a commit are committed together; more than the queue holds are refused")
    func queue() async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        let before = database.commits.commits
        let gate = Gate()
        let (done, refused) = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await database.write { _ in gate.hold() }
                return true
            }
            await Task.detached { gate.waitUntilHeld() }.value
            for number in UInt32(0)..<UInt32(StoreLimits.waiting + 10) {
                group.addTask {
                    do {
                        let value = bytes(0, 28) + withUnsafeBytes(of: number) { Array($0) }
                        return try await database.write { try Marks.add(value, in: $0) }
                    } catch StoreError.overloaded { return false }
                }
            }
            var (done, refused) = (0, 0)
            // The last ten are refused while the first still runs.
            for _ in 0..<10 {
                if try await group.next() == false { refused += 1 }
            }
            gate.release()
            while let isDone = try await group.next() {
                if isDone { done += 1 } else { refused += 1 }
            }
            return (done, refused)
        }
        #expect(refused == 10)
        #expect(done == StoreLimits.waiting + 1)
        let rows = try await database.read { try $0.run("SELECT mark FROM marks", []).count }
        #expect(rows == StoreLimits.waiting)
        #expect(database.commits.commits - before == StoreLimits.waiting / StoreLimits.commitTogether + 1)
        await database.close()
    }

    @Test("a file that cannot grow fails new data, keeps its contents, and works again when there is room")
    func full() async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        func limit(_ pages: Int) async throws {
            try await database.pool.writeWithoutTransaction { connection in
                _ = try Int.fetchOne(connection, sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        let pages = try #require(
            try await database.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA page_count") })
        try await limit(pages)
        #expect(try await database.write { try Marks.add(bytes(1), in: $0) })
        let outcomes = await withTaskGroup(of: (UInt8, StoreError?).self) { group in
            for number in UInt8(2)..<40 {
                group.addTask {
                    do {
                        try await database.write { transaction in
                            _ = try Marks.add(bytes(number), in: transaction)
                            // Every second one needs more room than there is.
                            guard number % 2 == 0 else { return }
                            for part in UInt8(0)..<4 {
                                try Notes.add(
                                    bytes(number, 15) + [part], text: "large", details: bytes(0, 60_000),
                                    in: transaction)
                            }
                        }
                        return (number, nil)
                    } catch { return (number, error as? StoreError) }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let kept = try await database.read { transaction in
            try Marks.all(in: transaction)
        }
        #expect(kept.contains(bytes(1)))
        for number in UInt8(2)..<40 {
            #expect(kept.contains(bytes(number)) == (outcomes[number] == nil), "\(number)")
            if let error = outcomes[number] { #expect(error == .diskFull) }
            if number % 2 == 0 { #expect(outcomes[number] == .diskFull) }
        }
        try await limit(100_000)
        #expect(try await database.write { try Marks.add(bytes(99), in: $0) })
        #expect(try await SQLiteBackup.check(path, holding: TestTables.contents).isCurrent)
        await database.close()
    }

    @Test("the write-ahead log is copied to the file during writes, and starts again")
    func log() async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        // Each write has about 60 pages: together ten times as many as the log may have.
        let writes = StoreLimits.logPages * 10 / 60
        for number in 0..<writes {
            try await database.write { transaction in
                try Notes.add(
                    bytes(UInt8(number >> 8), 15) + [UInt8(number & 0xff)],
                    text: String(repeating: "k", count: 240_000), in: transaction)
            }
        }
        func size(_ companion: String) throws -> Int {
            try #require(
                try FileManager.default.attributesOfItem(atPath: path + companion)[.size] as? NSNumber
            ).intValue
        }
        #expect(try size("-wal") < StoreLimits.logPages * 4096 * 3)
        #expect(try size("") > writes * 240_000 / 2)
        await database.close()
        #expect(try await SQLiteBackup.check(path, holding: TestTables.contents).isCurrent)
    }

    @Test("removed data are in none of the files")
    func removal() async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        let trace = Array("a trace of the owner".utf8)
        try await database.write { transaction in
            try Owners.add(1, in: transaction)
            try Notes.add(bytes(2, 16), of: bytes(1, 16), text: "note", details: trace, in: transaction)
        }
        func filesWithTrace() throws -> [String] {
            try ["", "-wal"].filter { companion in
                try Data(contentsOf: URL(fileURLWithPath: path + companion)).range(of: Data(trace)) != nil
            }
        }
        try await database.emptyLog()
        #expect(try filesWithTrace() == [""])
        // The note is deleted with its owner.
        let removed = try await database.write { try $0.change("DELETE FROM owners", []) }
        #expect(removed == 1)
        try await database.emptyLog()
        #expect(try filesWithTrace() == [])
        await database.close()
    }

    @Test("a write-ahead log that a reader needs is emptied after it, and no write waits for that")
    func emptyingBehindReader() async throws {
        let database = try await SQLiteDatabase(at: path)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        try await database.write { try Owners.add(1, in: $0) }
        let (arrived, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let reading: Void = database.read { transaction in
            _ = try transaction.run("SELECT owner_id FROM owners", [])
            arrived.signal()
            leave.wait()
        }
        await withCheckedContinuation { caller in
            DispatchQueue.global().async {
                arrived.wait()
                caller.resume()
            }
        }
        // After the reader's state, which keeps the log.
        try await database.write { try Owners.add(2, in: $0) }
        database.forgetDeleted()
        for number in UInt8(3)..<30 { try await database.write { try Owners.add(number, in: $0) } }
        leave.signal()
        try await reading
        try await database.emptyLog()
        await database.close()
    }
}
