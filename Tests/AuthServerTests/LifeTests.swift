internal import AuthAPI
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

/// The whole life of an account, from its owner's view.
@Suite("Life of an account")
struct LifeTests {
    @Test("sign-up makes an account, a session and ten recovery codes", arguments: StoreUnderTest.expected)
    func signUp(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let answer = try await phone.signUp(with: server.authenticator(), name: "Ada", deviceName: "Phone")
            #expect(answer.recoveryCodes?.count == 10)
            #expect(Set(answer.recoveryCodes ?? []).count == 10)
            #expect(answer.passkey.name == "Passkey")

            let session = try CurrentSession(await phone.call(.get, "/api/auth/session"))
            #expect(session.account == answer.tokens?.account)
            #expect(session.accountName == "Ada")
            #expect(session.recoveryCodesLeft == 10)
            #expect(session.session.deviceName == "Phone")
            #expect(session.session.isCurrent)
            #expect(session.session.assurance == "urn:fueki:aal2")
            #expect(try await server.events() == ["account_created": 1, "passkey_added": 1, "device_added": 1])
        }
    }

    @Test("recovery codes are in no later answer, and not in the store", arguments: StoreUnderTest.expected)
    func codesAreShownOnce(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let codes = try #require(try await phone.signUp(with: server.authenticator()).recoveryCodes)
            let export = try await phone.call(.get, "/api/account/export").text
            let dump = try await TableDump.all(in: server).bytes
            for code in codes {
                #expect(!export.contains(code))
                let made = try #require(RecoveryCode(code))
                #expect(!dump.contains(made.secret))
                #expect(!dump.contains(Array(code.utf8)))
            }
        }
    }

    @Test("a passkey signs in on another device, without a user name", arguments: StoreUnderTest.expected)
    func secondDevice(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            let account = try await phone.signUp(with: keys, deviceName: "Phone").tokens?.account
            server.clock.advance(.minutes(1))
            let options = try await laptop.signInOptions()
            #expect(options["public_key"]?["allowCredentials"]?.array ?? [] == [], "nothing says who has an account")
            let answer = try await laptop.authenticate(keys.authenticate(options), deviceName: "Laptop")
            #expect(answer.account == account)
            #expect(answer.device != phone.tokens?.device)

            let devices = try await laptop.call(.get, "/api/auth/devices")["devices"]?.array ?? []
            #expect(Set(devices.compactMap { $0["name"]?.string }) == ["Phone", "Laptop"])
            let current = devices.first { $0["current"]?.bool == true }
            #expect(current?["name"]?.string == "Laptop")
            // The same device is not added again.
            try await laptop.signIn(with: keys)
            #expect(try await laptop.call(.get, "/api/auth/devices")["devices"]?.array?.count == 2)
            #expect(try await laptop.call(.get, "/api/auth/sessions")["sessions"]?.array?.count == 3)
        }
    }

    @Test("a second passkey is added, named, used and removed; the last one stays", arguments: StoreUnderTest.expected)
    func secondPasskey(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, first, second) = (server.device(), server.authenticator(), server.authenticator())
            try await phone.signUp(with: first)
            let added = try await phone.addPasskey(with: second, name: "Stick")
            #expect(added.tokens == nil)
            #expect(added.recoveryCodes == nil)
            #expect(added.passkey.name == "Stick")
            try await phone.call(.patch, "/api/auth/passkeys/\(added.passkey.id)", ["name": "Blue stick"])
            let names = try await phone.call(.get, "/api/auth/passkeys")["passkeys"]?.array?.map { $0["name"]?.string }
            #expect(Set(names ?? []) == ["Passkey", "Blue stick"])

            let laptop = server.device()
            #expect(try await laptop.signIn(with: second).account == phone.tokens?.account)

            try await phone.call(.delete, "/api/auth/passkeys/\(try first.newest)")
            await #expect(throws: Problem(.passkeyRefused)) { try await laptop.signIn(with: first) }
            try await server.refuses(Problem(.passkeyLast)) {
                try await phone.call(.delete, "/api/auth/passkeys/\(added.passkey.id)")
            }
            #expect(try await server.events()["passkey_removed"] == 1)
        }
    }

    @Test("sensitive changes require a sign-in of the last five minutes", arguments: StoreUnderTest.expected)
    func stepUp(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await phone.addPasskey(with: server.authenticator())
            let passkey = try keys.newest
            server.clock.advance(.seconds(299))
            try await phone.call(.get, "/api/account/export")
            server.clock.advance(.seconds(2))
            let problem = Problem(.insufficientUserAuthentication, maxAge: 300)
            let options = RegistrationOptionsRequest(purpose: .addPasskey, accountName: nil).json
            try await server.refuses(problem) { try await phone.call(.get, "/api/account/export") }
            try await server.refuses(problem) { try await phone.call(.delete, "/api/account") }
            try await server.refuses(problem) { try await phone.call(.post, "/api/auth/recovery/codes") }
            try await server.refuses(problem) { try await phone.call(.delete, "/api/auth/passkeys/\(passkey)") }
            try await server.refuses(problem) {
                try await phone.call(.post, "/api/auth/passkey/register/options", options)
            }
            // A refresh is not a sign-in.
            try await phone.refresh()
            try await server.refuses(problem) { try await phone.call(.get, "/api/account/export") }

            let answer = try await phone.stepUp(with: keys)
            #expect(answer.refreshToken == nil, "the session goes on with the token it has")
            try await phone.call(.get, "/api/account/export")
            try await phone.refresh()
            try await phone.call(.get, "/api/account/export")
            #expect(try await server.events()["stepped_up"] == 1)
        }
    }

    @Test("a challenge for a second passkey does not outlive the step-up")
    func lateAddition() async throws {
        try await TestServer.with { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            server.clock.advance(.minutes(4))
            let made = try server.authenticator().register(await phone.addPasskeyOptions())
            server.clock.advance(.minutes(2))
            try await server.refuses(Problem(.insufficientUserAuthentication, maxAge: 300)) {
                try await phone.register(made, as: .session)
            }
        }
    }

    @Test(
        "devices are renamed; a revoked one is out, and its key never begins again", arguments: StoreUnderTest.expected)
    func revokeDevice(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys, deviceName: "Phone")
            let stolen = try await laptop.signIn(with: keys, deviceName: "Laptop").device
            try await phone.call(.patch, "/api/auth/devices/\(stolen)", ["name": "Old laptop"])
            let devices = try await phone.call(.get, "/api/auth/devices")["devices"]?.array
            #expect(devices?.contains { $0["name"] == "Old laptop" } == true)

            try await phone.call(.delete, "/api/auth/devices/\(stolen)")
            #expect(try await !laptop.isSignedIn())
            await #expect(throws: Problem(.invalidGrant)) { try await laptop.refresh() }
            try await server.refuses(Problem(.deviceRevoked)) { try await laptop.signIn(with: keys) }
            #expect(try await phone.isSignedIn())
            #expect(try await phone.call(.get, "/api/auth/devices")["devices"]?.array?.count == 1)
            try await server.refuses(Problem(.notFound)) {
                try await phone.call(.delete, "/api/auth/devices/\(stolen)")
            }
            try await server.refuses(Problem(.notFound)) {
                try await phone.call(.patch, "/api/auth/devices/\(stolen)", ["name": "Laptop"])
            }
            // With another key the laptop is a new device.
            let reset = server.device()
            try await reset.signIn(with: keys)
            #expect(try await reset.isSignedIn())
            #expect(try await server.events()["device_revoked"] == 1)
        }
    }

    @Test("an unused device makes room for a new one, and one with a session stays", arguments: StoreUnderTest.expected)
    func manyDevices(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let first = try #require(try await phone.signUp(with: keys).tokens).device
            var second: DeviceID?
            for _ in 1..<AuthLimits.devices {
                server.clock.advance(.seconds(1))
                let device = try await server.device().signIn(with: keys).device
                second = second ?? device
            }
            try await server.refuses(Problem(.limitReached)) { try await server.device().signIn(with: keys) }
            // Half of the time that a session lasts without a refresh: only this session is refreshed.
            server.clock.advance(.days(4))
            try await phone.refresh()
            server.clock.advance(.days(4))
            let laptop = server.device()
            try await laptop.signIn(with: keys)
            #expect(try await phone.refresh().device == first)
            let devices = try await phone.call(.get, "/api/auth/devices")["devices"]?.array ?? []
            #expect(devices.count == AuthLimits.devices)
            let ids = devices.compactMap { $0["device_id"]?.string }
            #expect(ids.contains(first.description))
            let longestUnused = try #require(second)
            #expect(!ids.contains(longestUnused.description))
        }
    }

    @Test(
        "the device that was not used for longest makes room for a new one after a day, with an event that names it",
        arguments: StoreUnderTest.expected)
    func idleDevice(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, tablet, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            server.clock.advance(.seconds(1))
            let idle = try await tablet.signIn(with: keys, deviceName: "Tablet").device
            for _ in 2..<AuthLimits.devices {
                server.clock.advance(.seconds(1))
                try await server.device().signIn(with: keys)
            }
            // The phone signed in before the tablet, and is in use.
            server.clock.advance(.seconds(24 * 3_600 - Int64(AuthLimits.devices - 1)))
            try await phone.refresh()
            try await server.refuses(Problem(.limitReached)) { try await server.device().signIn(with: keys) }
            server.clock.advance(.seconds(1))
            let laptop = server.device()
            try await laptop.signIn(with: keys)
            let events = try SecurityEventsPage(await laptop.call(.get, "/api/account/events"))
            let removal = try #require(events.events.first { $0.kind == "device_revoked" })
            #expect(removal.device == idle)
            #expect(removal.deviceName == "Tablet")
            #expect(removal.reason == "idle")
            await #expect(throws: Problem(.invalidGrant)) { try await tablet.refresh() }
            try await phone.refresh()
            // Its key was not revoked: it takes the place of the next one.
            server.clock.advance(.seconds(1))
            #expect(try await tablet.signIn(with: keys).device != idle)
            #expect(try await server.events()["device_revoked"] == 2)
        }
    }

    @Test(
        "a recovery code is good though there are as many passkeys as there may be", arguments: StoreUnderTest.expected)
    func recoveryBesideManyPasskeys(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let codes = try #require(try await phone.signUp(with: server.authenticator()).recoveryCodes)
            for _ in 1..<AuthLimits.passkeys { try await phone.addPasskey(with: server.authenticator()) }
            await #expect(throws: Problem(.limitReached)) { try await phone.addPasskeyOptions() }
            try await server.device().recover(codes[0], with: server.authenticator())
        }
    }

    @Test("a user lists sessions, and ends one, all others, or the current one", arguments: StoreUnderTest.expected)
    func sessions(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let keys = server.authenticator()
            let devices = (0..<4).map { _ in server.device() }
            try await devices[0].signUp(with: keys)
            for device in devices.dropFirst() {
                server.clock.advance(.seconds(1))
                try await device.signIn(with: keys)
            }
            let listed = try await devices[0].call(.get, "/api/auth/sessions")["sessions"]?.array?
                .map { $0["session_id"]?.string }
            #expect(listed == devices.reversed().map { $0.tokens?.session.description })

            let second = try #require(devices[1].tokens).session
            try await devices[0].call(.delete, "/api/auth/sessions/\(second)")
            #expect(try await !devices[1].isSignedIn())
            #expect(try await devices[2].isSignedIn())

            try await devices[0].call(.post, "/api/auth/sessions/revoke-others")
            #expect(try await !devices[2].isSignedIn())
            #expect(try await !devices[3].isSignedIn())
            #expect(try await devices[0].isSignedIn())

            try await devices[0].call(.post, "/api/auth/logout")
            #expect(try await !devices[0].isSignedIn())
            for device in devices {
                await #expect(throws: Problem(.invalidGrant)) { try await device.refresh() }
            }
            #expect(try await server.events()["session_ended"] == 3)
        }
    }

    @Test("sessions, devices and passkeys of another account are not found", arguments: StoreUnderTest.expected)
    func othersAreNotFound(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (ada, eve, adasKeys) = (server.device(), server.device(), server.authenticator())
            try await ada.signUp(with: adasKeys)
            try await eve.signUp(with: server.authenticator(), name: "Eve")
            let tokens = try #require(ada.tokens)
            let passkey = try adasKeys.newest
            let attempts: [(HTTPRequest.Method, String, JSON?)] = [
                (.delete, "/api/auth/sessions/\(tokens.session)", nil),
                (.delete, "/api/auth/devices/\(tokens.device)", nil),
                (.patch, "/api/auth/devices/\(tokens.device)", ["name": "mine"]),
                (.delete, "/api/auth/passkeys/\(passkey)", nil),
                (.patch, "/api/auth/passkeys/\(passkey)", ["name": "mine"]),
            ]
            for (method, path, body) in attempts {
                try await server.refuses(Problem(.notFound)) { try await eve.call(method, path, body) }
            }
            #expect(try await ada.isSignedIn())
        }
    }

    @Test("a recovery code makes a new passkey, ends every session, and works once", arguments: StoreUnderTest.expected)
    func recovery(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let codes = try #require(try await phone.signUp(with: keys, name: "Ada").recoveryCodes)
            let (fresh, newKeys) = (server.device(), server.authenticator())
            // The code as people type it.
            let typed = codes[3].lowercased().replacing("-", with: " ")
            let answer = try await fresh.recover(typed, with: newKeys)
            #expect(answer.tokens?.account == phone.tokens?.account)
            #expect(answer.recoveryCodes == nil)
            #expect(try await !phone.isSignedIn())
            await #expect(throws: Problem(.invalidGrant)) { try await phone.refresh() }
            let session = try CurrentSession(await fresh.call(.get, "/api/auth/session"))
            #expect(session.accountName == "Ada")
            #expect(session.recoveryCodesLeft == 9)
            // The owner can tell the new passkey from an older one with the same name.
            #expect(answer.passkey.isCurrent)
            let passkeys = try #require(try await fresh.call(.get, "/api/auth/passkeys")["passkeys"]?.array)
            #expect(try passkeys.map(PasskeyView.init).map(\.isCurrent) == [false, true])
            #expect(try await server.device().signIn(with: newKeys).account == answer.tokens?.account)

            let again = server.device()
            try await server.refuses(Problem(.recoveryRefused), changing: ["security_events"]) {
                try await again.recover(codes[3], with: server.authenticator())
            }
            #expect(try await fresh.isSignedIn())
            #expect(try await server.events()["account_recovered"] == 1)
            #expect(try await server.events()["recovery_refused"] == 1)
        }
    }

    @Test("of two concurrent recoveries with one code, one succeeds", arguments: StoreUnderTest.expected)
    func recoveryRace(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let code = try #require(try await server.device().signUp(with: server.authenticator()).recoveryCodes?.first)
            let (first, second) = (server.device(), server.device())
            let (a, b) = (server.authenticator(), server.authenticator())
            // Both passed the first check before either has finished.
            let (options, others) = (try await first.recoveryOptions(code), try await second.recoveryOptions(code))
            let winner = try await first.register(a.register(options))
            try await server.refuses(Problem(.recoveryRefused)) { try await second.register(b.register(others)) }
            #expect(winner.tokens != nil)
            #expect(try await first.isSignedIn())
        }
    }

    @Test("new codes void the old ones", arguments: StoreUnderTest.expected)
    func newCodes(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let old = try #require(try await phone.signUp(with: server.authenticator()).recoveryCodes)
            let codes = try RecoveryCodesAnswer(await phone.call(.post, "/api/auth/recovery/codes")).codes
            #expect(codes.count == 10)
            #expect(Set(codes).isDisjoint(with: old))
            for code in old {
                await #expect(throws: Problem(.recoveryRefused)) { try await server.device().recoveryOptions(code) }
            }
            let fresh = server.device()
            try await fresh.recover(codes[0], with: server.authenticator())
            #expect(fresh.tokens?.account == phone.tokens?.account)
        }
    }
}
