internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time
internal import WebAuthn

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// Who may make an account.
@Suite("Sign-up")
struct SignUpTests {
    private typealias Bucket = ServerConfiguration.LimitSettings.Bucket

    @Test("closed sign-up refuses before and after a passkey is made, and the metadata say so")
    func closed() async throws {
        try await TestServer.with { server in
            let metadata = try await server.send(.get, "/.well-known/oauth-authorization-server").json()
            #expect(metadata["fueki_sign_up"] == "open")
        }
        try await TestServer.with(changing: { $0.signUp = .closed }) { server in
            let metadata = try await server.send(.get, "/.well-known/oauth-authorization-server").json()
            #expect(metadata["fueki_sign_up"] == "closed")
            try await server.refuses(Problem(.signUpClosed)) { _ = try await server.device().signUpOptions() }
            let code = try await server.invite(1)[0]
            await #expect(throws: Problem(.signUpClosed)) {
                try await server.device().signUpOptions(invitation: code)
            }
        }
    }

    @Test("sign-up by invitation accepts a code once", arguments: StoreUnderTest.expected)
    func invitation(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.signUp = .invitation }) { server in
            let codes = try await server.invite(3)
            let refused = Problem(.invitationRefused)
            // Before a passkey is made: a missing code, nonsense, an unknown code, a recovery code.
            let wrong = [
                nil, "x", InvitationCode(random: server.random()).text, RecoveryCode(random: server.random()).text,
            ]
            for code in wrong {
                try await server.refuses(refused) { _ = try await server.device().signUpOptions(invitation: code) }
            }
            // The code as people type it.
            let typed = codes[0].lowercased().replacing("-", with: " ")
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys, invitation: typed)
            #expect(try await phone.isSignedIn())
            try await server.refuses(refused) { _ = try await server.device().signUpOptions(invitation: codes[0]) }
            // Only a new account uses one up.
            try await phone.addPasskey(with: server.authenticator())
            try await server.device().signIn(with: keys)

            // Two who began with one code: one succeeds.
            let (first, second) = (server.device(), server.device())
            let (a, b) = (server.authenticator(), server.authenticator())
            let credentials = [
                try a.register(await first.signUpOptions(invitation: codes[1])),
                try b.register(await second.signUpOptions(invitation: codes[1])),
            ]
            try await first.register(credentials[0], accountName: "Ada", invitation: codes[1])
            try await server.refuses(refused) {
                try await second.register(credentials[1], accountName: "Eve", invitation: codes[1])
            }
            // The passkey can be registered with another code.
            try await second.register(credentials[1], accountName: "Eve", invitation: codes[2])
        }
    }

    @Test("a failed sign-up leaves the invitation valid", arguments: StoreUnderTest.expected)
    func failure(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.signUp = .invitation }) { server in
            let codes = try await server.invite(2)
            let (phone, keys) = (server.device(), server.authenticator())
            let credential = try keys.register(await phone.signUpOptions(invitation: codes[0]))
            try await phone.register(credential, accountName: "Ada", invitation: codes[0])
            // The challenge is used: no account is made, and the code is not used up.
            try await server.refuses(Problem(.challengeUsed)) {
                try await phone.register(credential, accountName: "Ada", invitation: codes[1])
            }
            #expect(try await TableDump.all(in: server).rows["invitations"]?.count == 1)
            try await server.device().signUp(with: server.authenticator(), invitation: codes[1])
        }
    }

    @Test(
        "so many accounts are made in a minute, from wherever; and of one customer a fifth",
        arguments: StoreUnderTest.expected)
    func limit(_ store: StoreUnderTest) async throws {
        try await TestServer.with(
            store,
            changing: { configuration in
                configuration.limits.allSignUps = Bucket(burst: 10, perMinute: 5)
                configuration.transport = .behindProxy(addresses: [TestServer.peer])
            }
        ) { server in
            let signUp = { (address: String) async throws in
                _ = try await server.device(at: address).signUp(with: server.authenticator())
            }
            let tooMany = { (seconds: Int) in Problem(.rateLimited, retryAfter: seconds) }
            for number in 0..<2 { try await signUp("2001:db8:1:\(number)::1") }
            // Before a passkey is made.
            await #expect(throws: tooMany(60)) { try await server.device(at: "2001:db8:1:9::1").signUpOptions() }
            for number in 0..<8 { try await signUp("203.0.113.\(number)") }
            await #expect(throws: tooMany(12)) { try await server.device(at: "198.51.100.1").signUpOptions() }
            server.clock.advance(.seconds(12))
            // Two who passed the first check: there is room for one, and the other's passkey is not lost.
            let (a, b) = (server.device(at: "198.51.100.2"), server.device(at: "198.51.100.3"))
            let credentials = [
                try server.authenticator().register(await a.signUpOptions()),
                try server.authenticator().register(await b.signUpOptions()),
            ]
            try await a.register(credentials[0], accountName: "Ada")
            try await server.refuses(tooMany(12)) { try await b.register(credentials[1], accountName: "Eve") }
            server.clock.advance(.seconds(12))
            try await b.register(credentials[1], accountName: "Eve")
            // Sign-ins continue.
            #expect(try await b.isSignedIn())
        }
    }

    @Test("a passkey whose identifier is shorter than 16 bytes is refused")
    func shortIdentifier() async throws {
        try await TestServer.with { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let short = try keys.register(
                await phone.signUpOptions(), as: try CredentialID([UInt8](repeating: 7, count: 15)))
            try await server.refuses(Problem(.malformedRequest)) { try await phone.register(short, accountName: "Ada") }
            let enough = try keys.register(
                await phone.signUpOptions(), as: try CredentialID([UInt8](repeating: 7, count: 16)))
            try await phone.register(enough, accountName: "Ada")
        }
    }

    @Test("sign-up by invitation has no limit: the operator chose the number of invitations")
    func invitationsAreNotLimited() async throws {
        try await TestServer.with(changing: { configuration in
            configuration.signUp = .invitation
            configuration.limits.allSignUps = Bucket(burst: 1, perMinute: 1)
        }) { server in
            for code in try await server.invite(3) {
                try await server.device().signUp(with: server.authenticator(), invitation: code)
            }
        }
    }
}

extension TestServer {
    /// Makes invitations for an hour, and returns their codes.
    fileprivate func invite(_ count: Int) async throws -> [String] {
        let codes = (0..<count).map { _ in InvitationCode(random: random()) }
        let (hashes, end) = (codes.map(\.hash), clock.now.adding(.hours(1)))
        try await database.write { transaction in
            for hash in hashes { try Invitations.add(hash, until: end, in: transaction) }
        }
        return codes.map(\.text)
    }
}
