internal import AuthAPI
internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import AuditLog
@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import ServerAudit

@Suite("The audit log and the operator's commands")
struct OperatorAuditTests {
    @Test(
        "the log has the orders of an operator, whose commands know no running server",
        arguments: StoreUnderTest.expected)
    func operators(_ store: StoreUnderTest) async throws {
        try await AuditFixture.with(store) { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await phone.addPasskey(with: server.authenticator())
            let account = try #require(phone.tokens).account
            let audit = AuditOutbox.ofOperator(server.server.configuration)
            let store = server.operatorStore(audit: audit)
            let accounts = OperatorAccounts(store: store)
            try await server.copyEvents()
            _ = try await accounts.lock(account, reason: nil)
            _ = try await accounts.unlock(account)
            _ = try await accounts.removePasskey(keys.newest, of: account, evenLast: true)
            _ = try await Revocation.end(of: account, in: store)
            _ = try await Inviting.issue(3, validFor: .hours(1), in: store)
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

    @Test("too many events that wait shut the gate for the operator's commands, too")
    func backlog() async throws {
        try await AuditFixture.with { _, servers in
            let server = servers[0]
            let audit = try #require(AuditOutbox.ofOperator(server.server.configuration))
            try await server.database.write { transaction in
                for number in 0..<ServerAuditLimits.backlog {
                    let row = AuditQueueRow(
                        position: Int64(number), id: withUnsafeBytes(of: number) { Array($0) + Array($0) }, event: [])
                    try AuditQueue.add(row, to: audit.log, sealer: sealer, in: transaction)
                }
            }
            await #expect(throws: AuditFault.backlog) {
                _ = try await Inviting.issue(1, validFor: .hours(1), in: server.operatorStore(audit: audit))
            }
        }
    }
}
