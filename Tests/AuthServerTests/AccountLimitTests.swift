internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import HTTPTypes
internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

/// The limits of one account on the operations that write events.
@Suite("Limits of an account's events")
struct AccountLimitTests {
    typealias Bucket = ServerConfiguration.LimitSettings.Bucket

    /// Ten step-ups at once, by one session or several; then one a minute.
    private static let ten = Bucket(burst: 10, perMinute: 1)
    private static let wait = Problem(.rateLimited, retryAfter: 60)

    @Test("replaced codes and added passkeys share a limit, and a device's attestation has another one")
    func changes() async throws {
        try await TestServer.with { server in
            let (phone, added) = (server.device(), server.authenticator())
            try await phone.signUp(with: server.authenticator())
            for _ in 0..<Limits.accountChanges.burst { try await phone.attest() }
            let wait = Problem(.rateLimited, retryAfter: 30)
            try await server.refuses(wait) { try await phone.attest() }
            // A stolen session that attests does not delay the owner.
            try await phone.addPasskey(with: added)
            for _ in 1..<Limits.accountChanges.burst { try await phone.call(.post, "/api/auth/recovery/codes") }
            try await server.refuses(wait) { try await phone.call(.post, "/api/auth/recovery/codes") }
            let registration = try server.authenticator().register(await phone.addPasskeyOptions())
            try await server.refuses(wait) { try await phone.register(registration, as: .session) }
            // Another account has its own limit, and what is removed is not counted.
            let other = server.device()
            try await other.signUp(with: server.authenticator())
            try await other.call(.post, "/api/auth/recovery/codes")
            try await phone.call(.delete, "/api/auth/passkeys/\(added.newest)")
            server.clock.advance(.seconds(30))
            // The refused registration is as good as before.
            try await phone.register(registration, as: .session)
        }
    }

    @Test("step-ups count as sign-ins of the account, over all its sessions", arguments: StoreUnderTest.expected)
    func stepUps(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.account = Self.ten }) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            for _ in 0..<5 { try await phone.stepUp(with: keys) }
            try await laptop.signIn(with: keys)
            for _ in 0..<4 { try await laptop.stepUp(with: keys) }
            try await server.refuses(Self.wait) { try await laptop.stepUp(with: keys) }
            #expect(try await server.events()["stepped_up"] == 9)
        }
    }

    @Test("refused step-ups are limited over all sessions, apart from the others", arguments: StoreUnderTest.expected)
    func refusedStepUps(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.account = Self.ten }) { server in
            let keys = server.authenticator()
            let devices = (0..<3).map { _ in server.device() }
            try await devices[0].signUp(with: keys)
            for device in devices.dropFirst() { try await device.signIn(with: keys) }
            for number in 0..<10 {
                let device = devices[number / 5]
                let forged = try keys.authenticate(await device.stepUpOptions())
                    .setting("response", "signature", to: "AAAA")
                await #expect(throws: Problem(.passkeyRefused)) { try await device.authenticate(forged, as: .session) }
            }
            let forged = try keys.authenticate(await devices[2].stepUpOptions())
                .setting("response", "signature", to: "AAAA")
            try await server.refuses(Self.wait) { try await devices[2].authenticate(forged, as: .session) }
            #expect(try await server.events()["sign_in_refused"] == 10)
            try await devices[2].stepUp(with: keys)
        }
    }

    @Test("right recovery codes of a locked account are limited")
    func lockedAccount() async throws {
        try await TestServer.with(changing: { $0.limits.account = Bucket(burst: 3, perMinute: 1) }) { server in
            let phone = server.device()
            let codes = try #require(try await phone.signUp(with: server.authenticator()).recoveryCodes)
            let account = try #require(phone.tokens).account
            let time = server.clock.now
            try await server.database.write {
                _ = try Accounts.lock(account, at: time, reason: nil, sealer: sealer, in: $0)
            }
            for _ in 0..<3 {
                try await server.refuses(Problem(.accountLocked), changing: ["security_events"]) {
                    _ = try await phone.recoveryOptions(codes[0])
                }
            }
            try await server.refuses(Self.wait) { _ = try await phone.recoveryOptions(codes[0]) }
        }
    }
}
