internal import AuthAPI
internal import Encoding
internal import Foundation
internal import HTTPTypes
internal import StoreTestSupport
internal import Testing

@testable internal import AuditLog
@testable internal import AuthServer
@testable internal import SQLStore

@Suite("The server's audit log")
struct AuditCopyingTests {
    @Test("has every event of the store, in order, with its id, account and device", arguments: StoreUnderTest.expected)
    func events(_ store: StoreUnderTest) async throws {
        try await AuditBench.with(store) { bench, servers in
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
            #expect(try bench.records().last?.time.wall == server.clock.now.milliseconds)
            #expect(events.map(\.reason) == [0, 96, 96, 0])
            #expect(try bench.all().first?.kind == .configured)
            // The client's address is in no entry.
            let text = try bench.records().flatMap(\.encoded)
            #expect(!text.contains(TestServer.peer.utf8))
        }
    }

    @Test("has the orders of an operator, whose commands know no running server", arguments: StoreUnderTest.expected)
    func operators(_ store: StoreUnderTest) async throws {
        try await AuditBench.with(store) { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await phone.addPasskey(with: server.authenticator())
            let account = try #require(phone.tokens).account
            let audit = AuditOutbox.ofOperator(server.server.configuration)
            let clock = server.clock
            let accounts = OperatorAccounts(
                database: server.database, sealer: sealer, clock: { clock.now }, random: server.random(), audit: audit)
            try await server.copyEvents()
            _ = try await accounts.lock(account, reason: nil)
            _ = try await accounts.unlock(account)
            _ = try await accounts.removePasskey(keys.newest, of: account, evenLast: true)
            _ = try await Revocation.end(of: account, sealer: sealer, audit: audit, in: server.database)
            _ = try await InvitationIssuance(
                database: server.database, sealer: sealer, clock: { clock.now }, random: server.random(), audit: audit
            ).issue(3, validFor: .hours(1))
            try await accounts.erase(account)
            try await server.copyEvents()
            let events = try bench.events().suffix(6)
            #expect(
                events.map(\.kind) == [
                    .accountLocked, .accountUnlocked, .passkeyRemoved, .sessionEnded, .invitationsMade, .accountErased,
                ])
            #expect(events.map(\.reason) == [0, 0, 33, 33, 3, 0])
        }
        #expect(AuditOutbox.ofOperator(try TestServer.configuration()) == nil)
    }

    @Test(
        "on a full disk, what would have to be logged is refused and undone, the rest goes on, and it recovers by itself",
        arguments: StoreUnderTest.expected)
    func fullDisk(_ store: StoreUnderTest) async throws {
        try await AuditBench.with(store) { bench, servers in
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
            let refused = Problem(.unavailable, retryAfter: Limits.auditRetrySeconds)
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
        try await AuditBench.with { bench, servers in
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
        try await AuditBench.with { _, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            server.clock.advance(Timestamp.Span(milliseconds: Int64(Limits.auditDelayMilliseconds)))
            try await phone.signIn(with: keys)
            server.clock.advance(Timestamp.Span(milliseconds: 1))
            #expect(try server.gate.fault == .delay)
            await #expect(throws: Problem(.unavailable, retryAfter: Limits.auditRetrySeconds)) {
                try await phone.signIn(with: keys)
            }
            try await server.copyEvents()
            try await phone.signIn(with: keys)
        }
    }

    @Test("too many events that wait shut the gate, also for the operator's commands")
    func backlog() async throws {
        let gate = AuditGate(backlog: 3, delay: 1_000, uptime: { 0 })
        for _ in 0..<3 { try gate.enter() }
        #expect(throws: AuditFault.backlog) { try gate.enter() }
        #expect(gate.waiting.count == 3)
        let mark = gate.mark()
        gate.settle(mark)
        #expect(gate.fault == nil && gate.waiting.count == 0)

        try await AuditBench.with { _, servers in
            let server = servers[0]
            let audit = try #require(AuditOutbox.ofOperator(server.server.configuration))
            try await server.database.write { transaction in
                for number in 0..<Limits.auditBacklog {
                    let row = AuditQueueRow(
                        position: Int64(number), id: withUnsafeBytes(of: number) { Array($0) + Array($0) }, event: [])
                    try AuditQueue.add(row, to: audit.log, sealer: sealer, in: transaction)
                }
            }
            let accounts = InvitationIssuance(
                database: server.database, sealer: sealer, clock: { now }, random: server.random(), audit: audit)
            await #expect(throws: AuditFault.backlog) { _ = try await accounts.issue(1, validFor: .hours(1)) }
        }
    }

    @Test("what the store could not mark as copied is not copied a second time, and after a kill comes with its id")
    func repetition() async throws {
        try await AuditBench.with { bench, servers in
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
        try await AuditBench.with { bench, servers in
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

    @Test("an event that was changed in the queue, or comes from another row, stops the copying")
    func changedQueue() async throws {
        for change in [
            "UPDATE audit_queue SET event_sealed = (SELECT MAX(event_sealed) FROM audit_queue)",
            "UPDATE audit_queue SET event_id = randomblob(16)",
        ] as [SQL] {
            try await AuditBench.with { _, servers in
                let server = servers[0]
                try await server.device().signUp(with: server.authenticator())
                _ = try await server.database.write { try $0.run(change, []) }
                try await server.copyEvents()
                #expect(try server.gate.fault == .queueChanged)
            }
        }
    }

    @Test("replicas have a log each, and every event is in one of them", arguments: StoreUnderTest.expected)
    func replicas(_ store: StoreUnderTest) async throws {
        try await AuditBench.with(store, replicas: 2) { bench, servers in
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
        try await AuditBench.with(store, replicas: 2) { bench, servers in
            try await servers[0].device().signUp(with: servers[0].authenticator())
            try await servers[1].copyEvents()
            #expect(try bench.events(1).isEmpty)
            servers[0].clock.advance(Timestamp.Span(milliseconds: Int64(Limits.auditAdoptionMilliseconds)))
            try await servers[1].copyEvents()
            #expect(try bench.events(1).isEmpty, "it waits a moment longer than two minutes")
            servers[0].clock.advance(Timestamp.Span(milliseconds: Int64(Limits.auditAdoptionMilliseconds) + 1))
            try await servers[1].copyEvents()
            #expect(try bench.events(1).count == 3)
            try await servers[0].copyEvents()
            #expect(try bench.events(0).isEmpty)
        }
    }

    @Test("a second server with the same name of a log does not start, nor goes on", arguments: StoreUnderTest.expected)
    func sameName(_ store: StoreUnderTest) async throws {
        try await AuditBench.with(store) { bench, servers in
            let server = servers[0]
            await #expect(throws: StartupError.auditLog(folder: bench.path(7), .changed)) {
                _ = try await server.startedAgain { configuration in
                    bench.set(&configuration, replica: 7)
                    configuration.audit.name = AuditBench.name(0)
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
        try await AuditBench.with { bench, servers in
            let server = servers[0]
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            try await server.copyEvents()
            let account = try #require(phone.tokens).account
            let events = SecurityEventLog(
                sealer: sealer, random: server.random(), reporting: nil, audit: try #require(server.server.audit).outbox
            )
            let burst = Limits.auditedRefusals.burst
            try await server.database.write { transaction in
                for _ in 0..<(burst + 70) {
                    try events.note(.signInRefused, account: account, EventDetails(nil), at: now, in: transaction)
                }
            }
            #expect(try await server.waiting == burst)
            #expect(burst < Limits.auditBacklog)
            #expect(try server.gate.fault == nil, "the others can go on")
            try await server.copyEvents()
            server.clock.advance(Timestamp.Span(milliseconds: Int64(Limits.auditCheckpointMilliseconds)))
            try await server.copyEvents()
            let last = try #require(try bench.events().last)
            #expect(last.kind == .refusalsOmitted && last.reason == 70)
            #expect(server.server.metrics.text.contains("fuekid_audit_refusals_omitted_total 70"))
        }
    }

    @Test("refused sign-ins to an account end at its limit, before they are events")
    func refusalLimit() async throws {
        let limit = ServerConfiguration.LimitSettings.Bucket(burst: 60, perMinute: 60)
        try await AuditBench.with(changing: { $0.limits.account = limit }) { _, servers in
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
