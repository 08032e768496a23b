internal import AuthAPI
internal import TestSupport
internal import Testing

@testable internal import AuthServer
@testable internal import SQLStore

private struct Refusal: Error, Equatable {}

@Suite("Transactions")
struct TransactionTests {
    private static func spend(_ byte: UInt8, in transaction: some Transaction) throws(StoreError) {
        guard try SpentValues.spend(bytes(byte), until: now, in: transaction) else { throw .conflict }
    }

    private static func spent(_ database: any Database) async throws -> [[UInt8]] {
        try await database.read { transaction in
            try transaction.run("SELECT value FROM spent_values ORDER BY value", []).map { try $0.bytes(0) }
        }
    }

    @Test("all of a write is there afterwards, and what it returns is handed over", arguments: StoreUnderTest.expected)
    func commits(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let answer = try await database.write { transaction in
                try Self.spend(1, in: transaction)
                try Self.spend(2, in: transaction)
                return transaction.changes
            }
            #expect(answer == 1)
            #expect(try await Self.spent(database) == [bytes(1), bytes(2)])
        }
    }

    @Test("nothing of a write that throws is there afterwards", arguments: StoreUnderTest.expected)
    func rollsBack(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await #expect(throws: Refusal()) {
                try await database.write { transaction in
                    try Self.spend(1, in: transaction)
                    throw Refusal()
                }
            }
            #expect(try await Self.spent(database) == [])
        }
    }

    @Test("a write that goes on after a failed statement fails as a whole", arguments: StoreUnderTest.expected)
    func caughtFailure(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await #expect(throws: StoreError.conflict) {
                try await database.write { transaction in
                    try Self.spend(1, in: transaction)
                    for _ in 0..<2 {
                        _ = try? transaction.run(
                            "INSERT INTO spent_values (value, expires_at) VALUES ($1, $2)",
                            [.bytes(bytes(1)), .integer(0)])
                    }
                    #expect(throws: StoreError.conflict) { try Self.spend(2, in: transaction) }
                }
            }
            #expect(try await Self.spent(database) == [])
        }
    }

    @Test(
        "a write that throws takes nothing of those along that are committed with it",
        arguments: StoreUnderTest.expected)
    func neighbours(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await withTaskGroup(of: Bool.self) { group in
                for number in UInt8.min..<200 {
                    group.addTask {
                        do {
                            try await database.write { transaction in
                                try Self.spend(number, in: transaction)
                                if number % 3 == 0 { throw Refusal() }
                                if number % 3 == 1 {
                                    _ = try transaction.run("SELECT nothing FROM nowhere", [])
                                }
                            }
                            return true
                        } catch { return false }
                    }
                }
                var done = 0
                for await isDone in group where isDone { done += 1 }
                #expect(done == 66)
            }
            #expect(try await Self.spent(database) == (UInt8.min..<200).filter { $0 % 3 == 2 }.map { bytes($0) })
        }
    }

    @Test("reading changes nothing, and cannot", arguments: StoreUnderTest.expected)
    func readOnly(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await #expect(throws: StoreError.self) {
                try await database.read { transaction in try Self.spend(1, in: transaction) }
            }
            #expect(try await Self.spent(database) == [])
        }
    }

    @Test("values come back as they went in", arguments: StoreUnderTest.expected)
    func values(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let kinds = Array(Injections.texts)
            try await database.write { transaction in
                for (number, kind) in kinds.enumerated() {
                    try SecurityEvents.add(
                        SecurityEventRow(
                            id: bytes(UInt8(number), 16), account: nil, kind: kind, at: now.plus(Int64(number)),
                            details: Array(kind.utf8)), sealer: sealer, in: transaction)
                }
            }
            let rows = try await database.read { transaction in
                try transaction.run("SELECT kind, at, account_id FROM security_events ORDER BY at", [])
            }
            #expect(try rows.map { try $0.text(0) } == kinds)
            #expect(try rows.map { try $0.integer(1) } == kinds.indices.map { now.milliseconds + Int64($0) })
            #expect(rows.allSatisfy { $0.values[2] == .null })
            for integer in [Int64.min, -1, 0, 1, .max] {
                let value = try await database.write { transaction in
                    try transaction.change("DELETE FROM rate_limits", [])
                    _ = try transaction.run(
                        "INSERT INTO rate_limits (bucket, saved, updated_at) VALUES ($1, $2, $3)",
                        [.bytes(bytes(0)), .integer(integer), .integer(0)])
                    return try transaction.first("SELECT saved FROM rate_limits", [])?.integer(0)
                }
                #expect(value == integer)
            }
        }
    }

    @Test("a text with U+0000 and a value beyond the limit are refused alike", arguments: StoreUnderTest.expected)
    func unstorable(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            for value in [
                SQLValue.text("a\0b"), .bytes(bytes(1, (1 << 20) + 1)),
                .text(String(repeating: "a", count: (1 << 20) + 1)),
            ] {
                await #expect(throws: StoreError.unstorable) {
                    try await database.write { transaction in
                        _ = try transaction.run("SELECT purpose FROM server_keys WHERE purpose = $1", [value])
                    }
                }
            }
        }
    }

    @Test("too few and too many values are refused", arguments: StoreUnderTest.expected)
    func valueCount(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            for values in [[], [SQLValue.integer(1), .integer(2)]] {
                await #expect(throws: StoreError.self) {
                    try await database.write { transaction in
                        _ = try transaction.run("SELECT 1 FROM spent_values WHERE expires_at = $1", values)
                    }
                }
            }
        }
    }

    @Test("a column of another type or size is an error that names its position", arguments: StoreUnderTest.expected)
    func columns(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { try Self.spend(1, in: $0) }
            let row = try #require(
                try await database.read { try $0.first("SELECT value, expires_at FROM spent_values", []) })
            #expect(throws: StoreError.unexpectedColumn(0)) { try row.integer(0) }
            #expect(throws: StoreError.unexpectedColumn(1)) { try row.bytes(1) }
            #expect(throws: StoreError.unexpectedColumn(1)) { try row.text(1) }
            #expect(throws: StoreError.unexpectedColumn(2)) { try row.bytes(2) }
            #expect(throws: StoreError.unexpectedColumn(-1)) { try row.bytes(-1) }
            #expect(throws: StoreError.unexpectedColumn(0)) { try row.bytes(0, count: 31) }
            #expect(throws: StoreError.unexpectedColumn(0)) { try row.id(0, as: AccountID.self) }
            #expect(throws: StoreError.unexpectedColumn(1)) { try row.flag(1) }
            #expect(throws: StoreError.unexpectedColumn(0)) {
                try SQLRow([.integer(Timestamp.limit + 1)]).time(0)
            }
            #expect(throws: StoreError.unexpectedColumn(0)) { try SQLRow([.integer(.min)]).time(0) }
        }
    }

    @Test("a transaction that was kept runs nothing after its end", arguments: StoreUnderTest.expected)
    func kept(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let box = Box()
            try await database.write { box.transaction = $0 }
            #expect(throws: StoreError.transactionIsOver) {
                try box.transaction?.run("DELETE FROM accounts", [])
            }
        }
    }

    private final class Box: @unchecked Sendable { var transaction: (any Transaction)? }

    @Test("what is closed is unavailable", arguments: StoreUnderTest.expected)
    func closed(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await database.close()
            await #expect(throws: StoreError.unavailable) { try await database.write { _ in } }
            await #expect(throws: StoreError.unavailable) { try await database.read { _ in } }
        }
    }
}

/// Texts that would do something if they ever became part of a statement.
enum Injections {
    static let texts = [
        "'; DROP TABLE accounts; --", "' OR '1'='1", "\" OR \"\"=\"", "$1", "?1", ":name",
        "\\'; SELECT pg_sleep(10); --", "%s%n",
        "$$; DROP TABLE devices; $$", "/* */", "\u{2019}; --", "NULL", "", " ", "\u{feff}", "\u{202e}", "\u{1F600}",
        "\u{0301}", "\r\n\t", "\u{1}", "E'\\000'", "' || (SELECT hash FROM recovery_codes) || '",
        "1); DELETE FROM refresh_tokens; --", "\\x00", "CAST('x' AS BYTEA)",
    ]
}
