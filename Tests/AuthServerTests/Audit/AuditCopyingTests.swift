internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import Foundation
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Synchronization
internal import Testing
internal import Time

@testable internal import AuditLog
@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore
@testable internal import ServerAudit

@Suite("The server's audit log")
struct AuditCopyingTests {
    @Test("has every event of the store, in order, with its id, account and device", arguments: StoreUnderTest.expected)
    func events(_ store: StoreUnderTest) async throws {
        try await AuditFixture.with(store) { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            server.clock.advance(.seconds(9))
            try await phone.signIn(with: keys)
            let tokens = try #require(phone.tokens)
            #expect(try await server.waiting == 4)
            let time = server.clock.now.milliseconds
            server.clock.advance(.seconds(5))
            try await server.copyEvents()
            #expect(try await server.waiting == 0)
            let events = try bench.events()
            #expect(events.map(\.kind) == [.deviceAdded, .accountCreated, .passkeyAdded, .signedIn])
            #expect(Set(events.map(\.id.bytes)) == Set(try await server.storedEvents.map(\.id)))
            #expect(events.allSatisfy { $0.account?.bytes == tokens.account.bytes })
            #expect(events.last?.device?.bytes == tokens.device.bytes)
            #expect(events.last?.subject?.bytes == tokens.session.bytes)
            #expect(events.last?.at == time)
            #expect(try bench.records().last?.wall == server.clock.now)
            #expect(events.map(\.reason) == [0, 96, 96, 0])
            #expect(try bench.all().first?.kind == .configured)
            // The client's address is in no entry.
            let text = try bench.records().flatMap(\.encoded)
            #expect(!text.contains(TestServer.peer.utf8))
        }
    }

    @Test(
        "on a full disk, what would have to be logged is refused and undone, the rest goes on, and it recovers by itself",
        arguments: StoreUnderTest.expected)
    func fullDisk(_ store: StoreUnderTest) async throws {
        try await AuditFixture.with(store) { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await server.copyEvents()
            server.disk.fault = .diskFull
            // The disk is found to be full with the next event.
            try await phone.signIn(with: keys)
            try await server.copyEvents()
            #expect(try server.gate.fault == .diskFull)
            #expect(server.log.text.contains("changes are refused"))

            let before = try await TableDump.lasting(in: server)
            let refused = Problem(.unavailable, retryAfter: ServerAuditLimits.retrySeconds)
            await #expect(throws: refused) { try await phone.signIn(with: keys) }
            await #expect(throws: refused) { try await server.device().signUp(with: server.authenticator()) }
            await #expect(throws: refused) { try await phone.call(.post, "/api/auth/logout") }
            await #expect(throws: refused) { try await phone.call(.delete, "/api/account") }
            #expect(try await TableDump.lasting(in: server) == before)
            #expect(try await server.send(.get, "/readyz").problem == Problem(.unavailable))
            // Reading, refreshing and verifying tokens go on.
            #expect(try await phone.isSignedIn())
            try await phone.refresh()
            #expect(server.server.metrics.text.contains("fuekid_audit_accepting 0"))
            #expect(server.server.metrics.text.contains(#"fuekid_audit_fault{reason="disk_full"} 1"#))

            server.disk.fault = nil
            try await server.copyEvents()
            #expect(try server.gate.fault == nil)
            try await phone.signIn(with: keys)
            try await server.copyEvents()
            #expect(try await server.send(.get, "/readyz").status == 200)
            let events = try bench.events()
            #expect(events.map(\.kind).filter { $0 == .signedIn }.count == 2)
            #expect(Set(events.map(\.id)).count == events.count)
            #expect(try await server.waiting == 0)
        }
    }

