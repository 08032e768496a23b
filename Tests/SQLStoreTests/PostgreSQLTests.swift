internal import Foundation
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import SQLStore

@Suite("PostgreSQL", .enabled(if: Peer.postgreSQL.isExpected, Comment(rawValue: Peer.postgreSQL.absence)))
struct PostgreSQLTests {
    /// Opens a new database of the shared server, and closes it afterwards.
    /// On a busy machine a transaction may wait for long: no time limit is reached unless a test is about it.
    private func with(
        connections: Int = 4, statementMilliseconds: Int64 = 600_000, patienceMilliseconds: Int64 = 3_600_000,
        _ body: (PostgreSQLDatabase, _ address: String) async throws -> Void
    ) async throws {
        let address = try PostgreSQL.shared.get().makeDatabase()
        let database = try await PostgreSQLDatabase(
            at: PostgreSQLAddress(address), connections: connections, statementMilliseconds: statementMilliseconds,
            lockMilliseconds: 600_000, idleMilliseconds: 600_000, patienceMilliseconds: patienceMilliseconds)
        do {
            try await Migrator.migrate(database, at: now, to: TestTables.migrations)
            try await body(database, address)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    @Test("two deadlocked transactions both commit: the aborted one is retried")
    func deadlock() async throws {
        try await with { database, _ async throws in
            try await database.write { transaction in
                try Owners.add(1, in: transaction)
                try Owners.add(2, in: transaction)
            }
            let meeting = Meeting(2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (first, second) in [(UInt8(1), UInt8(2)), (2, 1)] {
                    group.addTask {
                        try await database.write { transaction in
                            let run = meeting.arrive()
                            try Owners.rename(first, to: "renamed", in: transaction)
                            // The first two wait until both have one of the rows.
                            if run <= 2 { meeting.wait() }
                            try Owners.rename(second, to: "renamed", in: transaction)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(meeting.arrived >= 3)
            for owner in UInt8(1)...2 {
                let name = try await database.read { try Owners.name(of: owner, in: $0) }
                #expect(name == "renamed")
            }
        }
    }

    /// Counts, and lets several threads continue together. A later one continues at once: a transaction whose
    /// connection was lost meanwhile, as happens to one that is idle for too long, is run again.
    private final class Meeting: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let counts: Mutex<(arrived: Int, missing: Int)>

        init(_ count: Int) { counts = Mutex((0, count)) }

        var arrived: Int { counts.withLock { $0.arrived } }

        @discardableResult
        func arrive() -> Int {
            counts.withLock { counts in
                counts.arrived += 1
                return counts.arrived
            }
        }

        func wait() {
            let missing = counts.withLock { counts in
                counts.missing -= 1
                return counts.missing
            }
            if missing > 0 { semaphore.wait() } else { semaphore.signal() }
        }
    }

    @Test("a statement that takes too long is aborted, and the connection is reused")
    func timeout() async throws {
        try await with(connections: 1, statementMilliseconds: 1_000) { database, _ async throws in
            await #expect(throws: StoreError.timedOut) {
                try await database.read { _ = try $0.run("SELECT pg_sleep(600)", []) }
            }
            #expect(try await database.read { try $0.first("SELECT 1", [])?.integer(0) } == 1)
        }
    }

    @Test("a transaction whose connection is lost before the commit is retried")
    func lostConnection() async throws {
        try await with(connections: 1) { database, address async throws in
            let meeting = Meeting(1)
            try await database.write { transaction in
                let run = meeting.arrive()
                guard try Marks.add(bytes(1), in: transaction) else { throw StoreError.conflict }
                if run == 1 {
                    _ = try PostgreSQL.shared.get().ask(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """, in: address)
                }
                guard try Marks.add(bytes(2), in: transaction) else { throw StoreError.conflict }
            }
            #expect(meeting.arrived == 2)
            let kept = try await database.read { try $0.run("SELECT mark FROM marks", []).count }
            #expect(kept == 2)
        }
    }

    @Test("a connection that has lost its prepared statements is replaced")
    func forgottenStatements() async throws {
        try await with(connections: 1) { database, _ async throws in
            for _ in 0..<3 {
                #expect(try await database.read { try $0.first("SELECT 7", [])?.integer(0) } == 7)
                _ = try await database.read { try $0.run("DEALLOCATE ALL", []) }
            }
        }
    }

    @Test("a commit whose answer is lost is reported as unknown, and not retried")
    func lostAnswer() async throws {
        try await with(connections: 1) { database, address async throws in
            // Its own backend is ended while it commits.
            let server = try PostgreSQL.shared.get()
            try server.ask(
                """
                CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER go_away AFTER INSERT ON marks DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION go_away();
                """, in: address)
            let meeting = Meeting(1)
            await #expect(throws: StoreError.outcomeUnknown) {
                try await database.write { transaction in
                    meeting.arrive()
                    _ = try Marks.add(bytes(1), in: transaction)
                }
            }
            #expect(meeting.arrived == 1)
            try await database.write { try Owners.add(1, in: $0) }
        }
    }

    // MARK: - Servers that do not answer, and servers that change places

    /// Stops the processes of a server's connections, which keep their connections open and do not answer, while the
    /// body runs.
    private func stopping(_ processes: [Int32], _ body: () async throws -> Void) async throws {
        for process in processes { #expect(kill(process, SIGSTOP) == 0) }
        defer { for process in processes { kill(process, SIGCONT) } }
        try await body()
    }

    private func process(of transaction: any Transaction) throws -> Int32 {
        Int32(clamping: try transaction.first("SELECT pg_backend_pid()", [])?.integer(0) ?? 0)
    }

    /// Returns the process of a database's only connection; on a busy machine, after several attempts.
    private func process(of database: PostgreSQLDatabase) async throws -> Int32 {
        var process: Int32?
        try await Patience.wait(for: "the first answer") {
            process = try? await database.read { try self.process(of: $0) }
            return process != nil
        }
        return try #require(process)
    }

    @Test("a server that stops answering is waited for up to the time limit, and used again afterwards")
    func stopped() async throws {
        let server = try PostgreSQL()
        let address = try server.makeDatabase()
        let database = try await PostgreSQLDatabase(
            at: PostgreSQLAddress(address), connections: 1, patienceMilliseconds: 1_000)
        let process = try await self.process(of: database)
        try await stopping([process]) {
            // Once for the connection that it has; a new one is another process.
            await #expect(throws: StoreError.unavailable) { try await database.read { _ = try $0.run("SELECT 1", []) } }
        }
        try await Patience.wait(for: "the server that goes on") {
            (try? await database.read { try $0.first("SELECT 5", [])?.integer(0) }) == 5
        }
        await database.close()
    }

    @Test("a commit that is not answered in time is reported as unknown")
    func stoppedCommit() async throws {
        let server = try PostgreSQL()
        let address = try server.makeDatabase()
        let database = try await PostgreSQLDatabase(
            at: PostgreSQLAddress(address), connections: 1, patienceMilliseconds: 2_000)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        let stopped = Mutex<Int32>(0)
        // On a busy machine the statements before the commit may take too long as well.
        var error: StoreError?
        try await Patience.wait(for: "a commit") {
            do {
                try await database.write { transaction in
                    _ = try Marks.add(bytes(1), in: transaction)
                    let process = try self.process(of: transaction)
                    stopped.withLock { $0 = process }
                    kill(process, SIGSTOP)
                }
            } catch let thrown as StoreError { error = thrown }
            return stopped.withLock { $0 } != 0
        }
        #expect(error == .outcomeUnknown)
        kill(stopped.withLock { $0 }, SIGCONT)
        await database.close()
    }

    @Test("callers that wait for an unresponsive server fail together, and not one after another")
    func stoppedQueue() async throws {
        let server = try PostgreSQL()
        let address = try server.makeDatabase()
        let database = try await PostgreSQLDatabase(
            at: PostgreSQLAddress(address), connections: 1, patienceMilliseconds: 2_000)
        let process = try await self.process(of: database)
        try await stopping([process]) {
            let errors = await withTaskGroup(of: StoreError?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            _ = try await database.read { try $0.run("SELECT 1", []).count }
                            return nil
                        } catch { return error as? StoreError }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // The first one used up the time limit of the connection, and by then the others had waited as long.
            #expect(errors.filter { $0 == .overloaded }.count >= 18)
        }
        await database.close()
    }

    @Test("of several servers the one that accepts writes is used, and after a failover the other one")
    func failover() async throws {
        let server = try PostgreSQL()
        let address = try server.makeDatabase()
        let first = try await PostgreSQLDatabase(at: PostgreSQLAddress(address), connections: 1)
        try await Migrator.migrate(first, at: now, to: TestTables.migrations)
        await first.close()
        let copy = try server.startStandby()
        // "host=FOLDER user=fueki dbname=NAME"
        let (host, rest) = (address.split(separator: " ")[0].dropFirst("host=".count), address.drop { $0 != " " })
        // The standby is named first.
        let database = try await PostgreSQLDatabase(
            at: PostgreSQLAddress("host=\(copy),\(host)\(rest)"), connections: 2)
        #expect(try await database.write { try Marks.add(bytes(1), in: $0) })

        // A connection to a standby looks for another server, and reports that there is none now.
        let standby = try await PostgreSQLDatabase(
            at: PostgreSQLAddress("host=\(copy)\(rest) target_session_attrs=any"), connections: 1)
        await #expect(throws: StoreError.unavailable) {
            try await standby.write { _ = try Marks.add(bytes(2), in: $0) }
        }

        try server.crash()
        await #expect(throws: (any Error).self) {
            try await database.write { _ = try Marks.add(bytes(3), in: $0) }
        }
        try server.promoteStandby()
        for (database, value) in [(database, bytes(4)), (standby, bytes(5))] {
            #expect(try await database.write { try Marks.add(value, in: $0) })
        }
        await database.close()
        await standby.close()
    }

    @Test("more transactions than the queue holds are refused, and the others run")
    func queue() async throws {
        try await with(connections: 1) { database, _ async throws in
            let meeting = Meeting(2)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await database.read { _ in
                        meeting.arrive()
                        meeting.wait()
                    }
                    return true
                }
                try await Patience.wait(for: "the first transaction") { meeting.arrived > 0 }
                for _ in 0..<(StoreLimits.waiting + 5) {
                    group.addTask {
                        do {
                            try await database.read { _ in }
                            return true
                        } catch StoreError.overloaded { return false }
                    }
                }
                // The last ones are refused while the first still runs.
                for _ in 0..<5 { #expect(try await group.next() == false) }
                meeting.wait()
                var done = 0
                for try await isDone in group where isDone { done += 1 }
                #expect(done == StoreLimits.waiting + 1)
            }
        }
    }

    @Test("a commit waits for the disk, whatever the server's settings are")
    func synchronousCommit() async throws {
        let server = try PostgreSQL.shared.get()
        let address = try server.makeDatabase()
        let name = try #require(address.split(separator: "=").last)
        try server.ask("ALTER DATABASE \(name) SET synchronous_commit = off")
        let database = try await PostgreSQLDatabase(at: PostgreSQLAddress(address), connections: 1)
        let setting = try await database.read { transaction in
            try transaction.first("SELECT current_setting('synchronous_commit')", [])?.text(0)
        }
        #expect(setting == "on")
        await database.close()
    }

    @Test("an unreachable server is unavailable")
    func absent() async throws {
        let folder = try TemporaryFolder()
        let address = try PostgreSQLAddress("host=\(folder.path) dbname=none user=none")
        let error = await #expect(throws: StoreError.self) {
            _ = try await PostgreSQLDatabase(at: address, connections: 1)
        }
        guard case .notReached(let reason) = error else { throw error ?? .unavailable }
        // The message of libpq: which socket it tried, and that it does not exist.
        #expect(reason.contains(folder.path) && reason.contains("No such file"))
        #expect(!reason.contains("\n"))
    }

    @Test(
        "an address with a password, without a host, or over a network without checks is refused",
        arguments: [
            ("host=/run/postgresql password=hunter2 dbname=a", StoreError.insecure),
            ("postgresql://user:hunter2@127.0.0.1/a", .insecure),
            ("host=/run/postgresql sslpassword=hunter2", .insecure),
            ("host=db.example.org dbname=a", .insecure),
            ("host=db.example.org dbname=a sslmode=require", .insecure),
            ("host=db.example.org dbname=a sslmode=verify-ca", .insecure),
            ("host=127.0.0.1,db.example.org dbname=a", .insecure),
            ("host=127.0.0.1 hostaddr=192.0.2.1 dbname=a", .insecure),
            ("host=localhost dbname=a", .insecure),
            ("host=127.0.0.1, dbname=a", .invalidAddress), ("host=127.0.0.1,,::1 dbname=a", .invalidAddress),
            ("dbname=a", .invalidAddress), ("", .invalidAddress), ("host", .invalidAddress),
            ("host=/run nonsense=1", .invalidAddress), ("host=/run service=other", .invalidAddress),
            ("host=/run dbname='a", .invalidAddress), ("host=/run\0", .invalidAddress),
        ])
    func refusedAddresses(_ text: String, _ error: StoreError) {
        #expect(throws: error) { try PostgreSQLAddress(text) }
    }

    @Test(
        "an address of this machine, or with everything checked, is taken",
        arguments: [
            "host=/run/postgresql dbname=a", "host=127.0.0.1 dbname=a", "host=::1",
            "postgresql:///a?host=/run/postgresql",
            "postgresql://db.example.org/a?sslmode=verify-full", "host=db.example.org,127.0.0.1 sslmode=verify-full",
        ])
    func takenAddresses(_ text: String) throws {
        _ = try PostgreSQLAddress(text)
    }

    @Test("a server that crashes and restarts under load keeps acknowledged writes, and no refused ones")
    func restart() async throws {
        // A server of its own, which no other test uses.
        let server = try PostgreSQL()
        let address = try server.makeDatabase()
        let database = try await PostgreSQLDatabase(at: PostgreSQLAddress(address), connections: 8)
        try await Migrator.migrate(database, at: now, to: TestTables.migrations)
        let end = Meeting(1)
        let acknowledged = Meeting(1)
        let outcomes = try await withThrowingTaskGroup(of: [(UInt8, Int64, StoreError?)].self) { group in
            for task in UInt8(0)..<16 {
                group.addTask {
                    var outcomes: [(UInt8, Int64, StoreError?)] = []
                    var number: Int64 = 0
                    while end.arrived == 0 {
                        number += 1
                        let value = bytes(task, 24) + withUnsafeBytes(of: number.bigEndian) { Array($0) }
                        do {
                            let isFirst = try await database.write {
                                try Marks.add(value, in: $0)
                            }
                            #expect(isFirst, "written twice")
                            acknowledged.arrive()
                            outcomes.append((task, number, nil))
                        } catch let error as StoreError {
                            outcomes.append((task, number, error))
                        }
                    }
                    return outcomes
                }
            }
            for _ in 0..<3 {
                let before = acknowledged.arrived
                try await Patience.wait(for: "writes before a crash") { acknowledged.arrived > before + 10 }
                try server.crashAndRestart()
            }
            try await Patience.wait(for: "writes") { acknowledged.arrived > 30 }
            end.arrive()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let kept = try await database.read { transaction in
            Set(try transaction.run("SELECT mark FROM marks", []).map { try $0.bytes(0) })
        }
        for (task, number, error) in outcomes {
            let isKept = kept.contains(bytes(task, 24) + withUnsafeBytes(of: number.bigEndian) { Array($0) })
            switch error {
            case nil: #expect(isKept, "acknowledged, and lost")
            case .outcomeUnknown?: break
            case .unavailable?: #expect(!isKept, "refused, and there")
            case let error?: Issue.record("\(error)")
            }
        }
        // Otherwise nothing was tried.
        #expect(outcomes.filter { $0.2 == nil }.count > 30)
        await database.close()
    }
}
