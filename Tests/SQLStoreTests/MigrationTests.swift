internal import StoreTestSupport
internal import Testing

@testable internal import SQLStore

@Suite("Migrations")
struct MigrationTests {
    private static let one = Migration(name: "one", definitions: ["CREATE TABLE one (a \(.integer))"])
    private static let two = Migration(name: "two", definitions: ["CREATE TABLE two (a \(.bytes)) \(.strict)"])

    @Test("each migration runs once, in order", arguments: StoreUnderTest.expected)
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
            await #expect(throws: StoreError.unknownMigration("one")) {
                try await Migrator.isCurrent(database, with: TestTables.migrations)
            }
        }
    }

    @Test("a failed migration leaves no trace of those in its transaction", arguments: StoreUnderTest.expected)
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
                for database in databases {
                    group.addTask { try await Migrator.migrate(database, at: now, to: TestTables.migrations) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(ran == TestTables.migrations.map { "\($0.name)" })
            for database in databases { #expect(try await Migrator.isCurrent(database, with: TestTables.migrations)) }
        }
    }
}
