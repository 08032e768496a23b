internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("Independent clients", .serialized)
    struct Clients {
        private struct Question: Encodable { let url: String }

        private struct Answers: Decodable, Equatable {
            var unverified = "user_verification_required"
            var recovery_codes = 10
            var account_name = "Soft"
            var is_renewed = true
            var is_same_account = true
            var replayed = "challenge_used"
            var other_key = "invalid_grant"
            var after_theft = "invalid_grant"
            var other_session = 200
        }

        @Test(
            "soft-webauthn with PyJWT signs up, refreshes and signs in, and a thief of its refresh token ends that session",
            .enabled(if: Peer.authenticator.isExpected, Comment(rawValue: Peer.authenticator.absence)))
        func softWebAuthn() async throws {
            let folder = try TemporaryFolder()
            let server = try await RunningServer(home: "\(folder.path)/home", RunningServer.unlimited)
            let answers = try Python.ask(
                "soft_client.py", interpreter: Python.authenticatorInterpreter, Question(url: server.url),
                for: Answers.self)
            #expect(answers == Answers())
            #expect(try await server.events("refresh_token_reused") == 1)
            #expect(try await server.stop() == 0)
        }
    }
}
