internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import HTTPTypes
internal import Secrets
internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("Operations of the operator on accounts")
struct OperatorAccountsTests {
    @Test(
        "pages have every account once, in the order of the ids, and names only if asked",
        arguments: StoreUnderTest.expected)
    func pages(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            var made: Set<AccountID> = []
            for number in 1...5 {
                let answer = try await server.device().signUp(with: server.authenticator(), name: "Person \(number)")
                made.insert(try #require(answer.tokens?.account))
            }
            var seen: [AccountSummary] = []
            var after: AccountID?
            for count in [2, 2, 1] {
                let page = try await server.accounts.page(after: after, limit: 2, showingNames: false)
                #expect(page.accounts.count == count)
                seen += page.accounts
                after = page.next
            }
            #expect(after == nil)
            #expect(Set(seen.map(\.id)) == made)
            #expect(seen.map { $0.id.bytes.map { UInt16($0) } }.isSorted)
            #expect(seen.allSatisfy { $0.passkeys == 1 && $0.sessions == 1 && $0.name == nil && $0.locked == nil })
            #expect(seen.allSatisfy { $0.lastUsed == server.clock.now && $0.created == server.clock.now })
            let named = try await server.accounts.page(limit: 100, showingNames: true)
            #expect(Set(named.accounts.compactMap(\.name)) == Set((1...5).map { "Person \($0)" }))
            #expect(named.next == nil)
            #expect(try await server.accounts.page(after: named.accounts.last?.id, limit: 1).accounts == [])
        }
    }

    @Test("an account is shown without its ended sessions", arguments: StoreUnderTest.expected)
    func details(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            let account = try #require(
                try await phone.signUp(with: keys, name: "Ada", deviceName: "Phone").tokens?.account)
            server.clock.advance(.minutes(2))
            try await laptop.signIn(with: keys, deviceName: "Laptop")
            try await phone.call(.post, "/api/auth/logout")
            let bare = try await server.accounts.details(of: account)
            #expect(bare.summary.name == nil)
            #expect(bare.devices.allSatisfy { $0.name == nil } && bare.passkeys.allSatisfy { $0.name == nil })
            let details = try await server.accounts.details(of: account, showingNames: true, eventLimit: 2)
            #expect(details.summary.name == "Ada")
            #expect(details.devices.map(\.name) == ["Phone", "Laptop"])
            #expect(details.sessions.map(\.id) == [try #require(laptop.tokens).session])
            #expect(details.summary.sessions == 1)
            #expect(details.passkeys.map(\.id) == [try keys.newest])
            #expect(details.summary.lastUsed == server.clock.now)
            #expect(details.recoveryCodesLeft == 10)
            // As in the owner's own list: the assurance falls with the age of the sign-in.
            #expect(details.sessions.map(\.assurance) == ["urn:fueki:aal2"])
            server.clock.advance(.hours(25))
            let later = try await server.accounts.details(of: account)
            #expect(later.sessions.map(\.assurance) == ["urn:fueki:aal1"])
            #expect(details.events.count == 2)
            let events = try await server.accounts.events(of: account, limit: 100)
            #expect(Set(events.map(\.kind)).isSuperset(of: ["account_created", "signed_in", "session_ended"]))
            #expect(events.first { $0.kind == "signed_in" }?.address == TestServer.peer)
            // An expired session is not active, even if it was never ended.
            server.clock.advance(.days(40))
            #expect(try await server.accounts.details(of: account).sessions == [])
        }
    }

    @Test("an erasure by the operator leaves the same rows as one by the owner", arguments: StoreUnderTest.expected)
    func erase(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let account = try #require(try await phone.signUp(with: keys).tokens?.account)
            try await server.accounts.erase(account)
            #expect(try await !phone.isSignedIn())
            let dump = try await TableDump.all(in: server)
            #expect(!dump.bytes.contains(account.bytes))
            #expect(dump.rows["accounts"] == [] && dump.rows["fido_credentials"] == [])
            #expect(try await server.events()["account_erased"] == 1)
            await #expect(throws: StartupError.noSuchAccount) { try await server.accounts.erase(account) }
        }
    }

    @Test(
        "a passkey is removed with the account's sessions, and the last one only by force",
        arguments: StoreUnderTest.expected)
    func passkeys(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys, more) = (server.device(), server.authenticator(), server.authenticator())
            let answer = try await phone.signUp(with: keys)
            let account = try #require(answer.tokens?.account)
            try await phone.addPasskey(with: more)
            let other = try #require(try await server.device().signUp(with: server.authenticator()).tokens?.account)
            let accounts = server.accounts
            let (first, second) = (try keys.newest, try more.newest)
            for (id, passkey) in [(account, "AAAA"), (other, first), (account, ""), (account, "!")] {
                await #expect(throws: StartupError.noSuchPasskey) {
                    _ = try await accounts.removePasskey(passkey, of: id, evenLast: true)
                }
            }
            #expect(
                try await accounts.removePasskey(first, of: account, evenLast: false)
                    == .removed(sessionsEnded: 1, passkeysLeft: 1, recoveryCodesLeft: 10))
            #expect(try await !phone.isSignedIn())
            await #expect(throws: Problem(.passkeyRefused)) { try await phone.signIn(with: keys) }
            try await phone.signIn(with: more)

            #expect(
                try await accounts.removePasskey(second, of: account, evenLast: false)
                    == .isLast(recoveryCodesLeft: 10))
            #expect(try await phone.isSignedIn())
            #expect(
                try await accounts.removePasskey(second, of: account, evenLast: true)
                    == .removed(sessionsEnded: 1, passkeysLeft: 0, recoveryCodesLeft: 10))
            #expect(try await server.events()["passkey_removed"] == 2)
            // Unlocking the account.
            let code = try #require(answer.recoveryCodes?.first)
            #expect(try await phone.recover(code, with: server.authenticator()).tokens?.account == account)
        }
    }

    @Test("a vault that does not open the store changes nothing")
    func otherVault() async throws {
        try await TestServer.with { server in
            let account = try #require(try await server.device().signUp(with: server.authenticator()).tokens?.account)
            let before = try await TableDump.all(in: server)
            let accounts = OperatorAccounts(
                store: server.operatorStore(
                    sealer: ColumnSealer(key: sealingKey(9), number: 1, random: SystemRandom())))
            await #expect(throws: StartupError.otherMasterKey) { _ = try await accounts.lock(account, reason: nil) }
            await #expect(throws: StartupError.otherMasterKey) { try await accounts.erase(account) }
            #expect(try await TableDump.all(in: server) == before)
        }
    }

    @Test("an unknown account is reported as missing", arguments: StoreUnderTest.expected)
    func missing(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let accounts = server.accounts
            await #expect(throws: StartupError.noSuchAccount) { _ = try await accounts.details(of: id(1)) }
            await #expect(throws: StartupError.noSuchAccount) { _ = try await accounts.events(of: id(1), limit: 1) }
            await #expect(throws: StartupError.noSuchAccount) { _ = try await accounts.lock(id(1), reason: nil) }
            await #expect(throws: StartupError.noSuchAccount) { _ = try await accounts.unlock(id(1)) }
            await #expect(throws: StartupError.noSuchAccount) {
                _ = try await accounts.removePasskey("AAAA", of: id(1), evenLast: true)
            }
            #expect(throws: StartupError.noSuchAccount) { try OperatorAccounts.id("nobody") }
        }
    }
}

extension [[UInt16]] {
    fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) } }
}
