internal import AuthAPI
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthStore
@testable internal import SQLStore

/// The number of rows that an account keeps is limited, so that no account can slow the store down for others.
@Suite("Rows that an account keeps")
struct KeptRowsTests {
    /// Returns 16 bytes for a number.
    private static func identifier(_ number: Int) -> [UInt8] {
        bytes(7, 8) + withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
    }

    private static func session(_ number: Int, _ change: (inout SessionRow) -> Void = { _ in }) throws -> SessionRow {
        var session = StoredAccount(1).session
        session.id = try #require(SessionID(bytes: identifier(number)))
        (session.revokedAt, session.revokedReason) = (nil, nil)
        session.lastUsedAt = now.plus(Int64(number))
        (session.expiresAt, session.idleExpiresAt) = (now.adding(.days(30)), now.adding(.days(7)))
        change(&session)
        return session
    }

    private func add(_ sessions: [SessionRow], in transaction: some Transaction) throws {
        for session in sessions { try Sessions.add(session, in: transaction) }
    }

    private func number(of sessions: [SessionRow]) -> [Int] { sessions.map { Int($0.id.bytes[15]) } }

    @Test(
        "only sessions that go on are listed, the one used last first, and no more than an account may have",
        arguments: StoreUnderTest.expected)
    func living(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let (listed, most): ([SessionRow], Int) = try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                try StoredAccount(2).add(in: transaction)
                _ = try Sessions.revoke(StoredAccount(1).session.id, at: now, reason: "test", in: transaction)
                try add(
                    [
                        try Self.session(1), try Self.session(3), try Self.session(2),
                        try Self.session(4) { $0.revokedAt = now }, try Self.session(5) { $0.expiresAt = now },
                        try Self.session(6) { $0.idleExpiresAt = now },
                    ], in: transaction)
                let listed = try Sessions.living(of: id(1), at: now, in: transaction)
                try add(try (100..<220).map { try Self.session($0) }, in: transaction)
                return (listed, try Sessions.living(of: id(1), at: now, in: transaction).count)
            }
            #expect(number(of: listed) == [3, 2, 1])
            #expect(most == AuthLimits.sessions)
        }
    }

    @Test("the least recently used sessions end, and no others", arguments: StoreUnderTest.expected)
    func oldest(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let left: [SessionRow] = try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                try StoredAccount(2).add(in: transaction)
                _ = try Sessions.revoke(StoredAccount(1).session.id, at: now, reason: "test", in: transaction)
                try add(try (1...6).map { try Self.session($0) }, in: transaction)
                try Sessions.endOldest(of: id(1), keeping: 2, at: now.plus(9), reason: "room", in: transaction)
                #expect(try Sessions.living(of: id(2), at: now, in: transaction).count == 1)
                let ended = try #require(try Sessions.find(try Self.session(4).id, in: transaction))
                #expect(ended.revokedAt == now.plus(9) && ended.revokedReason == "room")
                return try Sessions.living(of: id(1), at: now, in: transaction)
            }
            #expect(number(of: left) == [6, 5])
        }
    }

    @Test(
        "of ended sessions the last ones stay, and one sign-in removes a limited number",
        arguments: StoreUnderTest.expected)
    func ended(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let (kept, atOnce) = (Int(AuthStoreLimits.endedSessions), Int(AuthStoreLimits.prunedAtOnce))
            try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                try StoredAccount(2).add(in: transaction)
                _ = try Sessions.revoke(StoredAccount(2).session.id, at: now, reason: "test", in: transaction)
                for number in 0..<(kept + atOnce + 3) {
                    try Sessions.add(
                        try Self.session(1_000 + number) { $0.revokedAt = now.plus(Int64(number)) }, in: transaction)
                }
                #expect(try Sessions.pruneEnded(of: id(1), in: transaction) == atOnce)
                #expect(try Sessions.pruneEnded(of: id(1), in: transaction) == 3)
                #expect(try Sessions.pruneEnded(of: id(1), in: transaction) == 0)
                let left = try Sessions.last(of: id(1), limit: 1_000, in: transaction)
                // One session stays.
                #expect(left.count == kept + 1)
                #expect(left.compactMap(\.revokedAt).min() == now.plus(Int64(atOnce + 3)))
                #expect(try Sessions.find(StoredAccount(2).session.id, in: transaction) != nil)
            }
        }
    }

    @Test(
        "events of one kind push out older ones of that kind, and none of another", arguments: StoreUnderTest.expected)
    func events(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let limit = Int(AuthStoreLimits.eventsOfKind)
            try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                func add(_ kind: String, _ number: Int, _ first: UInt8) throws {
                    try SecurityEvents.add(
                        SecurityEventRow(
                            id: [first] + Self.identifier(number).dropFirst(), account: id(1), kind: kind,
                            at: now.plus(Int64(number))), sealer: sealer, in: transaction)
                }
                try add("rare", 0, 200)
                for number in 1...(limit + 60) { try add("often", number, 200) }
                // This id begins with a byte at which the search for older events runs.
                try add("often", limit + 61, 15)
            }
            let events = try await database.read {
                try SecurityEvents.page(of: id(1), limit: 10_000, sealer: sealer, in: $0)
            }
            #expect(events.filter { $0.kind == "often" }.count == limit)
            #expect(events.filter { $0.kind == "often" }.map(\.at).min() == now.plus(62))
            #expect(events.filter { $0.kind == "rare" }.count == 1)
        }
    }

    @Test(
        "pages of events follow each other without a gap, also where many have one time",
        arguments: StoreUnderTest.expected)
    func pages(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                for number in 0..<50 {
                    try SecurityEvents.add(
                        SecurityEventRow(
                            id: [200] + Self.identifier(number).dropFirst(), account: id(1), kind: "k",
                            at: now.plus(Int64(number / 20))), sealer: sealer, in: transaction)
                }
            }
            var (mark, seen): (SecurityEvents.Mark, [SecurityEventRow]) = (.newest, [])
            while true {
                let page = try await database.read { [mark] in
                    try SecurityEvents.page(of: id(1), after: mark, limit: 7, sealer: sealer, in: $0)
                }
                seen += page
                guard let last = page.last else { break }
                mark = SecurityEvents.Mark(at: last.at, id: last.id)
            }
            #expect(seen.count == 50 && Set(seen.map(\.id)).count == 50)
            #expect(seen.map(\.at) == seen.map(\.at).sorted(by: >))
        }
    }

    @Test(
        "of revoked devices the last ones are remembered, and a device without a session makes room",
        arguments: StoreUnderTest.expected)
    func devices(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let kept = Int(AuthStoreLimits.revokedDevices)
            try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                func add(_ number: Int, revoked: Bool) throws {
                    let device = DeviceRow(
                        id: try #require(DeviceID(bytes: Self.identifier(number))), account: id(1),
                        keyThumbprint: Self.identifier(number) + bytes(1, 16), name: "n", createdAt: now,
                        lastSeenAt: now.plus(Int64(number)), revokedAt: revoked ? now.plus(Int64(number)) : nil)
                    #expect(try Devices.add(device, sealer: sealer, in: transaction))
                }
                for number in 0..<(kept + 5) { try add(number, revoked: true) }
                try Devices.pruneRevoked(of: id(1), in: transaction)
                #expect(try Devices.count(of: id(1), in: transaction) == (1, kept + 1))
                let forgotten = Self.identifier(4) + bytes(1, 16)
                #expect(
                    try Devices.find(keyThumbprint: forgotten, of: id(1), sealer: sealer, in: transaction) == nil)

                // The household's device has a session.
                #expect(try !Devices.removeUnused(of: id(1), at: now, in: transaction))
                for number in [9_002, 9_001, 9_003] { try add(number, revoked: false) }
                #expect(try Devices.removeUnused(of: id(1), at: now, in: transaction))
                let names = try Devices.active(of: id(1), sealer: sealer, in: transaction).map(\.id.bytes)
                #expect(
                    Set(names)
                        == Set([StoredAccount(1).device.id.bytes, Self.identifier(9_002), Self.identifier(9_003)]))
            }
        }
    }

    @Test("queries for the rows of an account use an index")
    func plans() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase(at: "\(folder.path)/store/fueki.sqlite")
        try await Migrator.migrate(database, at: now, to: AuthTables.migrations)
        let statements: [(SQL, count: Int)] = [
            (
                """
                EXPLAIN QUERY PLAN SELECT family_id FROM refresh_tokens
                WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND idle_expires_at > $3
                """, 3
            ),
            (
                """
                EXPLAIN QUERY PLAN SELECT family_id FROM refresh_tokens
                WHERE account_id = $1 AND revoked_at IS NOT NULL ORDER BY revoked_at DESC
                """, 1
            ),
            ("EXPLAIN QUERY PLAN SELECT 1 FROM refresh_tokens WHERE device_id = $1 AND revoked_at IS NULL", 1),
            ("EXPLAIN QUERY PLAN SELECT device_id FROM devices WHERE account_id = $1 AND revoked_at IS NULL", 1),
            (
                """
                EXPLAIN QUERY PLAN SELECT event_id FROM security_events
                WHERE account_id = $1 AND kind = $2 ORDER BY at DESC
                """, 2
            ),
        ]
        let plans = try await database.read { transaction in
            try statements.map { statement, count in
                let values = [SQLValue](repeating: .text(""), count: count)
                // The columns are id, parent, an unused one, and the words.
                return try transaction.run(statement, values).map { try $0.text(3) }.joined()
            }
        }
        #expect(plans[0].contains("refresh_tokens_by_account_and_end (account_id=? AND revoked_at=?)"))
        #expect(plans[1].contains("refresh_tokens_by_account_and_end (account_id=? AND revoked_at>?)"))
        #expect(plans[2].contains("refresh_tokens_by_device_and_end (device_id=? AND revoked_at=?)"))
        #expect(plans[3].contains("devices_by_account_and_end (account_id=? AND revoked_at=?)"))
        #expect(plans[4].contains("security_events_by_kind (account_id=? AND kind=?)"))
        #expect(plans.allSatisfy { !$0.contains("SCAN") && !$0.contains("B-TREE") })
        await database.close()
    }
}
