import AuthAPI
import Encoding
import Testing
import Time

/// A valid body with one member broken: a malformed request is refused, and a malformed response is the server's fault.
@Suite("Members")
struct MemberTests {
    /// A body, and the decoder of its type.
    struct Body: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let json: JSON
        /// The members that may be absent.
        var optional: Set<String> = []
        /// The members whose value is any JSON.
        var free: Set<String> = []
        /// Further malformed values: a member and its value.
        var malformed: [(String, JSON)] = []
        let read: @Sendable (JSON) throws -> Void
    }

    private static let time = Timestamp(seconds: 1_800_000_000)

    private static let tokens = TokenResponse(
        accessToken: "a.b.c", expiresIn: 900, refreshToken: "r", sessionExpires: time, account: id(1), session: id(2),
        device: id(3), scope: "account")
    private static let passkey = PasskeyView(
        id: "AQ", name: "Kē", created: time, lastUsed: time, isBackupEligible: true, attestation: "none",
        isCurrent: true)
    private static let session = SessionView(
        id: id(2), device: id(3), deviceName: "D", isCurrent: true, created: time, lastUsed: time, expires: time,
        authenticated: time, assurance: "urn:fueki:aal2")
    private static let event = SecurityEventView(
        id: id(4), kind: "signed_in", at: time, address: "192.0.2.1", device: id(3), deviceName: "D", reason: "r")

    private static let longName = JSON.string(String(repeating: "x", count: 65))
    private static let badNames: [JSON] = ["", "a\u{0}b", longName]

    private static let answers = [
        Body(
            testDescription: "TokenResponse", json: tokens.json, optional: ["refresh_token"],
            malformed: [
                ("token_type", "Bearer"), ("access_token", ""), ("expires_in", "900"),
                ("expires_in", JSON(Int64(-1))), ("expires_in", JSON(Int64(3601))),
                ("refresh_token", .string(String(repeating: "x", count: 600))), ("session_id", "AAAA"),
                ("account_id", "AAAAAAAAAAAAAAAAAAAAAB"), ("session_expires_at", .bool(true)),
            ]
        ) { _ = try TokenResponse($0) },
        Body(
            testDescription: "PasskeyView", json: passkey.json, optional: ["last_used_at"],
            malformed: badNames.map { ("name", $0) } + [
                ("passkey_id", ""), ("synchronised", "true"), ("current", .null),
            ]
        ) { _ = try PasskeyView($0) },
        Body(
            testDescription: "RegistrationAnswer",
            json: RegistrationAnswer(passkey: passkey, tokens: tokens, recoveryCodes: ["A", "B"]).json,
            optional: ["tokens", "recovery_codes"]
        ) { _ = try RegistrationAnswer($0) },
        Body(
            testDescription: "SessionView", json: session.json,
            malformed: badNames.map { ("device_name", $0) } + [
                ("acr", ""), ("device_id", JSON(3)), ("auth_time", "now"),
            ]
        ) { _ = try SessionView($0) },
        Body(
            testDescription: "CurrentSession",
            json: CurrentSession(account: id(1), accountName: "a", session: session, recoveryCodesLeft: 9).json,
            malformed: badNames.map { ("account_name", $0) }
        ) { _ = try CurrentSession($0) },
        Body(
            testDescription: "DeviceView",
            json: DeviceView(id: id(3), name: "D", isCurrent: false, created: time, lastSeen: time, trust: .trusted)
                .json,
            malformed: badNames.map { ("name", $0) } + [("trust", "sworn"), ("trust", "")]
        ) { _ = try DeviceView($0) },
        Body(
            testDescription: "DeviceAttestationAnswer",
            json: DeviceAttestationAnswer(device: id(3), trust: .anchored).json, malformed: [("trust", "Anchored")]
        ) { _ = try DeviceAttestationAnswer($0) },
        Body(testDescription: "RecoveryCodesAnswer", json: RecoveryCodesAnswer(codes: ["A", "B"]).json) {
            _ = try RecoveryCodesAnswer($0)
        },
        Body(
            testDescription: "SecurityEventView", json: event.json,
            optional: ["address", "device_id", "device_name", "reason"],
            malformed: [
                ("kind", ""), ("address", ""), ("device_id", "AAAA"), ("device_name", longName), ("reason", ""),
            ]
        ) { _ = try SecurityEventView($0) },
        Body(
            testDescription: "SecurityEventsPage", json: SecurityEventsPage(events: [event, event], next: id(5)).json,
            optional: ["next"], malformed: [("events", .object(with: [:])), ("next", "AAAA")]
        ) { _ = try SecurityEventsPage($0) },
    ]

    private static let requests = [
        Body(
            testDescription: "RegistrationOptionsRequest",
            json: RegistrationOptionsRequest(purpose: .signUp, accountName: "a", invitation: "i").json,
            optional: ["invitation"], malformed: badNames.map { ("account_name", $0) } + [("purpose", "sign_in")]
        ) { _ = try RegistrationOptionsRequest($0) },
        Body(
            testDescription: "AuthenticationOptionsRequest", json: AuthenticationOptionsRequest(purpose: .signIn).json,
            malformed: [("purpose", "sign_up"), ("purpose", "")]
        ) { _ = try AuthenticationOptionsRequest($0) },
        Body(
            testDescription: "CredentialRequest",
            json: CredentialRequest(
                credential: ["id": "x"], accountName: "a", passkeyName: "p", deviceName: "d", invitation: "i"
            ).json,
            optional: ["account_name", "passkey_name", "device_name", "invitation"], free: ["credential"],
            malformed: badNames.map { ("device_name", $0) }
        ) { _ = try CredentialRequest($0) },
        Body(testDescription: "Renaming", json: Renaming(name: "n").json, malformed: badNames.map { ("name", $0) }) {
            _ = try Renaming($0)
        },
        Body(
            testDescription: "DeviceAttestationRequest",
            json: DeviceAttestationRequest(platform: "webauthn", attestation: ["id": "x"]).json, free: ["attestation"],
            malformed: [("platform", "")]
        ) { _ = try DeviceAttestationRequest($0) },
        Body(
            testDescription: "TokenValidation", json: TokenValidation(refreshToken: "r").json,
            malformed: [("refresh_token", "")]
        ) { _ = try TokenValidation($0) },
        Body(testDescription: "RecoveryRequest", json: RecoveryRequest(code: "c").json, malformed: [("code", "")]) {
            _ = try RecoveryRequest($0)
        },
    ]

    /// Reads the body with each member broken in turn, and checks the error.
    private func check(_ body: Body, _ error: (String) -> any Error) throws {
        try body.read(body.json)
        for name in try #require(body.json.object).members.map(\.name) {
            for absent in [nil, JSON.null] {
                let json = try setting(name, of: body.json, to: absent)
                if body.optional.contains(name) { try body.read(json) } else { expect(error(name), from: body, json) }
            }
            if body.free.contains(name) { continue }
            // No member is an object with other members.
            let inner = try #require(body.json[name])
            if inner.object == nil { expect(error(name), from: body, try setting(name, of: body.json, to: ["x": 1])) }
            if inner.array == nil { expect(error(name), from: body, try setting(name, of: body.json, to: .array([]))) }
        }
        for (name, value) in body.malformed {
            expect(error(name), from: body, try setting(name, of: body.json, to: value))
        }
        for json in [JSON.null, .array([body.json]), "x", JSON(1), .bool(true)] {
            expect(error(""), from: body, json)
        }
        let later = try setting("later", of: body.json, to: ["a": .null])
        try body.read(later)
    }

    private func expect(_ error: any Error, from body: Body, _ json: JSON) {
        let thrown = #expect(throws: (any Error).self, "\(json.text)") { try body.read(json) }
        switch error {
        case let error as MalformedAnswer: #expect(thrown as? MalformedAnswer == error, "\(json.text)")
        default: #expect(thrown as? Problem == error as? Problem, "\(json.text)")
        }
    }

    private func setting(_ name: String, of body: JSON, to value: JSON?) throws -> JSON {
        var members = try #require(body.object).members.filter { $0.name != name }
        if let value { members.append(JSON.Object.Member(name: name, value: value)) }
        return .object(try JSON.Object(members))
    }

    @Test("a malformed response is the server's fault, and the error names the member", arguments: answers)
    func answer(_ body: Body) throws {
        try check(body) { MalformedAnswer(member: $0) }
    }

    @Test("a malformed request is refused", arguments: requests)
    func request(_ body: Body) throws {
        try check(body) { _ in Problem(.malformedRequest) }
    }

    @Test("a member of a member is named by its path, and an element of a list by its number")
    func paths() throws {
        func member(_ text: String, _ read: (JSON) throws(MalformedAnswer) -> Void) throws -> String? {
            let body = try json(text)
            do throws(MalformedAnswer) {
                try read(body)
                return nil
            } catch { return error.member }
        }
        let registration = RegistrationAnswer(passkey: Self.passkey, tokens: Self.tokens, recoveryCodes: ["A", "B"])
            .json.text
        for (part, other, path) in [
            ("\"AQ\"", "1", "passkey.passkey_id"), ("\"DPoP\"", "\"Bearer\"", "tokens.token_type"),
            ("\"scope\"", "\"scopes\"", "tokens.scope"), ("\"B\"", "2", "recovery_codes[1]"),
            ("\"A\"", "\"\"", "recovery_codes[0]"),
        ] {
            let text = registration.replacing(part, with: other)
            #expect(
                try member(text) { json throws(MalformedAnswer) in _ = try RegistrationAnswer(json) } == path, "\(text)"
            )
        }
        let current = CurrentSession(account: id(1), accountName: "a", session: Self.session, recoveryCodesLeft: 9)
        let unnamed = current.json.text.replacing("\"acr\"", with: "\"ACR\"")
        #expect(try member(unnamed) { json throws(MalformedAnswer) in _ = try CurrentSession(json) } == "session.acr")
        let events =
            "{\"events\": [\(Self.event.json.text), \(Self.event.json.text.replacing("\"at\"", with: "\"when\""))]}"
        #expect(
            try member(events) { json throws(MalformedAnswer) in _ = try SecurityEventsPage(json) } == "events[1].at")
        #expect(
            try member("{\"events\": [1]}") { json throws(MalformedAnswer) in _ = try SecurityEventsPage(json) }
                == "events[0]")
        #expect(
            try member("{\"codes\": [\"A\", null]}") { json throws(MalformedAnswer) in _ = try RecoveryCodesAnswer(json)
            }
                == "codes[1]")
    }

    @Test("the error of a malformed response has none of its text")
    func noText() throws {
        let json = try setting("access_token", of: Self.tokens.json, to: .array(["secret"]))
        let error = #expect(throws: MalformedAnswer.self) { try TokenResponse(json) }
        #expect("\(String(describing: error)) \(String(reflecting: error))".contains("access_token"))
        #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains("secret"))
    }
}
