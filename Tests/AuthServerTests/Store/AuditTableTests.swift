internal import AuthAPI
internal import StoreTestSupport
internal import Testing

@testable internal import AuthServer
@testable internal import SQLStore

@Suite("The tables of audit logs")
struct AuditTableTests {
    private static func row(_ number: UInt8, at position: Int64? = nil) -> AuditQueueRow {
        AuditQueueRow(position: position ?? Int64(number), id: [UInt8](repeating: number, count: 16), event: [number])
    }

    @Test("events are found in order, for their log only, and removed one by one", arguments: StoreUnderTest.expected)
    func queue(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database async throws in
            try await database.write { transaction throws in
                for number: UInt8 in [5, 1, 3] {
                    try AuditQueue.add(Self.row(number), to: bytes(1), sealer: sealer, in: transaction)
                }
                try AuditQueue.add(Self.row(4), to: bytes(2), sealer: sealer, in: transaction)
                let rows = [Self.row(1), Self.row(3), Self.row(5)]
                #expect(try AuditQueue.next(of: bytes(1), sealer: sealer, in: transaction) == rows)
                #expect(try AuditQueue.has(atLeast: 3, of: bytes(1), in: transaction))
                #expect(try !AuditQueue.has(atLeast: 4, of: bytes(1), in: transaction))
                try AuditQueue.remove(Self.row(3), of: bytes(2), in: transaction)
                try AuditQueue.remove(Self.row(1), of: bytes(1), in: transaction)
                #expect(try AuditQueue.next(of: bytes(1), sealer: sealer, in: transaction) == Array(rows.dropFirst()))
                let waiting = try AuditQueue.waiting(in: transaction)
                #expect(waiting.count == 3 && waiting.first == 3)
                #expect(try AuditQueue.adopt(for: bytes(2), before: 5, in: transaction) == 1)
                #expect(try AuditQueue.next(of: bytes(2), sealer: sealer, in: transaction).map(\.position) == [3, 4])
            }
        }
    }

    @Test(
        "an event that a newer master key sealed is left to another server, and a forged one is refused",
        arguments: StoreUnderTest.expected)
    func seals(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database async throws in
            let newer = sealer.adding(key: sealingKey(9), number: sealer.newest + 1)
            try await database.write { transaction throws in
                try AuditQueue.add(Self.row(1), to: bytes(1), sealer: newer, in: transaction)
                try AuditQueue.add(Self.row(2), to: bytes(1), sealer: sealer, in: transaction)
                #expect(try AuditQueue.next(of: bytes(1), sealer: sealer, in: transaction) == [Self.row(2)])
                #expect(try AuditQueue.next(of: bytes(1), sealer: newer, in: transaction).count == 2)
                _ = try transaction.change(
                    "UPDATE audit_queue SET event_id = $1 WHERE number = 2", [.bytes([UInt8](repeating: 7, count: 16))])
                #expect(throws: StoreError.sealIsBroken) {
                    try AuditQueue.next(of: bytes(1), sealer: newer, in: transaction)
                }
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
