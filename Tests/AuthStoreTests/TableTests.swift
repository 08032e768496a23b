internal import AuthAPI
internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthStore
@testable internal import SQLStore

@Suite("Tables")
struct TableTests {
    @Test("values in sealed and open columns are read back byte for byte", arguments: StoreUnderTest.expected)
    func texts(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            for (number, text) in Injections.texts.enumerated() {
                let rows = Rows(UInt8(number + 1), text)
                try await database.write { try rows.add(in: $0) }
                try await database.read { try rows.check(in: $0) }
            }
            // No other row was changed by any of them.
            let accounts = try await database.read { try $0.run("SELECT account_id FROM accounts", []).count }
            #expect(accounts == Injections.texts.count)
        }
    }

    /// Adds a row to each table, with the same text in each column that takes text.
    private struct Rows: Sendable {
        var account: AccountRow
        var device: DeviceRow
        var session: SessionRow
        var passkey: PasskeyRow
        let attestation: DeviceAttestationRow
        let key: ServerKeyRow
        let event: SecurityEventRow

        init(_ number: UInt8, _ text: String) {
            let home = StoredAccount(number)
            account = home.account
            account.name = text
            device = home.device
            device.name = text
            device.revokedAt = now.plus(9)
            session = home.session
            (session.acr, session.amr, session.scope, session.revokedReason) = (text, text, text, text)
            session.credential = Array(text.utf8)
            session.revokedAt = now
            session.recent = Array(text.utf8)
            passkey = home.passkey(number)
            (passkey.label, passkey.transports) = (text, text)
            (passkey.attestationFormat, passkey.attestationTrust) = (text, text)
            (passkey.keyProtection, passkey.keyEvidence, passkey.trustLostAt) = (text, text, now.plus(3))
            passkey.attestation = Array(text.utf8)
            passkey.lastUsedAt = now
            attestation = DeviceAttestationRow(
                device: device.id, account: account.id, platform: text, format: text, trustStatus: text,
                verifiedAt: now, attestation: Array(text.utf8))
            key = ServerKeyRow(
                id: [number], purpose: text, sealed: Array(text.utf8), createdAt: now, activatesAt: now.plus(1),
                retiresAt: now.plus(2))
            event = SecurityEventRow(
                id: bytes(number, 16), account: account.id, kind: text, at: now, details: Array(text.utf8))
        }

        func add(in transaction: some Transaction) throws {
            try Accounts.add(account, sealer: sealer, in: transaction)
            #expect(try Devices.add(device, sealer: sealer, in: transaction))
            try Sessions.add(session, in: transaction)
            #expect(try Passkeys.add(passkey, sealer: sealer, in: transaction))
            #expect(try DeviceAttestations.put(attestation, sealer: sealer, in: transaction))
            #expect(try ServerKeys.add(key, in: transaction))
            try SecurityEvents.add(event, sealer: sealer, in: transaction)
        }

        func check(in transaction: some Transaction) throws {
            let (account, device) = (account.id, device.id)
            #expect(try Accounts.find(account, sealer: sealer, in: transaction) == self.account)
            #expect(try Devices.find(device, sealer: sealer, in: transaction) == self.device)
            let thumbprint = self.device.keyThumbprint
            #expect(
                try Devices.find(keyThumbprint: thumbprint, of: account, sealer: sealer, in: transaction)
                    == self.device)
            #expect(try Devices.last(of: account, limit: 2, sealer: sealer, in: transaction) == [self.device])
            #expect(try Sessions.find(session.id, in: transaction) == session)
            #expect(try Sessions.last(of: account, limit: 2, in: transaction) == [session])
            #expect(try Passkeys.find(passkey.credentialID, sealer: sealer, in: transaction) == passkey)
            #expect(try Passkeys.all(of: account, sealer: sealer, in: transaction) == [passkey])
            #expect(try DeviceAttestations.find(device, sealer: sealer, in: transaction) == attestation)
            #expect(try DeviceAttestations.all(of: account, sealer: sealer, in: transaction) == [attestation])
            #expect(try ServerKeys.all(purpose: key.purpose, in: transaction) == [key])
            #expect(try SecurityEvents.page(of: account, limit: 2, sealer: sealer, in: transaction) == [event])
        }
    }

    @Test("absent rows are not found", arguments: StoreUnderTest.expected)
    func absent(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                try StoredAccount(2).add(in: transaction)
                let other: AccountID = id(9)
                #expect(try Accounts.find(other, sealer: sealer, in: transaction) == nil)
                #expect(try !Accounts.hold(other, in: transaction))
                #expect(try Devices.find(id(9), sealer: sealer, in: transaction) == nil)
                #expect(try Devices.find(keyThumbprint: bytes(2), of: other, sealer: sealer, in: transaction) == nil)
                #expect(try !Devices.rename(id(2), of: other, to: "x", sealer: sealer, in: transaction))
                #expect(try !Devices.revoke(id(2), of: other, at: now, in: transaction))
                #expect(try Sessions.find(id(9), in: transaction) == nil)
                #expect(try Sessions.revoke(device: id(2), of: other, at: now, reason: "", in: transaction) == 0)
                #expect(try Passkeys.find(bytes(9), sealer: sealer, in: transaction) == nil)
                #expect(try !Passkeys.rename(bytes(9), of: other, to: "x", sealer: sealer, in: transaction))
                #expect(try RecoveryCodes.find(bytes(9, 5), in: transaction) == nil)
                #expect(try !RecoveryCodes.use(bytes(9, 5), at: now, in: transaction))
                #expect(try !RevokedAccessTokens.contains(bytes(9, 16), in: transaction))
                #expect(try DeviceAttestations.find(id(9), sealer: sealer, in: transaction) == nil)
                #expect(try !AccountRecords.erase(other, in: transaction))
                #expect(try !ServerKeys.retire([9], at: now, in: transaction))
            }
        }
    }

    @Test("a row that refers to a missing row is refused", arguments: StoreUnderTest.expected)
    func orphans(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let home = StoredAccount(1)
            await #expect(throws: StoreError.conflict) {
                try await database.write { try Sessions.add(home.session, in: $0) }
            }
            await #expect(throws: StoreError.conflict) {
                try await database.write { _ = try Passkeys.add(home.passkey(1), sealer: sealer, in: $0) }
            }
            await #expect(throws: StoreError.conflict) {
                try await database.write { _ = try Devices.add(home.device, sealer: sealer, in: $0) }
            }
        }
    }

    @Test("a credential id belongs to one account only", arguments: StoreUnderTest.expected)
    func credentialOwner(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                try StoredAccount(1).add(in: transaction)
                try StoredAccount(2).add(in: transaction)
                #expect(try Passkeys.add(StoredAccount(1).passkey(5), sealer: sealer, in: transaction))
                #expect(try !Passkeys.add(StoredAccount(2).passkey(5), sealer: sealer, in: transaction))
                let account: AccountID = id(1)
                #expect(try Passkeys.find(bytes(5, 20), sealer: sealer, in: transaction)?.account == account)
                #expect(try !Passkeys.rename(bytes(5, 20), of: id(2), to: "mine", sealer: sealer, in: transaction))
                #expect(try Passkeys.rename(bytes(5, 20), of: id(1), to: "mine", sealer: sealer, in: transaction))
                #expect(try Passkeys.find(bytes(5, 20), sealer: sealer, in: transaction)?.label == "mine")
            }
        }
    }

    @Test("a sign count is changed only if it is still the one that was checked", arguments: StoreUnderTest.expected)
    func signCount(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                try StoredAccount(1).add(in: transaction)
                _ = try Passkeys.add(StoredAccount(1).passkey(5), sealer: sealer, in: transaction)
                let checked = StoredAccount(1).passkey(5)
                func isNoted(_ change: (inout PasskeyRow) -> Void = { _ in }) throws -> Bool {
                    var checked = checked
                    change(&checked)
                    return try Passkeys.noteUse(
                        of: checked, signCount: .max, isBackupEligible: true, isBackedUp: true,
                        isUserVerificationInitialized: false, at: now.plus(7), in: transaction)
                }
                // Another passkey that has the id now, perhaps of another account, and one that was judged again.
                #expect(try !isNoted { $0.account = id(2) })
                #expect(try !isNoted { $0.publicKey = [1, 2, 4] })
                #expect(try !isNoted { $0.attestationTrust = "anchored" })
                #expect(try !isNoted { $0.keyProtection = "tee" })
                #expect(try !isNoted { $0.isBackupEligible = false })
                #expect(try !isNoted { $0.signCount = 4 })
                #expect(try isNoted())
                #expect(try !isNoted())
                let passkey = try #require(try Passkeys.find(bytes(5, 20), sealer: sealer, in: transaction))
                #expect(passkey.signCount == .max)
                #expect(passkey.isBackedUp && !passkey.isUserVerificationInitialized)
                #expect(passkey.lastUsedAt == now.plus(7))
            }
        }
    }

    @Test(
        "the last passkey of an account is not removed, also not by two removals at once",
        arguments: StoreUnderTest.expected)
    func lastPasskey(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            for round in UInt8(1)...10 {
                try await database.write { transaction throws in
                    try StoredAccount(round).add(in: transaction)
                    _ = try Passkeys.add(StoredAccount(round).passkey(2 * round), sealer: sealer, in: transaction)
                    _ = try Passkeys.add(StoredAccount(round).passkey(2 * round + 1), sealer: sealer, in: transaction)
                }
                async let first = database.write { try Passkeys.remove(bytes(2 * round, 20), of: id(round), in: $0) }
                async let second = database.write {
                    try Passkeys.remove(bytes(2 * round + 1, 20), of: id(round), in: $0)
                }
                let removed = try await [first, second]
                #expect(removed.filter { $0 }.count == 1)
                #expect(try await database.read { try Passkeys.count(of: id(round), in: $0) } == 1)
                #expect(try await !database.write { try Passkeys.remove(bytes(2 * round, 20), of: id(99), in: $0) })
            }
        }
    }

    @Test(
        "sessions end one by one, by device, by account but for one, and all together; the first reason stays",
        arguments: StoreUnderTest.expected)
    func revocation(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                for number in UInt8(1)...4 { try StoredAccount(number).add(in: transaction) }
                for number in UInt8(11)...13 {
                    var more = StoredAccount(1).session
                    more.id = id(number)
                    try Sessions.add(more, in: transaction)
                }
                func reasons() throws -> [String?] {
                    try transaction.run("SELECT revoked_reason, family_id FROM refresh_tokens ORDER BY family_id", [])
                        .map { try $0.optional(0, SQLRow.text) }
                }
                #expect(try Sessions.revoke(id(11), at: now, reason: "logout", in: transaction))
                #expect(try !Sessions.revoke(id(11), at: now, reason: "again", in: transaction))
                #expect(try reasons() == [nil, nil, nil, nil, "logout", nil, nil])
                #expect(
                    try Sessions.revoke(account: id(1), except: id(12), at: now, reason: "others", in: transaction) == 2
                )
                #expect(try reasons() == ["others", nil, nil, nil, "logout", nil, "others"])
                #expect(try Sessions.revoke(device: id(2), of: id(2), at: now, reason: "device", in: transaction) == 1)
                #expect(
                    try Sessions.revoke(account: id(3), except: nil, at: now, reason: "account", in: transaction) == 1)
                #expect(try reasons() == ["others", "device", "account", nil, "logout", nil, "others"])
                #expect(try Sessions.revokeAll(at: now, reason: "all", in: transaction) == 2)
                #expect(try reasons() == ["others", "device", "account", "all", "logout", "all", "others"])
            }
        }
    }

    @Test("the metadata number of each signer rises, and never falls", arguments: StoreUnderTest.expected)
    func metadataNumbers(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                #expect(try MetadataNumbers.highest(of: "a", in: transaction) == nil)
                for (number, highest) in [(Int64(5), Int64(5)), (3, 5), (5, 5), (6, 6), (.max, .max), (0, .max)] {
                    #expect(try MetadataNumbers.note(number, of: "a", in: transaction) == highest)
                    #expect(try MetadataNumbers.highest(of: "a", in: transaction) == highest)
                }
                #expect(try MetadataNumbers.note(0, of: "b", in: transaction) == 0)
            }
        }
    }

    @Test("an invitation is used once, until it expires", arguments: StoreUnderTest.expected)
    func invitations(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                for byte in UInt8(1)...3 {
                    try Invitations.add(bytes(byte), until: now.plus(Int64(byte) * 1_000), in: transaction)
                }
                #expect(try Invitations.count(at: now, in: transaction) == 3)
                #expect(try Invitations.contains(bytes(1), at: now.plus(999), in: transaction))
                #expect(try !Invitations.contains(bytes(1), at: now.plus(1_000), in: transaction))
                #expect(try !Invitations.contains(bytes(9), at: now, in: transaction))
                #expect(try !Invitations.use(bytes(1), at: now.plus(1_000), in: transaction))
                #expect(try Invitations.use(bytes(2), at: now.plus(1_000), in: transaction))
                #expect(try !Invitations.use(bytes(2), at: now.plus(1_000), in: transaction))
                #expect(try !Invitations.contains(bytes(2), at: now, in: transaction))
                #expect(try Invitations.prune(expiredBefore: now.plus(1_001), in: transaction) == 1)
                #expect(try Invitations.count(at: now, in: transaction) == 1)
                try Invitations.removeAll(in: transaction)
                #expect(try Invitations.count(at: now, in: transaction) == 0)
            }
            try await database.write { try Invitations.add(bytes(1), until: now, in: $0) }
            await #expect(throws: StoreError.conflict) {
                try await database.write { try Invitations.add(bytes(1), until: now, in: $0) }
            }
        }
    }

    @Test("a recovery code is used once, and new codes replace all old ones", arguments: StoreUnderTest.expected)
    func recoveryCodes(_ store: StoreUnderTest) async throws {
        func code(_ byte: UInt8) -> RecoveryCodeRow {
            RecoveryCodeRow(
                selector: bytes(byte, 5), account: id(1), salt: bytes(byte, 16), hash: bytes(byte), createdAt: now)
        }
        let (one, two, three) = (code(1), code(2), code(3))
        try await store.with { database async throws in
            try await database.write { transaction throws in
                try StoredAccount(1).add(in: transaction)
                try StoredAccount(2).add(in: transaction)
                try RecoveryCodes.replaceAll(of: id(1), with: [one, two], in: transaction)
                #expect(try RecoveryCodes.unused(of: id(1), in: transaction) == 2)
                #expect(try RecoveryCodes.find(one.selector, in: transaction) == one)
                #expect(try RecoveryCodes.use(one.selector, at: now.plus(1), in: transaction))
                #expect(try !RecoveryCodes.use(one.selector, at: now.plus(2), in: transaction))
                #expect(try RecoveryCodes.find(one.selector, in: transaction)?.usedAt == now.plus(1))
                #expect(try RecoveryCodes.unused(of: id(1), in: transaction) == 1)
                #expect(try RecoveryCodes.unused(of: id(2), in: transaction) == 0)
                try RecoveryCodes.replaceAll(of: id(1), with: [three], in: transaction)
                #expect(try RecoveryCodes.find(two.selector, in: transaction) == nil)
                #expect(try RecoveryCodes.unused(of: id(1), in: transaction) == 1)
            }
            await #expect(throws: StoreError.conflict) {
                try await database.write { try RecoveryCodes.replaceAll(of: id(2), with: [three], in: $0) }
            }
        }
    }

    @Test(
        "a device's later attestation takes the place of the earlier, unless it is another account's",
        arguments: StoreUnderTest.expected)
    func attestations(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                try StoredAccount(1).add(in: transaction)
                try StoredAccount(2).add(in: transaction)
                func put(_ format: String, _ account: AccountID) throws -> Bool {
                    try DeviceAttestations.put(
                        DeviceAttestationRow(
                            device: id(1), account: account, platform: "ios", format: format, trustStatus: "basic",
                            verifiedAt: now, attestation: [1]), sealer: sealer, in: transaction)
                }
                #expect(try put("first", id(1)))
                #expect(try put("second", id(1)))
                #expect(try !put("third", id(2)))
                #expect(try DeviceAttestations.find(id(1), sealer: sealer, in: transaction)?.format == "second")
            }
        }
    }

    @Test("expired rows are removed, and no others", arguments: StoreUnderTest.expected)
    func pruning(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                try StoredAccount(1).add(in: transaction)
                for number in UInt8(0)..<10 {
                    let time = now.plus(Int64(number))
                    _ = try ReplayCache.spend(bytes(number), until: time, in: transaction)
                    try RevokedAccessTokens.add(bytes(number, 16), until: time, in: transaction)
                    _ = try RateLimits.take(
                        from: bytes(number), TokenBucket.Rate(burst: 3, every: .seconds(1)), at: time, in: transaction)
                    try SecurityEvents.add(
                        SecurityEventRow(id: bytes(number, 16), account: id(1), kind: "k", at: time), sealer: sealer,
                        in: transaction)
                    var session = StoredAccount(1).session
                    session.id = id(100 + number)
                    session.expiresAt = time
                    try Sessions.add(session, in: transaction)
                    _ = try ServerKeys.add(
                        ServerKeyRow(
                            id: [number], purpose: "p", sealed: [], createdAt: now, activatesAt: now,
                            retiresAt: number == 0 ? nil : time), in: transaction)
                }
                let limit = now.plus(4)
                #expect(try ReplayCache.prune(expiredBefore: limit, in: transaction) == 4)
                #expect(try RevokedAccessTokens.prune(expiredBefore: limit, in: transaction) == 4)
                #expect(try SecurityEvents.prune(before: limit, in: transaction) == 4)
                #expect(try Sessions.prune(expiredBefore: limit, in: transaction) == 4)
                #expect(try ServerKeys.prune(retiredBefore: limit, in: transaction) == 3)
                var buckets = 0
                for part in UInt8.min...UInt8.max {
                    buckets += try RateLimits.prune(unusedSince: limit, part: part, in: transaction)
                }
                #expect(buckets == 4)
                #expect(try ReplayCache.spend(bytes(3), until: now.plus(3), in: transaction))
                #expect(try !ReplayCache.spend(bytes(4), until: now.plus(4), in: transaction))
                #expect(try RevokedAccessTokens.contains(bytes(4, 16), in: transaction))
                #expect(try !RevokedAccessTokens.contains(bytes(3, 16), in: transaction))
                let kept = try SecurityEvents.page(of: id(1), limit: 3, sealer: sealer, in: transaction)
                #expect(kept.map(\.at) == [9, 8, 7].map { now.plus($0) })
            }
        }
    }

    @Test("pruning buckets includes those whose hash begins with 255", arguments: StoreUnderTest.expected)
    func lastPart(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction throws in
                _ = try RateLimits.take(
                    from: bytes(255), TokenBucket.Rate(burst: 3, every: .seconds(1)), at: now, in: transaction)
                #expect(try RateLimits.prune(unusedSince: now.plus(1), part: 254, in: transaction) == 0)
                #expect(try RateLimits.prune(unusedSince: now.plus(1), part: 255, in: transaction) == 1)
            }
        }
    }

    @Test("a sealed server key opens only for its own row", arguments: StoreUnderTest.expected)
    func serverKeys(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let secret = SecretBytes(count: 32, from: SeededRandom(seed: 5))
            let row = ServerKeyRow(
                id: [1, 2], purpose: "access", sealed: try ServerKeys.seal(secret, id: [1, 2], sealer: sealer),
                createdAt: now, activatesAt: now)
            try await database.write { transaction throws in
                try ServerKeys.lock(in: transaction)
                #expect(try ServerKeys.add(row, in: transaction))
                #expect(try !ServerKeys.add(row, in: transaction))
                #expect(try ServerKeys.retire([1, 2], at: now.plus(9), in: transaction))
            }
            let found = try #require(
                try await database.read { try ServerKeys.all(purpose: "access", in: $0) }.first)
            #expect(found.retiresAt == now.plus(9))
            let opened = try ServerKeys.open(found.sealed, id: [1, 2], sealer: sealer)
            let isSame = opened.matches(secret)
            #expect(isSame)
            #expect(throws: StoreError.sealIsBroken) {
                _ = try ServerKeys.open(found.sealed, id: [1, 3], sealer: sealer)
            }
        }
    }
}
