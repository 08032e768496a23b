internal import Secrets
internal import StoreTestSupport
internal import Testing

@testable internal import SQLStore

@Suite("Sealing a program's columns again")
struct ResealingTests {
    private static let details = SealedColumn(
        table: "notes", column: "details",
        next: """
            SELECT note_id, details FROM notes
            WHERE note_id > $1 AND details IS NOT NULL ORDER BY note_id LIMIT $2
            """,
        change: "UPDATE notes SET details = $1 WHERE note_id = $2 AND details = $3")

    private static func place(_ id: [UInt8]) -> ColumnSealer.Place { ColumnSealer.Place("notes", "details", row: id) }

    private static func details(of id: [UInt8], in database: any Database) async throws -> [UInt8]? {
        try await database.read { transaction in
            let row = try transaction.first("SELECT details FROM notes WHERE note_id = $1", [.bytes(id)])
            return try row?.optional(0, SQLRow.bytes)
        }
    }

    @Test("the named columns are sealed with the newest key, and keep their values", arguments: StoreUnderTest.expected)
    func named(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let (first, second) = (bytes(1, 16), bytes(2, 16))
            try await database.write { transaction in
                let sealed = try sealer.seal([5, 6], at: Self.place(first))
                try Notes.add(first, text: "sealed", details: sealed, in: transaction)
                try Notes.add(second, text: "null", in: transaction)
            }
            let ring = sealer.adding(key: sealingKey(8), number: 2)
            #expect(try await Resealing.run([], of: database, sealer: ring) == 0)
            #expect(try await Resealing.run([Self.details], of: database, sealer: ring) == 1)
            #expect(try await Resealing.run([Self.details], of: database, sealer: ring) == 0)
            let sealed = try #require(try await Self.details(of: first, in: database))
            #expect(try ColumnSealer.keyNumber(of: sealed) == 2)
            #expect(try ring.open(sealed, at: Self.place(first)) == [5, 6])
            #expect(try await Self.details(of: second, in: database) == nil)
        }
    }

    @Test("a value that does not open ends the work, and stays unchanged", arguments: StoreUnderTest.expected)
    func broken(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let (moved, unknown) = (bytes(1, 16), bytes(2, 16))
            let ring = sealer.adding(key: sealingKey(8), number: 2)
            let sealed = try sealer.seal([5], at: Self.place(unknown))
            try await database.write { try Notes.add(moved, text: "moved", details: sealed, in: $0) }
            await #expect(throws: StoreError.sealIsBroken) {
                try await Resealing.run([Self.details], of: database, sealer: ring)
            }
            #expect(try await Self.details(of: moved, in: database) == sealed)
            let other = ColumnSealer(key: sealingKey(9), number: 7, random: SystemRandom())
            await #expect(throws: StoreError.unknownSealingKey(1)) {
                try await Resealing.run([Self.details], of: database, sealer: other)
            }
        }
    }
}
