internal import AuthAPI
internal import AuthSettings
internal import Testing
internal import Time

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthServerTestSupport

@Suite("Invitations")
struct InvitationTests {
    @Test("an invitation expires, is then removed, and is never stored in the form that is typed")
    func expiry() async throws {
        try await TestServer.with(changing: { $0.signUp = .invitation }) { server in
            let report = try await server.invite(1)
            #expect(report.open == 1)
            #expect(report.expires == server.clock.now.adding(.hours(1)).seconds)
            let dump = try await TableDump.all(in: server)
            #expect(!dump.bytes.contains(Array(report.codes[0].utf8)))
            let decoded = try #require(TypedCode.bytes(of: report.codes[0], .invitation))
            #expect(!dump.bytes.contains(decoded))
            #expect(try await server.events()["invitations_made"] == 1)
            server.clock.advance(.minutes(59))
            _ = try await server.device().signUpOptions(invitation: report.codes[0])
            server.clock.advance(.minutes(1))
            await #expect(throws: Problem(.invitationRefused)) {
                try await server.device().signUpOptions(invitation: report.codes[0])
            }
            server.clock.advance(.seconds(1))
            try await server.maintain()
            #expect(try await TableDump.all(in: server).rows["invitations"]?.isEmpty == true)
            #expect(try await server.invite(1).open == 1)
        }
    }
}

extension TestServer {
    /// Makes invitations for an hour.
    fileprivate func invite(_ count: Int) async throws -> Inviting.Report {
        try await Inviting.issue(count, validFor: .hours(1), in: operatorStore())
    }
}
