internal import AuthAPI
internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import AuthStore
@testable internal import SQLStore
@testable internal import ServerAudit

@Suite("Sealing again")
struct ResealingTests {
    /// Every sealed column, by its table: read from the tables themselves, so that new ones are covered.
    private static func sealedColumns(_ database: any Database) async throws -> [SQLRow] {
        try await database.read { transaction in
            try transaction.run(
                """
                SELECT name_sealed FROM accounts UNION ALL SELECT attestation_sealed FROM fido_credentials
                UNION ALL SELECT label_sealed FROM fido_credentials UNION ALL SELECT name_sealed FROM devices
                UNION ALL SELECT attestation_sealed FROM device_attestations UNION ALL SELECT sealed FROM server_keys
                UNION ALL SELECT details_sealed FROM security_events
                """, [])
        }
    }

    @Test(
        "a damaged row of the audit queue does not keep the others from being sealed again",
        arguments: StoreUnderTest.expected)
    func damagedQueue(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database async throws in
            try await database.write { transaction in
                for number: UInt8 in 1...3 {
                    let row = AuditQueueRow(position: 1, id: bytes(number, 16), event: [number])
                    try AuditQueue.add(row, to: bytes(1), sealer: sealer, in: transaction)
                }
                try transaction.change(
                    "UPDATE audit_queue SET event_sealed = $1 WHERE event_id = $2", [.bytes([1]), .bytes(bytes(2, 16))])
            }
            let ring = sealer.adding(key: sealingKey(8), number: 2)
            #expect(try await Resealing.run(AuthTables.sealedColumns, of: database, sealer: ring) == 2)
            #expect(try await Resealing.run(AuthTables.sealedColumns, of: database, sealer: ring) == 0)
        }
    }

    @Test("every sealed column is sealed with the newest key, and keeps its value", arguments: StoreUnderTest.expected)
    func reseal(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let attestation = DeviceAttestationRow(
                device: id(1), account: id(1), platform: "ios", format: "f", trustStatus: "t", verifiedAt: now,
                attestation: [5, 6])
            let events = (UInt8(0)..<200).map { number in
                SecurityEventRow(
                    id: bytes(number, 16), account: id(1), kind: "k", at: now.plus(-1_000 * Int64(number)),
                    details: number % 2 == 0 ? [number] : nil)
            }
            let key = ServerKeyRow(
                id: [1], purpose: "p", sealed: try ServerKeys.seal(sealingKey(42), id: [1], sealer: sealer),
                createdAt: now, activatesAt: now)
            try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                _ = try Passkeys.add(StoredAccount(1).passkey(1), sealer: sealer, in: transaction)
                _ = try DeviceAttestations.put(attestation, sealer: sealer, in: transaction)
                _ = try ServerKeys.add(key, in: transaction)
                for event in events { try SecurityEvents.add(event, sealer: sealer, in: transaction) }
            }
            let ring = sealer.adding(key: sealingKey(8), number: 2)
            #expect(try await Resealing.run(AuthTables.sealedColumns, of: database, sealer: ring) == 106)
            #expect(try await Resealing.run(AuthTables.sealedColumns, of: database, sealer: ring) == 0)
            for row in try await Self.sealedColumns(database) {
                guard let sealed = try row.optional(0, SQLRow.bytes) else { continue }
                #expect(try ColumnSealer.keyNumber(of: sealed) == 2)
            }
            // The old key is no longer needed.
            let new = ColumnSealer(key: sealingKey(8), number: 2, random: SystemRandom())
            let records = try await AccountRecords.export(id(1), sealer: new, from: database)
            #expect(records?.account == StoredAccount(1).account)
            #expect(records?.devices == [StoredAccount(1).device])
            #expect(records?.passkeys == [StoredAccount(1).passkey(1)])
            #expect(records?.attestations == [attestation])
            #expect(records?.events == events)
            let keys = try await database.read { try ServerKeys.all(purpose: "p", in: $0) }
            let opened = try ServerKeys.open(try #require(keys.first).sealed, id: [1], sealer: new)
            let isSame = opened.matches(sealingKey(42))
            #expect(isSame)
        }
    }

    @Test("every column whose name says that it is sealed is sealed again, and no other")
    func complete() {
        let definitions = AuthTables.migrations.flatMap(\.definitions).map(\.neutralText).joined(separator: "\n")
        let names = definitions.split(whereSeparator: { !($0.isLetter || $0 == "_") }).filter { $0.hasSuffix("sealed") }
        #expect(names.count == 9)
    }

    @Test(
        "more rows than one step takes are all sealed anew, and what others change meanwhile stays changed",
        arguments: StoreUnderTest.expected)
    func steps(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            @Sendable func row(_ number: Int) -> DeviceID {
                let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 == 0 ? 8 : 0)) }
                return DeviceID(bytes: bytes) ?? id(0)
            }
            let count = 1203
            try await database.write { transaction in
                try StoredAccount(200).add(in: transaction)
                for number in 0..<count {
                    var device = StoredAccount(200).device
                    device.id = row(number)
                    device.keyThumbprint = row(number).bytes + row(number).bytes
                    device.name = "old"
                    #expect(try Devices.add(device, sealer: sealer, in: transaction))
                }
            }
            let ring = sealer.adding(key: sealingKey(8), number: 2)
            async let resealed = Resealing.run(AuthTables.sealedColumns, of: database, sealer: ring)
            for number in stride(from: 0, to: count, by: 40) {
                try await database.write {
                    _ = try Devices.rename(row(number), of: id(200), to: "new", sealer: ring, in: $0)
                }
            }
            _ = try await resealed
            for number in 0..<count {
                let name = try await database.read { try Devices.find(row(number), sealer: ring, in: $0)?.name }
                #expect(name == (number % 40 == 0 ? "new" : "old"))
            }
            #expect(try await Resealing.run(AuthTables.sealedColumns, of: database, sealer: ring) == 0)
        }
    }
}
