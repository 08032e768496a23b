internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import SQLStore

private struct Refusal: Error, Equatable {}

@Suite("Transactions")
struct TransactionTests {
    private static func mark(_ byte: UInt8, in transaction: some Transaction) throws(StoreError) {
        guard try Marks.add(bytes(byte), in: transaction) else { throw .conflict }
    }

    private static func marks(_ database: any Database) async throws -> [[UInt8]] {
        try await database.read { try Marks.all(in: $0) }
    }

    @Test("a successful write is stored completely, and its result is returned", arguments: StoreUnderTest.expected)
    func commits(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let answer = try await database.write { transaction in
                try Self.mark(1, in: transaction)
                try Self.mark(2, in: transaction)
                return transaction.changes
            }
            #expect(answer == 1)
            #expect(try await Self.marks(database) == [bytes(1), bytes(2)])
        }
    }

    @Test("a write that throws leaves no trace", arguments: StoreUnderTest.expected)
    func rollsBack(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await #expect(throws: Refusal()) {
                try await database.write { transaction in
                    try Self.mark(1, in: transaction)
                    throw Refusal()
                }
            }
            #expect(try await Self.marks(database) == [])
        }
    }

    @Test("a write that continues after a failed statement fails as a whole", arguments: StoreUnderTest.expected)
    func caughtFailure(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await #expect(throws: StoreError.conflict) {
                try await database.write { transaction in
                    try Self.mark(1, in: transaction)
                    for _ in 0..<2 {
                        _ = try? transaction.run(
                            "INSERT INTO marks (mark, made_at) VALUES ($1, $2)",
                            [.bytes(bytes(1)), .integer(0)])
                    }
                    #expect(throws: StoreError.conflict) { try Self.mark(2, in: transaction) }
                }
            }
            #expect(try await Self.marks(database) == [])
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
                                try Self.mark(number, in: transaction)
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
            #expect(try await Self.marks(database) == (UInt8.min..<200).filter { $0 % 3 == 2 }.map { bytes($0) })
        }
    }

    @Test("a read transaction cannot write", arguments: StoreUnderTest.expected)
    func readOnly(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await #expect(throws: StoreError.self) {
                try await database.read { transaction in try Self.mark(1, in: transaction) }
            }
            #expect(try await Self.marks(database) == [])
        }
    }

    @Test("values are read back as written", arguments: StoreUnderTest.expected)
    func values(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let kinds = Array(Injections.texts)
            try await database.write { transaction in
                for (number, kind) in kinds.enumerated() {
                    try Notes.add(
                        bytes(UInt8(number), 16), text: kind, number: Int64(number), details: Array(kind.utf8),
                        in: transaction)
                }
            }
            let rows = try await database.read { transaction in
                try transaction.run("SELECT text, number, owner_id, details FROM notes ORDER BY number", [])
            }
            #expect(try rows.map { try $0.text(0) } == kinds)
            #expect(try rows.map { try $0.integer(1) } == kinds.indices.map { Int64($0) })
            #expect(rows.allSatisfy { $0.values[2] == .null })
            #expect(try rows.map { try $0.bytes(3) } == kinds.map { Array($0.utf8) })
            for integer in [Int64.min, -1, 0, 1, .max] {
                let value = try await database.write { transaction in
                    try transaction.change("DELETE FROM marks", [])
                    _ = try transaction.run(
                        "INSERT INTO marks (mark, made_at) VALUES ($1, $2)", [.bytes(bytes(0)), .integer(integer)])
                    return try transaction.first("SELECT made_at FROM marks", [])?.integer(0)
                }
                #expect(value == integer)
            }
        }
    }

    @Test("every store refuses a text with U+0000 and a value beyond the limit", arguments: StoreUnderTest.expected)
    func unstorable(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            for value in [
                SQLValue.text("a\0b"), .bytes(bytes(1, (1 << 20) + 1)),
                .text(String(repeating: "a", count: (1 << 20) + 1)),
            ] {
                await #expect(throws: StoreError.unstorable) {
                    try await database.write { transaction in
                        _ = try transaction.run("SELECT name FROM owners WHERE name = $1", [value])
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
                        _ = try transaction.run("SELECT 1 FROM marks WHERE made_at = $1", values)
                    }
                }
            }
        }
    }

    @Test("a column of another type or size is an error that names its position", arguments: StoreUnderTest.expected)
    func columns(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { try Self.mark(1, in: $0) }
            let row = try #require(
                try await database.read { try $0.first("SELECT mark, made_at FROM marks", []) })
            #expect(throws: StoreError.unexpectedColumn(0)) { try row.integer(0) }
            #expect(throws: StoreError.unexpectedColumn(1)) { try row.bytes(1) }
            #expect(throws: StoreError.unexpectedColumn(1)) { try row.text(1) }
            #expect(throws: StoreError.unexpectedColumn(2)) { try row.bytes(2) }
            #expect(throws: StoreError.unexpectedColumn(-1)) { try row.bytes(-1) }
            #expect(throws: StoreError.unexpectedColumn(0)) { try row.bytes(0, count: 31) }
            #expect(throws: StoreError.unexpectedColumn(1)) { try row.flag(1) }
            #expect(throws: StoreError.unexpectedColumn(0)) {
                try SQLRow([.integer(Timestamp.limit + 1)]).time(0)
            }
            #expect(throws: StoreError.unexpectedColumn(0)) { try SQLRow([.integer(.min)]).time(0) }
        }
    }

    @Test("reads see the state before a write or after it, never half of it", arguments: StoreUnderTest.expected)
    func snapshots(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction in
                for mark in UInt8(0)..<2 {
                    try transaction.change(
                        "INSERT INTO marks (mark, made_at) VALUES ($1, $2)",
                        [.bytes(bytes(mark)), .integer(0)])
                }
            }
            async let writing: Void = {
                for number in Int64(1)...100 {
                    try await database.write { transaction in
                        for mark in UInt8(0)..<2 {
                            try transaction.change(
                                "UPDATE marks SET made_at = $1 WHERE mark = $2",
                                [.integer(number), .bytes(bytes(mark))])
                        }
                    }
                }
            }()
            for _ in 0..<100 {
                let (first, second) = try await database.read { transaction in
                    let sql: SQL = "SELECT made_at FROM marks WHERE mark = $1"
                    return (
                        try transaction.first(sql, [.bytes(bytes(0))])?.integer(0),
                        try transaction.first(sql, [.bytes(bytes(1))])?.integer(0)
                    )
                }
                #expect(first == second)
            }
            try await writing
        }
    }

    @Test("a transaction kept beyond its end runs no statements", arguments: StoreUnderTest.expected)
    func kept(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let box = Box()
            try await database.write { box.transaction = $0 }
            #expect(throws: StoreError.transactionIsOver) {
                try box.transaction?.run("DELETE FROM owners", [])
            }
        }
    }

    private final class Box: @unchecked Sendable { var transaction: (any Transaction)? }

    @Test("a closed store is unavailable", arguments: StoreUnderTest.expected)
    func closed(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            await database.close()
            await #expect(throws: StoreError.unavailable) { try await database.write { _ in } }
            await #expect(throws: StoreError.unavailable) { try await database.read { _ in } }
        }
    }
}
