internal import AuthAPI
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import AuthStore
@testable internal import SQLStore

@Suite("Export and erasure of accounts")
struct AccountRecordsTests {
    private static func fill(_ number: UInt8, in transaction: some Transaction) throws {
        let home = StoredAccount(number)
        try home.add(in: transaction)
        _ = try Passkeys.add(home.passkey(number), sealer: sealer, in: transaction)
        _ = try DeviceAttestations.put(
            DeviceAttestationRow(
                device: home.device.id, account: home.account.id, platform: "ios", format: "apple-appattest",
                trustStatus: "hardware", verifiedAt: now, attestation: [7]), sealer: sealer, in: transaction)
        try RecoveryCodes.replaceAll(
            of: home.account.id,
            with: [
                RecoveryCodeRow(
                    selector: bytes(number, 5), account: home.account.id, salt: bytes(number, 16), hash: bytes(number),
                    createdAt: now)
            ], in: transaction)
        try SecurityEvents.add(
            SecurityEventRow(id: bytes(number, 16), account: home.account.id, kind: "sign-up", at: now, details: [8]),
            sealer: sealer, in: transaction)
    }

    @Test(
        "an export has everything of the account, nothing of others, and no hash of a token",
        arguments: StoreUnderTest.expected)
    func export(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction in
                try Self.fill(1, in: transaction)
                try Self.fill(2, in: transaction)
            }
            let records = try #require(
                try await AccountRecords.export(id(1), sealer: sealer, from: database))
            let home = StoredAccount(1)
            #expect(records.account == home.account)
            #expect(records.devices == [home.device])
            #expect(records.passkeys == [home.passkey(1)])
            #expect(records.attestations.map(\.attestation) == [[7]])
            #expect(records.unusedRecoveryCodes == 1)
            #expect(records.events.map(\.kind) == ["sign-up"])
            #expect(records.sessions.map(\.id) == [home.session.id])
            #expect(records.sessions.allSatisfy { $0.currentHash.isEmpty && $0.recent.isEmpty })
        }
    }

    @Test(
        "after an erasure no table names the account, its device, its passkey or its session",
        arguments: StoreUnderTest.expected)
    func erase(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction in
                try Self.fill(1, in: transaction)
                try Self.fill(2, in: transaction)
            }
            #expect(try await database.write { try AccountRecords.erase(id(1), in: $0) })
            #expect(try await !database.write { try AccountRecords.erase(id(1), in: $0) })
            let rows = try await database.read { transaction in
                try Self.everything.map { try transaction.run($0, []) }
            }
            // The other account's rows are left, and one event without an account.
            #expect(rows.map(\.count) == [1, 1, 1, 1, 1, 1, 2])
            let left = rows.flatMap { $0 }.flatMap(\.values)
            for trace in [bytes(1, 16), bytes(1), bytes(1, 20), bytes(1, 5)] {
                // The event's own id is random, and in this test equals the account's.
                let count = left.filter { $0 == .bytes(trace) }.count
                #expect(count == (trace == bytes(1, 16) ? 1 : 0))
            }
            let events = try await database.read { transaction in
                try transaction.run(
                    "SELECT account_id, details_sealed, kind FROM security_events WHERE account_id IS NULL", [])
            }
            #expect(events.map(\.values) == [[.null, .null, .text("sign-up")]])
            #expect(try await AccountRecords.export(id(2), sealer: sealer, from: database) != nil)
        }
    }

    private static let everything: [SQL] = [
        "SELECT * FROM accounts", "SELECT * FROM fido_credentials", "SELECT * FROM devices",
        "SELECT * FROM refresh_tokens",
        "SELECT * FROM device_attestations", "SELECT * FROM recovery_codes", "SELECT * FROM security_events",
    ]

    @Test(
        "what is added to an account while it is erased is refused, or goes with it", arguments: StoreUnderTest.expected
    )
    func eraseWhileAdding(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            for round in UInt8(1)...10 {
                try await database.write { try StoredAccount(round).add(in: $0) }
                await withTaskGroup(of: Void.self) { group in
                    for number in UInt8(0)..<20 {
                        group.addTask {
                            var session = StoredAccount(round).session
                            session.id = id(100 + number)
                            let added = session
                            _ = try? await database.write { try Sessions.add(added, in: $0) }
                        }
                    }
                    group.addTask {
                        let erased = try? await database.write { try AccountRecords.erase(id(round), in: $0) }
                        #expect(erased == true)
                    }
                }
                let left = try await database.read { try $0.run("SELECT family_id FROM refresh_tokens", []) }
                #expect(left.isEmpty)
            }
        }
    }
}
