internal import AuthAPI
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import AuthServer
@testable internal import SQLStore

@Suite("Sealed columns")
struct ColumnSealerTests {
    private let place = ColumnSealer.Place("accounts", "name_sealed", row: [1, 2, 3])

    @Test("the form is the one that is written down")
    func golden() throws {
        let sealer = ColumnSealer(key: sealingKey(7), number: 0x0102_0304, random: Zeros())
        let sealed = try sealer.seal(Array("hello".utf8), at: place)
        // Made with Python's `cryptography`: AESGCM(b"\x07" * 32).encrypt(bytes(12), b"hello", head + place).
        #expect(hex(sealed) == "010102030400000000000000000000000009bdc8de94664e4680ce1e42292510f0703a62472e")
        #expect(try sealer.open(sealed, at: place) == Array("hello".utf8))
    }

    private struct Zeros: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    @Test("nothing, and much, is opened as it was; each seal is another")
    func sizes() throws {
        for size in [0, 1, 15, 16, 17, 100_000] {
            let sealed = try sealer.seal(bytes(3, size), at: place)
            #expect(sealed.count == size + ColumnSealer.overhead)
            #expect(try sealer.open(sealed, at: place) == bytes(3, size))
            let again = try sealer.seal(bytes(3, size), at: place)
            #expect(again != sealed)
        }
    }

    @Test("what was sealed for one table, column or row is not opened for another")
    func places() throws {
        let sealed = try sealer.seal([1], at: place)
        for other in [
            ColumnSealer.Place("devices", "name_sealed", row: [1, 2, 3]),
            ColumnSealer.Place("accounts", "label_sealed", row: [1, 2, 3]),
            ColumnSealer.Place("accounts", "name_sealed", row: [1, 2, 4]),
            ColumnSealer.Place("accounts", "name_sealed", row: []),
            // The same letters, divided otherwise.
            ColumnSealer.Place("accountsname", "_sealed", row: [1, 2, 3]),
            ColumnSealer.Place("accounts", "name_sealed\u{1}", row: [2, 3]),
        ] {
            #expect(throws: StoreError.sealIsBroken) { _ = try sealer.open(sealed, at: other) }
        }
    }

    @Test("no byte can be changed, left out or added")
    func tampering() throws {
        let sealed = try sealer.seal([1, 2], at: place)
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1
            // The number of the key is the part that says which key is missing.
            let expected: StoreError =
                (1..<5).contains(position) ? .unknownSealingKey(1 ^ 1 << (8 * UInt32(4 - position))) : .sealIsBroken
            #expect(throws: expected) { _ = try sealer.open(changed, at: place) }
            #expect(throws: StoreError.sealIsBroken) { _ = try sealer.open(Array(sealed.prefix(position)), at: place) }
        }
        #expect(throws: StoreError.sealIsBroken) { _ = try sealer.open(sealed + [0], at: place) }
    }

    @Test("a sealed value whose number names another key of the ring is not opened")
    func otherKey() throws {
        let ring = sealer.adding(key: sealingKey(7), number: 2)
        var sealed = try sealer.seal([1], at: place)
        sealed[4] = 2
        #expect(throws: StoreError.sealIsBroken) { _ = try ring.open(sealed, at: place) }
    }

    @Test("a ring seals with the newest key and opens with all")
    func ring() throws {
        let old = try sealer.seal([1], at: place)
        let ring = sealer.adding(key: sealingKey(8), number: 5)
        let new = try ring.seal([2], at: place)
        #expect(ring.newest == 5)
        #expect(try ring.open(old, at: place) == [1])
        #expect(try ring.open(new, at: place) == [2])
        #expect(throws: StoreError.unknownSealingKey(5)) { _ = try sealer.open(new, at: place) }
        // An older key that is added later does not seal.
        #expect(ring.adding(key: sealingKey(9), number: 3).newest == 5)
    }

    @Test("opening never traps, and takes nothing but what was sealed")
    func fuzz() throws {
        let seeds: [[UInt8]] = [try sealer.seal([], at: place), try sealer.seal(bytes(1, 40), at: place)]
        Fuzz.mutations(of: seeds) { input in
            let opened = try? sealer.open(input, at: place)
            if opened != nil, !seeds.contains(input) { Issue.record("opened \(hex(input))") }
        }
    }
}

@Suite("Sealing anew")
struct ResealingTests {
    /// Every column that is sealed, by its table: read from the tables themselves, so that a new one is not forgotten.
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

    @Test("every sealed column gets the newest key, and holds what it held", arguments: StoreUnderTest.expected)
    func reseal(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let attestation = DeviceAttestationRow(
                device: id(1), account: id(1), platform: "ios", format: "f", trustStatus: "t", verifiedAt: now,
                attestation: [5, 6])
            let events = (UInt8(0)..<200).map { number in
                SecurityEventRow(
                    id: bytes(number, 16), account: id(1), kind: "k", at: now.plus(-Int64(number)),
                    details: number % 2 == 0 ? [number] : nil)
            }
            let key = ServerKeyRow(
                id: [1], purpose: "p", sealed: try ServerKeys.seal(sealingKey(42), id: [1], sealer: sealer),
                createdAt: now, activatesAt: now)
            try await database.write { transaction in
                try Household(1).add(in: transaction)
                _ = try Passkeys.add(Household(1).passkey(1), sealer: sealer, in: transaction)
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
            // The old key is not needed any more.
            let new = ColumnSealer(key: sealingKey(8), number: 2, random: SystemRandom())
            let records = try await AccountRecords.export(id(1), sealer: new, from: database)
            #expect(records?.account == Household(1).account)
            #expect(records?.devices == [Household(1).device])
            #expect(records?.passkeys == [Household(1).passkey(1)])
            #expect(records?.attestations == [attestation])
            #expect(records?.events == events)
            let keys = try await database.read { try ServerKeys.all(purpose: "p", in: $0) }
            let opened = try ServerKeys.open(try #require(keys.first).sealed, id: [1], sealer: new)
            let isSame = opened.matches(sealingKey(42))
            #expect(isSame)
        }
    }

    @Test("the columns that are sealed anew are all whose names say that they are sealed")
    func complete() {
        let definitions = AuthTables.migrations.flatMap(\.definitions).map(\.neutralText).joined(separator: "\n")
        let names = definitions.split(whereSeparator: { !($0.isLetter || $0 == "_") }).filter { $0.hasSuffix("sealed") }
        #expect(names.count == 8)
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
                try Household(200).add(in: transaction)
                for number in 0..<count {
                    var device = Household(200).device
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
