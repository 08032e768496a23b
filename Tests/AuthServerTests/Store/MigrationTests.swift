internal import AuthAPI
internal import TestSupport
internal import Testing

@testable internal import AuthServer

@Suite("Migrations")
struct MigrationTests {
    private static let one = Migration(name: "one", definitions: ["CREATE TABLE one (a \(.integer))"])
    private static let two = Migration(name: "two", definitions: ["CREATE TABLE two (a \(.bytes)) \(.strict)"])

    @Test("each runs once, in order", arguments: StoreUnderTest.expected)
    func order(_ store: StoreUnderTest) async throws {
        try await store.withEmpty { database async throws in
            #expect(try await Migrator.migrate(database, at: now, to: [Self.one]) == ["one"])
            #expect(try await Migrator.migrate(database, at: now, to: [Self.one]) == [])
            #expect(try await Migrator.migrate(database, at: now, to: [Self.one, Self.two]) == ["two"])
            _ = try await database.read { try $0.run("SELECT one.a, two.a FROM one, two", []) }
        }
    }

    @Test(
        "one that was changed, one that is missing, and one out of order refuse to start",
        arguments: StoreUnderTest.expected)
    func refusals(_ store: StoreUnderTest) async throws {
        try await store.withEmpty { database async throws in
            try await Migrator.migrate(database, at: now, to: [Self.one, Self.two])
            let changed = Migration(name: "two", definitions: ["CREATE TABLE two (a \(.bytes))"])
            await #expect(throws: StoreError.migrationWasChanged("two")) {
                try await Migrator.migrate(database, at: now, to: [Self.one, changed])
            }
            await #expect(throws: StoreError.unknownMigration("two")) {
                try await Migrator.migrate(database, at: now, to: [Self.one])
            }
            await #expect(throws: StoreError.unknownMigration("one")) {
                try await Migrator.migrate(database, at: now, to: [Self.two, Self.one])
            }
            await #expect(throws: StoreError.unknownMigration("one")) { try await Migrator.isCurrent(database) }
        }
    }

    @Test("one that fails leaves nothing of those that ran with it", arguments: StoreUnderTest.expected)
    func failure(_ store: StoreUnderTest) async throws {
        try await store.withEmpty { database async throws in
            let broken = Migration(
                name: "broken", definitions: ["CREATE TABLE three (a \(.integer))", "CREATE TABLE ("])
            await #expect(throws: StoreError.self) {
                try await Migrator.migrate(database, at: now, to: [Self.one, broken])
            }
            for table: SQL in ["SELECT a FROM one", "SELECT a FROM three", "SELECT name FROM schema_migrations"] {
                await #expect(throws: StoreError.self) { try await database.read { try $0.run(table, []) } }
            }
            #expect(try await Migrator.migrate(database, at: now, to: [Self.one]) == ["one"])
        }
    }

    @Test("of servers that start together one migrates, and the others wait for it", arguments: StoreUnderTest.expected)
    func together(_ store: StoreUnderTest) async throws {
        try await store.withEmpty(openedTimes: 4) { databases in
            let ran = try await withThrowingTaskGroup(of: [String].self) { group in
                for database in databases { group.addTask { try await Migrator.migrate(database, at: now) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(ran == Migration.all.map { "\($0.name)" })
            for database in databases { #expect(try await Migrator.isCurrent(database)) }
        }
    }

    @Test("the migrations that have run anywhere are the ones that they were")
    func golden() {
        #expect(
            Migration.all.map { "\($0.name) \(hex($0.digest))" } == [
                "001 first tables 13bdb91d6ea4ef8a9f0628338be6ef745b3e917cd8e0cb5b797bbf08c0e94272",
                "002 metadata number e72b76a8da6bbc599c22aa620e05aae009451893f7d4bbf3944baaec00172131",
            ])
    }

    @Test("what the store had before a migration is there after it", arguments: StoreUnderTest.expected)
    func kept(_ store: StoreUnderTest) async throws {
        try await store.withEmpty { database async throws in
            try await Migrator.migrate(database, at: now, to: [.firstTables])
            #expect(try await !Migrator.isCurrent(database))
            _ = try await database.write { transaction in
                try transaction.change(
                    """
                    INSERT INTO accounts (account_id, name_sealed, created_at, sessions_not_before)
                    VALUES ($1, $2, $3, $4)
                    """,
                    [.id(id(1) as AccountID), try sealer.seal(text: "Ada", at: Self.name), .time(now), .time(now)])
            }
            try await Migrator.migrate(database, at: now)
            #expect(try await Migrator.isCurrent(database))
            let account = try await database.read { try Accounts.find(id(1), sealer: sealer, in: $0) }
            #expect(account == AccountRow(id: id(1), name: "Ada", createdAt: now))
        }
    }

    private static let name = ColumnSealer.Place("accounts", "name_sealed", row: (id(1) as AccountID).bytes)
}
