internal import AuditLog
internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time
internal import WebAuthn

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// `GET /api/account/events`: what happened to an account, for its owner.
@Suite("Security events")
struct EventTests {
    private static func page(_ device: Device, _ query: String) async throws -> SecurityEventsPage {
        let path = "/api/account/events"
        let proof = { try device.headers(.get, path, as: .session) }
        _ = try await device.call(.get, "/api/auth/session")
        return try SecurityEventsPage(
            try await device.server.send(.get, path + query, headers: try proof()).json())
    }

    @Test(
        "come newest first and page by page, each once, also where many have one time",
        arguments: StoreUnderTest.expected)
    func pages(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let account = try #require(phone.tokens).account
            // 60 events at 20 times, in random order.
            try await server.database.write { transaction in
                for number in UInt8(0)..<60 {
                    let row = SecurityEventRow(
                        id: [UInt8](repeating: number &* 37, count: 16), account: account, kind: "signed_in",
                        at: now.adding(.seconds(Int64(number / 3))), details: EventDetails(nil).json.encoded)
                    try SecurityEvents.add(row, sealer: sealer, in: transaction)
                }
            }
            let whole = try await Self.page(phone, "?limit=100")
            #expect(whole.events.count == 63, "three of the sign-up")
            #expect(whole.next == nil)
            #expect(whole.events.map(\.at) == whole.events.map(\.at).sorted(by: >))
            #expect(try await Self.page(phone, "").events.count == AuthLimits.usualEventsAtOnce)

            for limit in [1, 7, 20, 63, 64] {
                var found: [SecurityEventView] = []
                var next: SecurityEventID?
                repeat {
                    let before = next.map { "&before=\($0)" } ?? ""
                    let page = try await Self.page(phone, "?limit=\(limit)\(before)")
                    #expect(page.events.count <= limit)
                    found += page.events
                    next = page.next
                    try #require(found.count <= 63)
                } while next != nil
                #expect(found == whole.events, "\(limit)")
            }
        }
    }

    @Test("of one moment come in the order in which they happened", arguments: StoreUnderTest.expected)
    func order(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let account = try #require(phone.tokens).account
            let moment = now.adding(.seconds(10))
            try await server.database.write { transaction in
                for (number, kind) in ["b", "a", "c", "e", "d"].enumerated() {
                    // The ids are in another order than the events.
                    let row = SecurityEventRow(
                        id: [UInt8](repeating: UInt8(number) &* 103 &+ 17, count: 16), account: account, kind: kind,
                        at: moment, details: EventDetails(nil).json.encoded)
                    try SecurityEvents.add(row, sealer: sealer, in: transaction)
                }
            }
            let events = try await Self.page(phone, "?limit=5").events
            #expect(events.map(\.kind) == ["d", "e", "c", "a", "b"])
            #expect(Set(events.map(\.at.seconds)) == [moment.seconds])
        }
    }

    @Test("security events show time, address and the device's present name", arguments: StoreUnderTest.expected)
    func details(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys, deviceName: "Phone")
            try await laptop.signIn(with: keys, deviceName: "Laptop")
            // Recorded with the session only.
            try await laptop.call(.post, "/api/auth/recovery/codes")
            let device = try #require(laptop.tokens).device
            try await phone.call(.patch, "/api/auth/devices/\(device)", Renaming(name: "Old laptop").json)

            let events = try await Self.page(phone, "").events
            let signIn = try #require(events.first { $0.kind == "signed_in" })
            #expect(signIn.at.seconds == server.clock.now.seconds)
            #expect(signIn.address == TestServer.peer)
            #expect(signIn.device == device)
            #expect(signIn.deviceName == "Old laptop")
            let codes = try #require(events.first { $0.kind == "recovery_codes_made" })
            #expect(codes.device == device)
            #expect(events.first { $0.kind == "passkey_added" }?.deviceName == "Phone")
            #expect(events.first { $0.kind == "passkey_added" }?.reason == "none")

            try await server.database.write { transaction in
                _ = try transaction.run("DELETE FROM devices WHERE device_id = $1", [.id(device)])
            }
            let later = try await Self.page(phone, "").events
            #expect(later.first { $0.kind == "signed_in" }?.device == device)
            #expect(later.first { $0.kind == "signed_in" }?.deviceName == nil)
        }
    }

    @Test("the operator sees in the event, the audit log and the log why a passkey was refused; the client does not")
    func refusals() async throws {
        try await AuditFixture.with(changing: { $0.allowsNewBackupEligibility = false }) { bench, servers in
            let server = servers[0]
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            let usual = keys.behaviour
            let refuse = { (reason: String, problem: ProblemCode, number: UInt16, credential: JSON) async throws in
                let before = server.log.text.utf8.count
                let answer = try await phone.send(
                    .post, "/api/auth/passkey/authenticate", as: .proof, type: "application/json",
                    body: CredentialRequest(credential: credential).json.encoded)
                #expect(answer.problem == Problem(problem), "\(reason)")
                #expect(!answer.text.contains(reason) || reason == problem.rawValue)
                let event = try await Self.page(phone, "?limit=1").events.first
                #expect(event?.kind == "sign_in_refused" && event?.reason == reason)
                let line = String(server.log.text.dropFirst(before))
                #expect(line.contains("\"reason\": \(reason)"), "\(reason) in \(line)")
                try await server.copyEvents()
                #expect(try bench.events().last?.reason == number, "\(reason)")
            }
            let sign = { try keys.authenticate(try await phone.signInOptions()) }
            let (good, other) = (try await sign(), try await sign())
            let signature = try #require(other["response"]?["signature"])
            try await refuse(
                "bad_signature", .passkeyRefused, 14, good.setting("response", "signature", to: signature))
            try await refuse(
                "missing_user_handle", .passkeyRefused, 19, good.setting("response", "userHandle", to: nil))
            let handle = JSON.string(Base64URL.encode([UInt8](repeating: 1, count: 16)))
            try await refuse("wrong_user", .passkeyRefused, 18, good.setting("response", "userHandle", to: handle))
            keys.behaviour.backup = .eligible
            try await refuse("backup_eligibility", .passkeyRefused, 15, sign())
            keys.behaviour = usual
            keys.behaviour.origin = "http://localhost:8421"
            try await refuse("origin_not_allowed", .originNotAllowed, 9, sign())
        }
    }

    @Test("the operator sees in the log why a new passkey was refused; the client does not")
    func refusedRegistrations() async throws {
        try await TestServer.with(.sqlite) { server in
            let phone = server.device()
            for isSignUp in [true, false] {
                if !isSignUp { try await phone.signUp(with: server.authenticator()) }
                for (reason, problem) in [
                    ("origin_not_allowed", .originNotAllowed), ("wrong_type", .passkeyRefused),
                ] as [(String, ProblemCode)] {
                    let keys = server.authenticator()
                    if problem == .originNotAllowed { keys.behaviour.origin = "http://localhost:8421" }
                    var credential = try keys.register(
                        try await isSignUp ? phone.signUpOptions() : phone.addPasskeyOptions())
                    if problem == .passkeyRefused {
                        let data = try #require(credential["response"]?["clientDataJSON"]?.string)
                        let text = String(decoding: try Base64URL.decode(data), as: UTF8.self)
                        let signIn = text.replacing("webauthn.create", with: "webauthn.get")
                        credential = try credential.setting(
                            "response", "clientDataJSON", to: .string(Base64URL.encode(Array(signIn.utf8))))
                    }
                    let request = CredentialRequest(credential: credential, accountName: isSignUp ? "Ada" : nil)
                    let before = server.log.text.utf8.count
                    let answer = try await phone.send(
                        .post, "/api/auth/passkey/register", as: isSignUp ? .proof : .session,
                        type: "application/json", body: request.json.encoded)
                    #expect(answer.problem == Problem(problem), "\(reason)")
                    #expect(!answer.text.contains(reason) || reason == problem.rawValue)
                    let line = String(server.log.text.dropFirst(before))
                    #expect(line.contains("a new passkey was refused"), "\(line)")
                    #expect(line.contains("\"reason\": \(reason)"), "\(reason) in \(line)")
                    #expect(line.contains("\"account\"") == !isSignUp, "\(line)")
                }
            }
        }
    }

    @Test("an event of another account does not work as a position in the list", arguments: StoreUnderTest.expected)
    func strangers(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, stranger) = (server.device(), server.device())
            try await phone.signUp(with: server.authenticator())
            try await stranger.signUp(with: server.authenticator(), name: "Stranger")
            let own = try await Self.page(phone, "")
            let others = try await Self.page(stranger, "")
            #expect(own.events.count == 3)
            #expect(others.events.count == 3)
            #expect(Set(own.events.map(\.id)).isDisjoint(with: others.events.map(\.id)))
            let first = try #require(others.events.first)
            for unknown in ["\(first.id)", "AAAAAAAAAAAAAAAAAAAAAA"] {
                #expect(
                    try await Self.page(phone, "?before=\(unknown)") == SecurityEventsPage(events: [], next: nil))
            }
        }
    }

    @Test("security events require a session, and no step-up")
    func freshness() async throws {
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            server.clock.advance(.minutes(10))
            await #expect(throws: Problem(.insufficientUserAuthentication, maxAge: 300)) {
                try await phone.call(.get, "/api/account/export")
            }
            #expect(try await Self.page(phone, "").events.count == 3)
        }
    }

    @Test(
        "take a limit from 1 to 100 and an identifier, each once",
        arguments: [
            "limit=0", "limit=101", "limit=-1", "limit=%2B5", "limit=1.0", "limit=", "limit", "limit=a",
            "limit=99999999999999999999", "limit=5&limit=6", "before=", "before=x", "before",
            "before=AAAAAAAAAAAAAAAAAAAAAB", "before=AAAAAAAAAAAAAAAAAAAAAA&before=AAAAAAAAAAAAAAAAAAAAAA",
        ])
    func queries(_ query: String) async throws {
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            await #expect(throws: Problem(.malformedRequest)) { _ = try await Self.page(phone, "?\(query)") }
            #expect(try await Self.page(phone, "?limit=100&something=else").events.count == 3)
        }
    }
}