    @Test("a log that broke is opened again, and every event is in it")
    func broken() async throws {
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            server.disk.fault = .writeFailed(code: 5)
            try await phone.signUp(with: keys)
            try await server.copyEvents()
            #expect(try server.gate.fault == .unwritable)
            try await server.copyEvents()
            #expect(try server.gate.fault == .unwritable)
            server.disk.fault = nil
            try await server.copyEvents()
            #expect(try server.gate.fault == nil)
            #expect(try bench.events().count == 3)
        }
    }

    @Test("an event that waits too long shuts the gate, although the log has reported no failure")
    func delay() async throws {
        try await AuditFixture.with { _, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            server.clock.advance(ServerAuditLimits.delay)
            try await phone.signIn(with: keys)
            server.clock.advance(Timestamp.Span(milliseconds: 1))
            #expect(try server.gate.fault == .delay)
            await #expect(throws: Problem(.unavailable, retryAfter: ServerAuditLimits.retrySeconds)) {
                try await phone.signIn(with: keys)
            }
            try await server.copyEvents()
            try await phone.signIn(with: keys)
        }
    }

    private static func row(_ number: UInt8) -> AuditQueueRow {
        AuditQueueRow(position: Int64(number), id: [UInt8](repeating: number, count: 16), event: [number])
    }

    @Test("the gate keeps an event until it is copied or rolled back, and misses those only that were committed")
    func outcomes() throws {
        let time = Mutex<Int64>(1)
        let gate = AuditGate(
            backlog: 10, delay: .seconds(10), uptime: { time.withLock { .seconds($0) } })
        for number: UInt8 in 0..<5 { try gate.enter(Self.row(number)) }
        let ids = (UInt8(0)..<5).map { Self.row($0).id }
        #expect(gate.waiting == (5, .zero))
        gate.commit([ids[1], ids[0]])
        gate.remove([ids[2]])
        gate.lose([ids[3]])
        // The last one is committed while the queue is read.
        let mark = gate.mark()
        gate.commit([ids[4]])
        time.withLock { $0 = 4 }
        #expect(gate.waiting == (4, .seconds(3)))
        #expect(gate.event(ids[0]) == [0] && gate.event(ids[2]) == nil)
        #expect(gate.missing(mark).map(\.row) == [Self.row(0), Self.row(1)])
        #expect(gate.missing(mark).map(\.age) == [.seconds(3), .seconds(3)])
        gate.remove([ids[0]])
        #expect(gate.missing(mark).map(\.row) == [Self.row(1)])
        gate.remove([ids[1]])
        #expect(gate.missing(mark).isEmpty)
        // What had an unknown outcome and was not in the queue was not committed.
        #expect(gate.waiting == (1, .seconds(3)))
        time.withLock { $0 = 12 }
        #expect(gate.fault == .delay)
        gate.remove([ids[4]])
        #expect(gate.fault == nil && gate.waiting == (0, .zero))
        // Copied before the store answered.
        gate.commit([ids[4]])
        #expect(gate.waiting == (0, .zero))
    }

    @Test("a log that was removed, cut or set back is noticed without an event, and again accepted when it is back")
    func filesGone() async throws {
        try await AuditFixture.with { bench, servers in
            let (server, files) = (servers[0], FileManager.default)
            try await server.device().signUp(with: server.authenticator())
            try await server.copyEvents()
            let path = bench.path()
            try files.copyItem(atPath: path, toPath: path + ".older")
            try await server.device().signUp(with: server.authenticator())
            try await server.copyEvents()
            #expect(try await server.send(.get, "/readyz").status == 200)
            try files.moveItem(atPath: path, toPath: path + ".good")
            let cut = { @Sendable () throws in
                try FileManager.default.copyItem(atPath: path + ".good", toPath: path)
                let entries = URL(fileURLWithPath: path + "/entries-000000000000000")
                try Data(contentsOf: entries).dropLast(60).write(to: entries)
            }
            let changes: [@Sendable () throws -> Void] = [
                {}, { try FileManager.default.copyItem(atPath: path + ".older", toPath: path) }, cut,
            ]
            for change in changes {
                try change()
                for _ in 0..<2 {
                    try await server.copyEvents()
                    #expect(try server.gate.fault == .changed)
                }
                #expect(try await server.send(.get, "/readyz").status == 503)
                await #expect(throws: Problem(.unavailable, retryAfter: ServerAuditLimits.retrySeconds)) {
                    try await server.device().signUp(with: server.authenticator())
                }
                if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
                try files.copyItem(atPath: path + ".good", toPath: path)
                try await server.copyEvents()
                #expect(try server.gate.fault == nil)
                try files.removeItem(atPath: path)
            }
        }
    }

    @Test("too many events that wait shut the gate")
    func backlog() async throws {
        let gate = AuditGate(backlog: 3, delay: .seconds(1), uptime: { .zero })
        for number: UInt8 in 0..<3 { try gate.enter(Self.row(number)) }
        #expect(throws: AuditFault.backlog) { try gate.enter(Self.row(3)) }
        #expect(gate.waiting.count == 3)
        gate.remove((UInt8(0)..<3).map { Self.row($0).id })
        #expect(gate.fault == nil && gate.waiting.count == 0)
    }

    @Test("an event that the store could not mark as copied is copied once; after a kill it keeps its id")
    func repetition() async throws {
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            server.database.failWrites(with: .unavailable)
            for _ in 0..<3 { try await server.copyEvents() }
            #expect(try bench.events().count == 3)
            #expect(try await server.waiting == 3)
            #expect(try server.gate.fault == nil, "the store failed, and not the log")
            server.database.failWrites(with: nil)
            try await server.copyEvents()
            #expect(try bench.events().count == 3)
            #expect(try await server.waiting == 0)

            try await phone.signIn(with: keys)
            server.database.failWrites(with: .unavailable)
            try await server.copyEvents()
            server.database.failWrites(with: nil)
            let once = try bench.events()
            // It is killed here: the next server finds the event in the queue.
            _ = try await server.startedAgain()
            let twice = try bench.events()
            #expect(twice.count > once.count)
            #expect(Set(twice.map(\.id)) == Set(once.map(\.id)))
            #expect(try await server.waiting == 0)
        }
    }

    @Test("a write whose outcome is unknown is looked up, and does not look like another server")
    func unknownOutcome() async throws {
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            server.database.afterNextWrite { throw StoreError.outcomeUnknown }
            try await server.copyEvents()
            try await server.copyEvents()
            #expect(try server.gate.fault == nil)
            try await phone.signIn(with: keys)
            try await server.copyEvents()
            #expect(try server.gate.fault == nil)
            #expect(try bench.events().count == 4)
        }
    }

    @Test(
        "an event that was changed or removed in the queue is logged as it was, and the gate is shut until the next start"
    )
    func changedQueue() async throws {
        for change in [
            "UPDATE audit_queue SET event_sealed = (SELECT MAX(event_sealed) FROM audit_queue)",
            """
            UPDATE audit_queue SET number = number + 1000, event_id = (SELECT MAX(event_id) FROM audit_queue)
            WHERE event_id = (SELECT MIN(event_id) FROM audit_queue)
            """,
            "DELETE FROM audit_queue WHERE number = (SELECT MAX(number) FROM audit_queue)",
            "UPDATE audit_queue SET log = (SELECT MAX(root) FROM log_states)",
        ] as [SQL] {
            try await AuditFixture.with { bench, servers in
                let server = servers[0]
                try await server.device().signUp(with: server.authenticator())
                _ = try await server.database.write { try $0.run(change, []) }
                try await server.copyEvents()
                #expect(Set(try bench.events().map(\.id.bytes)) == Set(try await server.storedEvents.map(\.id)))
                for _ in 0..<2 {
                    #expect(try server.gate.fault == .queueChanged)
                    try await server.copyEvents()
                }
                #expect(server.log.text.components(separatedBy: "changed or removed in the store").count == 2)
                await #expect(throws: Problem(.unavailable, retryAfter: ServerAuditLimits.retrySeconds)) {
                    try await server.device().signUp(with: server.authenticator())
                }
                #expect(try await server.send(.get, "/readyz").status == 503)
                #expect(server.server.metrics.text.contains(#"fuekid_audit_fault{reason="queue_changed"} 1"#))
                // The remedy that the text names.
                #expect(AuditFault.queueChanged.hint?.hasSuffix("restart the server") == true)
                await server.server.audit?.copying.close()
                let again = try await server.startedAgain()
                #expect(again.audit?.gate.fault == nil)
            }
        }
    }

    @Test(
        "who lets the store remove each new event, or keep each old one, does not silence the log",
        arguments: [
            """
            CREATE TRIGGER removes AFTER INSERT ON audit_queue BEGIN
                DELETE FROM audit_queue WHERE event_id = NEW.event_id; END
            """,
            "CREATE TRIGGER refuses BEFORE INSERT ON audit_queue BEGIN SELECT RAISE(IGNORE); END",
            "CREATE TRIGGER keeps BEFORE DELETE ON audit_queue BEGIN SELECT RAISE(IGNORE); END",
        ] as [SQL])
    func triggers(_ trigger: SQL) async throws {
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            _ = try await server.database.write { try $0.run(trigger, []) }
            try await server.device().signUp(with: server.authenticator())
            for _ in 0..<3 { try await server.copyEvents() }
            #expect(try bench.events().map(\.kind) == [.deviceAdded, .accountCreated, .passkeyAdded])
            #expect(try server.gate.fault == .queueChanged)
        }
    }

    @Test(
        "rows that no server can read hide no event, stop no replica, and are a finding until they are removed",
        arguments: StoreUnderTest.expected)
    func unreadable(_ store: StoreUnderTest) async throws {
        let newer = sealer.adding(key: sealingKey(9), number: sealer.newest + 1)
        try await AuditFixture.with(store, replicas: 2) { bench, servers in
            let outbox = try #require(servers[0].server.audit).outbox
            let rest = Int(StoreLimits.rowsAtOnce) + 3
            // Rows of an unknown sealing key before every other, and two damaged ones: of the server and of another log.
            try await servers[0].database.write { transaction in
                for number in 0..<rest {
                    let row = AuditQueueRow(
                        position: Int64(number), id: withUnsafeBytes(of: number) { Array($0) + Array($0) }, event: [])
                    try AuditQueue.add(row, to: outbox.log, sealer: newer, in: transaction)
                }
                for log in [outbox.log, [UInt8](repeating: 5, count: 32)] {
                    try AuditQueue.add(Self.row(200), to: log, sealer: sealer, in: transaction)
                }
                try transaction.change(
                    "UPDATE audit_queue SET event_sealed = $1 WHERE number = 200", [.bytes([1, 2, 3])])
            }
            for _ in 0..<3 {
                try await servers[0].device().signUp(with: servers[0].authenticator())
                for server in servers { try await server.copyEvents() }
            }
            #expect(try bench.events().count == 9)
            for server in servers {
                server.clock.advance(ServerAuditLimits.adoption + Timestamp.Span(milliseconds: 1))
                for server in servers {
                    try await server.copyEvents()
                    #expect(try server.gate.fault == nil)
                    #expect(try server.gate.unreadable == rest + 2)
                    #expect(server.server.metrics.text.contains("fuekid_audit_unreadable \(rest + 2)"))
                    let ready = try await server.send(.get, "/readyz")
                    #expect(ready.status == 200 && ready.text.contains("\(rest + 2) audit events in the store"))
                }
            }
            #expect(servers[0].log.text.contains("were set aside"))
            // A start is not stopped either. The remedy of operations.md:
            await servers[0].server.audit?.copying.close()
            let again = try await servers[0].startedAgain()
            #expect(again.audit?.gate.fault == nil)
            await again.audit?.copying.close()
            let removing: SQL =
                switch store {
                case .sqlite: "DELETE FROM audit_queue WHERE log = zeroblob(32)"
                case .postgreSQL: "DELETE FROM audit_queue WHERE log = decode(repeat('00', 32), 'hex')"
                }
            _ = try await servers[1].database.write { transaction in
                #expect(try transaction.change(removing, []) == rest + 1)
                try transaction.change("DELETE FROM audit_queue WHERE number = 200", [])
            }
            servers[1].clock.advance(ServerAuditLimits.adoption + Timestamp.Span(milliseconds: 1))
            try await servers[1].copyEvents()
            #expect(try servers[1].gate.unreadable == 0)
            #expect(try await servers[1].send(.get, "/readyz").text == "ready\n")
        }
    }

    @Test("an event that was set aside is logged by a server that has its key")
    func keyCameLater() async throws {
        let newer = sealer.adding(key: sealingKey(9), number: sealer.newest + 1)
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            let log = try #require(server.server.audit).outbox.log
            let event = ServerEvent(
                .sessionEnded, id: try ServerEventID([UInt8](repeating: 200, count: 16)), at: now.milliseconds,
                account: nil)
            try await server.database.write { transaction in
                let row = AuditQueueRow(position: 200, id: event.id.bytes, event: event.encoded)
                try AuditQueue.add(row, to: log, sealer: newer, in: transaction)
            }
            try await server.copyEvents()
            #expect(try server.gate.unreadable == 1)
            #expect(try bench.events().isEmpty)
            await server.server.audit?.copying.close()
            let again = try await server.startedAgain(sealer: newer)
            await again.audit?.copying.copy()
            #expect(again.audit?.gate.unreadable == 0)
            #expect(try bench.events() == [event])
            #expect(try await server.database.read { try AuditQueue.countAside(in: $0) } == 0)
        }
    }

    @Test("an event that the operator sealed again with a key that came after the start is logged")
    func sealedAgain() async throws {
        let newer = sealer.adding(key: sealingKey(9), number: sealer.newest + 1)
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            try await server.device().signUp(with: server.authenticator())
            _ = try await Resealing.run(AuthTables.sealedColumns, of: server.database, sealer: newer)
            try await server.copyEvents()
            #expect(try bench.events().count == 3)
            #expect(try server.gate.fault == nil && server.gate.unreadable == 0)
            #expect(try await server.waiting == 0)
        }
    }

    @Test("replicas have a log each, and every event is in one of them", arguments: StoreUnderTest.expected)
    func replicas(_ store: StoreUnderTest) async throws {
        try await AuditFixture.with(store, replicas: 2) { bench, servers in
            for server in servers {
                for number in 0..<4 {
                    try await server.device().signUp(with: server.authenticator(), name: "\(number)")
                }
            }
            await withTaskGroup(of: Void.self) { group in
                for server in servers { for _ in 0..<4 { group.addTask { try? await server.copyEvents() } } }
            }
            let (one, two) = (try bench.events(0), try bench.events(1))
            #expect(one.count == 12 && two.count == 12)
            let stored = Set(try await servers[0].storedEvents.map(\.id))
            #expect(Set((one + two).map(\.id.bytes)) == stored)
        }
    }

    @Test(
        "the events of a server that does not come back are taken over by another one",
        arguments: StoreUnderTest.expected)
    func adoption(_ store: StoreUnderTest) async throws {
        try await AuditFixture.with(store, replicas: 2) { bench, servers in
            try await servers[0].device().signUp(with: servers[0].authenticator())
            try await servers[1].copyEvents()
            #expect(try bench.events(1).isEmpty)
            servers[0].clock.advance(ServerAuditLimits.adoption)
            try await servers[1].copyEvents()
            #expect(try bench.events(1).isEmpty, "it waits a moment longer than two minutes")
            servers[0].clock.advance(ServerAuditLimits.adoption + Timestamp.Span(milliseconds: 1))
            try await servers[1].copyEvents()
            #expect(try bench.events(1).count == 3)
            // The first one still has them, and logs them with the same ids.
            try await servers[0].copyEvents()
            #expect(try bench.events(0).map(\.id) == bench.events(1).map(\.id))
            #expect(try servers[0].gate.fault == nil)
            #expect(try await servers[0].waiting == 0)
            #expect(servers[0].log.text.contains("another server may have logged them"))
        }
    }

    @Test("a second server with the same name of a log does not start, nor goes on", arguments: StoreUnderTest.expected)
    func sameName(_ store: StoreUnderTest) async throws {
        try await AuditFixture.with(store) { bench, servers in
            let server = servers[0]
            await #expect(throws: StartupError.auditLog(folder: bench.path(7), .changed)) {
                _ = try await server.startedAgain { configuration in
                    bench.set(&configuration, replica: 7)
                    configuration.audit.name = AuditFixture.name(0)
                }
            }
            // Another server has written the state meanwhile.
            _ = try await server.database.write { try $0.run("UPDATE log_states SET size = size + 9", []) }
            try await server.device().signUp(with: server.authenticator())
            try await server.copyEvents()
            #expect(try server.gate.fault == .otherServer)
        }
    }

    @Test("strangers who cause refusals fill neither the log nor the queue, and their number is logged")
    func strangers() async throws {
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            try await server.copyEvents()
            let account = try #require(phone.tokens).account
            let events = SecurityEventLog(
                sealer: sealer, random: server.random(), reporting: nil, audit: try #require(server.server.audit).outbox
            )
            let burst = ServerAuditLimits.refusals.burst
            try await server.database.write { transaction in
                for _ in 0..<(burst + 70) {
                    try events.note(.signInRefused, account: account, EventDetails(nil), at: now, in: transaction)
                }
            }
            #expect(try await server.waiting == burst)
            #expect(burst < ServerAuditLimits.backlog)
            #expect(try server.gate.fault == nil, "the others can go on")
            try await server.copyEvents()
            server.clock.advance(ServerAuditLimits.checkpointAge)
            try await server.copyEvents()
            let last = try #require(try bench.events().last)
            #expect(last.kind == .refusalsOmitted && last.reason == 70)
            #expect(server.server.metrics.text.contains("fuekid_audit_refusals_omitted_total 70"))
        }
    }

    @Test("refused sign-ins to an account end at its limit, before they are events")
    func refusalLimit() async throws {
        let limit = ServerConfiguration.LimitSettings.Bucket(burst: 60, perMinute: 60)
        try await AuditFixture.with(changing: { $0.limits.account = limit }) { _, servers in
            let server = servers[0]
            let (phone, keys, thief) = (server.device(), server.authenticator(), server.device())
            try await phone.signUp(with: keys)
            try await server.copyEvents()
            keys.behaviour.origin = "http://localhost:8421"
            for _ in 0..<80 { _ = try? await thief.signIn(with: keys) }
            #expect(try await server.waiting == 60)
        }
    }
}
