internal import AuthAPI
internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("Locks of accounts")
struct AccountLockTests {
    private static let reason = LockReason("the owner's letter of Monday")

    @Test(
        "a locked account has no sessions, and the answer to its token, passkey or code says that it is locked",
        arguments: StoreUnderTest.expected)
    func lock(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, thief) = (server.device(), server.device(), server.device())
            let (keys, others) = (server.authenticator(), server.authenticator())
            let answer = try await phone.signUp(with: keys)
            let codes = try #require(answer.recoveryCodes)
            let account = try #require(answer.tokens?.account)
            let other = try await server.device().signUp(with: others).tokens?.account
            let accounts = server.accounts
            #expect(try await accounts.lock(account, reason: Self.reason) == .locked(sessionsEnded: 1))

            #expect(try await !phone.isSignedIn())
            let token = try phone.refreshToken
            try await server.refuses(Problem(.accountLocked)) { try await phone.refresh() }
            // A stolen token does not reveal the lock to its thief.
            try await server.refuses(Problem(.invalidGrant)) { try await thief.refresh(token) }
            let noted: Set<String> = ["security_events"]
            try await server.refuses(Problem(.accountLocked), changing: noted) { try await laptop.signIn(with: keys) }
            try await server.refuses(Problem(.accountLocked), changing: noted) {
                _ = try await laptop.recoveryOptions(codes[0])
            }
            let wrong = codes[0].dropLast() + (codes[0].hasSuffix("0") ? "1" : "0")
            await #expect(throws: Problem(.recoveryRefused)) { _ = try await thief.recoveryOptions(String(wrong)) }
            await #expect(throws: Problem(.passkeyRefused)) {
                let unknown = server.authenticator()
                _ = try unknown.register(try await thief.signUpOptions())
                try await thief.signIn(with: unknown)
            }
            // Other accounts are not affected.
            #expect(try await server.device().signIn(with: others).account == other)

            #expect(try await accounts.unlock(account))
            try await server.refuses(Problem(.invalidGrant)) { try await phone.refresh(token) }
            #expect(try await laptop.signIn(with: keys).account == account)
            #expect(try await phone.recover(codes[0], with: server.authenticator()).tokens?.account == account)
            let events = try await server.events()
            #expect(events["account_locked"] == 1)
            #expect(events["account_unlocked"] == 1)
            #expect(events["sign_in_refused"] == 1)
        }
    }

    @Test("a ceremony that was under way when the account was locked is refused", arguments: StoreUnderTest.expected)
    func ceremonies(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            let answer = try await phone.signUp(with: keys)
            let account = try #require(answer.tokens?.account)
            let signIn = try keys.authenticate(try await laptop.signInOptions())
            let fresh = server.authenticator()
            let recovery = try fresh.register(
                try await laptop.recoveryOptions(try #require(answer.recoveryCodes?.first)))
            let stepUp = try keys.authenticate(try await phone.stepUpOptions())
            _ = try await server.accounts.lock(account, reason: nil)
            await #expect(throws: Problem(.accountLocked)) { try await laptop.authenticate(signIn) }
            await #expect(throws: Problem(.accountLocked)) { try await laptop.register(recovery) }
            await #expect(throws: Problem(.invalidToken)) { try await phone.authenticate(stepUp, as: .session) }
            #expect(try await server.accounts.details(of: account).sessions == [])
            #expect(try await server.accounts.details(of: account).passkeys.count == 1)
            #expect(try await server.accounts.details(of: account).recoveryCodesLeft == 10)
        }
    }

    @Test("a second lock keeps time and reason of the first, and an unlocked account is not unlocked again")
    func twice() async throws {
        try await TestServer.with { server in
            let account = try #require(try await server.device().signUp(with: server.authenticator()).tokens?.account)
            let accounts = server.accounts
            #expect(try await !accounts.unlock(account))
            #expect(try await accounts.lock(account, reason: Self.reason) == .locked(sessionsEnded: 1))
            let locked = server.clock.now
            server.clock.advance(.hours(1))
            #expect(try await accounts.lock(account, reason: LockReason("another")) == .wasLocked)
            let details = try await accounts.details(of: account)
            #expect(details.summary.locked == locked)
            #expect(details.lockReason == Self.reason?.text)
            #expect(details.events.map(\.kind).contains("account_locked"))
            #expect(details.events.first { $0.kind == "account_locked" }?.reason == Self.reason?.text)
            #expect(details.events.first { $0.kind == "account_locked" }?.address == nil)
            #expect(try await accounts.unlock(account))
            #expect(try await accounts.details(of: account).summary.locked == nil)
            #expect(try await accounts.details(of: account).lockReason == nil)
        }
    }

    @Test("a reason is one line of printable text")
    func reasons() {
        for text in ["", String(repeating: "x", count: 201), "two\nlines", "\u{1b}[2J", "a\u{0}"] {
            #expect(LockReason(text) == nil, "\(text.debugDescription)")
        }
        #expect(LockReason(String(repeating: "ö", count: 200)) != nil)
    }
}
