internal import AuthAPI
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import AuthStore
@testable internal import SQLStore

@Suite("Migrations of the auth server")
struct MigrationTests {
    @Test("released migrations are unchanged")
    func golden() {
        #expect(
            AuthTables.migrations.map { "\($0.name) \(hex($0.digest))" } == [
                "001 first tables 13bdb91d6ea4ef8a9f0628338be6ef745b3e917cd8e0cb5b797bbf08c0e94272",
                "002 metadata number e72b76a8da6bbc599c22aa620e05aae009451893f7d4bbf3944baaec00172131",
                "003 kept rows 022ce178da1d252b1c4ca13b57c6d9c9d7bc2c2bac2218dc0b86a09444154eae",
                "004 account locks a2f199b138a6fa52986b311125d1fcc4e39737593bf789e30774294a67319de7",
                "005 invitations 233a19060b86973f066f1172b762ce7ce06c341b0fd2d3e8e2746514140ef113",
                "006 key protection 10c8d419825c02290693bc14edb4ac02c3094ff307f32b4e602baebe8fd2dfaf",
                "007 fewer pages eb17804e88e945c2fc36e5cd2a20672c43adcccfead0ecb334ce3910a01b9b75",
                "008 audit log c1c7ce51a716aac763aac654a787795e71fe55170b4bdb0c5f43d81df5c1d55e",
            ])
    }

    @Test("a used value stays used when its table is migrated", arguments: StoreUnderTest.expected)
    func usedValues(_ store: StoreUnderTest) async throws {
        try await store.withEmpty { database async throws in
            try await Migrator.migrate(database, at: now, to: Array(AuthTables.migrations.prefix(6)))
            _ = try await database.write { transaction in
                try transaction.change(
                    "INSERT INTO spent_values (value, expires_at) VALUES ($1, $2)",
                    [.bytes(bytes(1)), .time(now.plus(9))])
            }
            try await Migrator.migrate(database, at: now, to: AuthTables.migrations)
            try await database.write { transaction throws in
                #expect(try !ReplayCache.spend(bytes(1), until: now.plus(9), in: transaction))
                #expect(try ReplayCache.spend(bytes(2), until: now.plus(9), in: transaction))
                #expect(try ReplayCache.prune(expiredBefore: now.plus(10), in: transaction) == 2)
            }
        }
    }

    @Test("all data from before a migration exist after it", arguments: StoreUnderTest.expected)
    func kept(_ store: StoreUnderTest) async throws {
        try await store.withEmpty { database async throws in
            try await Migrator.migrate(database, at: now, to: [.firstTables])
            #expect(try await !Migrator.isCurrent(database, with: AuthTables.migrations))
            _ = try await database.write { transaction in
                try transaction.change(
                    """
                    INSERT INTO accounts (account_id, name_sealed, created_at, sessions_not_before)
                    VALUES ($1, $2, $3, $4)
                    """,
                    [.id(id(1) as AccountID), try sealer.seal(text: "Ada", at: Self.name), .time(now), .time(now)])
            }
            try await Migrator.migrate(database, at: now, to: AuthTables.migrations)
            #expect(try await Migrator.isCurrent(database, with: AuthTables.migrations))
            let account = try await database.read { try Accounts.find(id(1), sealer: sealer, in: $0) }
            #expect(account == AccountRow(id: id(1), name: "Ada", createdAt: now))
        }
    }

    @Test("the third migration withdraws the claims that rested on an anchor alone", arguments: StoreUnderTest.expected)
    func keyProtection(_ store: StoreUnderTest) async throws {
        try await store.withEmpty { database async throws in
            try await Migrator.migrate(database, at: now, to: [.firstTables, .metadataNumber])
            let home = StoredAccount(1)
            try await database.write { transaction throws in
                try Accounts.add(home.account, sealer: sealer, in: transaction)
                _ = try Devices.add(home.device, sealer: sealer, in: transaction)
                for (number, acr, amr) in [
                    (UInt8(1), "urn:fueki:aal3", "hwk user mfa pop"), (2, "urn:fueki:aal2", "swk user mfa pop"),
                    (3, "urn:fueki:aal1", "hwk user pop"),
                ] {
                    _ = try transaction.change(
                        """
                        INSERT INTO refresh_tokens (family_id, account_id, device_id, key_thumbprint, generation,
                            current_hash, recent, issued_at, idle_expires_at, expires_at, last_used_at, auth_time, acr,
                            amr, scope)
                        VALUES ($1, $2, $3, $4, 0, $4, $4, 1, 1, 1, 1, 1, $5, $6, 'account')
                        """,
                        [
                            .bytes(bytes(number, 16)), .id(home.account.id), .id(home.device.id), .bytes(bytes(1)),
                            .text(acr), .text(amr),
                        ])
                }
                _ = try transaction.change(
                    """
                    INSERT INTO fido_credentials (credential_id, account_id, public_key, algorithm, sign_count,
                        backup_eligible, backup_state, uv_initialized, transports, aaguid, attestation_format,
                        attestation_trust, label_sealed, created_at)
                    VALUES ($1, $2, $1, -7, 0, 0, 0, 1, '', $3, 'packed', 'anchored', $4, 1)
                    """,
                    [
                        .bytes(bytes(5, 20)), .id(home.account.id), .bytes(bytes(9, 16)),
                        try sealer.seal(text: "Stick", at: Self.label),
                    ])
                _ = try transaction.change(
                    """
                    INSERT INTO device_attestations (device_id, account_id, platform, format, trust_status, verified_at,
                        attestation_sealed)
                    VALUES ($1, $2, 'webauthn', 'packed', 'trusted', 1, $3)
                    """, [.id(home.device.id), .id(home.account.id), .bytes([1])])
            }
            try await Migrator.migrate(database, at: now, to: AuthTables.migrations)
            try await database.read { transaction throws in
                let sessions = try Sessions.last(of: home.account.id, limit: 9, in: transaction)
                #expect(
                    sessions.map { "\($0.acr) \($0.amr)" } == [
                        "urn:fueki:aal2 user mfa pop", "urn:fueki:aal2 swk user mfa pop", "urn:fueki:aal1 user pop",
                    ])
                #expect(sessions.allSatisfy { $0.credential == nil })
                let passkey = try #require(try Passkeys.find(bytes(5, 20), sealer: sealer, in: transaction))
                #expect(passkey.attestationTrust == "anchored")
                #expect(passkey.keyProtection == "unknown")
                #expect(passkey.keyEvidence == "none")
                #expect(passkey.trustLostAt == nil)
                let trust = try transaction.first("SELECT trust_status FROM device_attestations", [])
                #expect(try trust?.text(0) == "anchored")
            }
        }
    }

    private static let label = ColumnSealer.Place("fido_credentials", "label_sealed", row: bytes(5, 20))
    private static let name = ColumnSealer.Place("accounts", "name_sealed", row: (id(1) as AccountID).bytes)
}
