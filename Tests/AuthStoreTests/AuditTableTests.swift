internal import AuthAPI
internal import StoreTestSupport
internal import Testing

@testable internal import AuthStore
@testable internal import SQLStore
@testable internal import ServerAudit

@Suite("The tables of audit logs")
struct AuditTableTests {
    private static func row(_ number: UInt8, at position: Int64? = nil) -> AuditQueueRow {
        AuditQueueRow(position: position ?? Int64(number), id: [UInt8](repeating: number, count: 16), event: [number])
    }

    /// The rows that wait for a log.
    private static func next(
        _ log: [UInt8], _ sealer: ColumnSealer = sealer, in transaction: any Transaction
    ) throws -> [AuditQueueEntry] {
        try AuditQueue.next(of: log, after: .start, sealer: sealer, in: transaction)
    }

    private static func foreign(
        to log: [UInt8], before position: Int64, in transaction: any Transaction
    ) throws -> [AuditQueueEntry] {
        try AuditQueue.foreign(to: log, before: position, after: .start, sealer: sealer, in: transaction)
    }

    private static func entry(_ number: UInt8, of log: [UInt8]) -> AuditQueueEntry {
        AuditQueueEntry(
            place: .init(log: log, position: Int64(number), id: [UInt8](repeating: number, count: 16)),
            event: [number], isOfOtherKey: false)
    }

    @Test("events are found in order, for their log only, and removed one by one", arguments: StoreUnderTest.expected)
    func queue(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database async throws in
            try await database.write { transaction throws in
                for number: UInt8 in [5, 1, 3] {
                    try AuditQueue.add(Self.row(number), to: bytes(1), sealer: sealer, in: transaction)
                }
                try AuditQueue.add(Self.row(4), to: bytes(2), sealer: sealer, in: transaction)
                let rows = [1, 3, 5].map { Self.entry($0, of: bytes(1)) }
                #expect(try Self.next(bytes(1), in: transaction) == rows)
                let behind = try AuditQueue.next(
                    of: bytes(1), after: rows[0].place, sealer: sealer, in: transaction)
                #expect(behind == Array(rows.dropFirst()))
                #expect(try AuditQueue.has(atLeast: 3, of: bytes(1), in: transaction))
                #expect(try !AuditQueue.has(atLeast: 4, of: bytes(1), in: transaction))
                #expect(try !AuditQueue.remove(Self.entry(3, of: bytes(2)).place, in: transaction))
                #expect(try AuditQueue.remove(rows[0].place, in: transaction))
                #expect(try Self.next(bytes(1), in: transaction) == Array(rows.dropFirst()))
                let waiting = try AuditQueue.waiting(in: transaction)
                #expect(waiting.count == 3 && waiting.first == 3)
                #expect(try Self.foreign(to: bytes(2), before: 5, in: transaction) == [rows[1]])
                try AuditQueue.adopt(rows[1].place, for: bytes(2), in: transaction)
                #expect(try Self.next(bytes(2), in: transaction).map(\.place.position) == [3, 4])
                // A row that the log has already stays where it is.
                try AuditQueue.add(Self.row(3), to: bytes(1), sealer: sealer, in: transaction)
                try AuditQueue.adopt(rows[1].place, for: bytes(2), in: transaction)
                #expect(try Self.next(bytes(1), in: transaction).map(\.place.position) == [3, 5])
            }
        }
    }

    @Test(
        "an event of a newer master key, a forged one and one that is too long cannot be read, and can be set aside",
        arguments: StoreUnderTest.expected)
    func seals(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database async throws in
            let newer = sealer.adding(key: sealingKey(9), number: sealer.newest + 1)
            try await database.write { transaction throws in
                try AuditQueue.add(Self.row(1), to: bytes(1), sealer: newer, in: transaction)
                for number: UInt8 in 2...4 {
                    try AuditQueue.add(Self.row(number), to: bytes(1), sealer: sealer, in: transaction)
                }
                _ = try transaction.change(
                    "UPDATE audit_queue SET event_id = $1 WHERE number = 3", [.bytes([UInt8](repeating: 7, count: 16))])
                _ = try transaction.change(
                    "UPDATE audit_queue SET event_sealed = $1 WHERE number = 4",
                    [.bytes([UInt8](repeating: 1, count: 4_097))])
                let entries = try Self.next(bytes(1), in: transaction)
                #expect(entries.map(\.event) == [nil, [2], nil, nil])
                #expect(entries.map(\.isOfOtherKey) == [true, false, false, false])
                #expect(try Self.next(bytes(1), newer, in: transaction).map(\.event) == [[1], [2], nil, nil])
                for entry in entries where entry.event == nil {
                    try AuditQueue.setAside(entry.place, in: transaction)
                }
                #expect(try Self.next(bytes(1), in: transaction).map(\.event) == [[2]])
                #expect(try AuditQueue.countAside(in: transaction) == 3)
                let waiting = try AuditQueue.waiting(in: transaction)
                #expect(waiting.count == 1 && waiting.first == 2)
                // They are offered to the others whatever their age.
                #expect(try Self.foreign(to: bytes(2), before: 0, in: transaction).count == 3)
                // One of the same place takes the place of the first.
                try AuditQueue.add(Self.row(1), to: bytes(1), sealer: newer, in: transaction)
                try AuditQueue.setAside(entries[0].place, in: transaction)
                #expect(try AuditQueue.countAside(in: transaction) == 3)
            }
        }
    }

    @Test("a state is replaced only by a server that knows it", arguments: StoreUnderTest.expected)
    func states(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database async throws in
            let (first, second) = (
                LogStateRow(size: 1, root: bytes(5)), LogStateRow(size: 2, root: bytes(6), note: [1])
            )
            try await database.write { transaction throws in
                #expect(try LogStates.find(bytes(1), in: transaction) == nil)
                #expect(try !LogStates.replace(bytes(1), first, with: second, in: transaction))
                #expect(try LogStates.replace(bytes(1), nil, with: first, in: transaction))
                #expect(try !LogStates.replace(bytes(1), nil, with: second, in: transaction))
                #expect(
                    try !LogStates.replace(
                        bytes(1), LogStateRow(size: 1, root: bytes(6)), with: second, in: transaction))
                #expect(try LogStates.find(bytes(1), in: transaction) == first)
                #expect(try LogStates.replace(bytes(1), first, with: second, in: transaction))
                #expect(try LogStates.find(bytes(1), in: transaction) == second)
                #expect(try LogStates.find(bytes(2), in: transaction) == nil)
            }
        }
    }
}
