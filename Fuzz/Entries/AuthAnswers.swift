internal import AuthAPI
internal import Encoding
internal import Time

extension FuzzEntry {
    /// The requests and responses of the sign-in server.
    static let authAnswers: [FuzzEntry] = [
        answer("auth-tokens", [tokens(refreshToken: "r"), tokens(refreshToken: nil)], \.json) { try TokenResponse($0) },
        answer("auth-registration", [RegistrationAnswer(passkey: passkey), registration], \.json) {
            try RegistrationAnswer($0)
        },
        answer("auth-session", [current], \.json) { try CurrentSession($0) },
        answer("auth-device", [device], \.json) { try DeviceView($0) },
        answer(
            "auth-events",
            [SecurityEventsPage(events: [event], next: id(5)), SecurityEventsPage(events: [], next: nil)],
            \.json
        ) { try SecurityEventsPage($0) },
        answer(
            "auth-credential",
            [CredentialRequest(credential: ["id": "x"]), CredentialRequest(credential: [:], accountName: "a")], \.json
        ) { try CredentialRequest($0) },
        FuzzEntry("auth-error", texts: [Problem(.rateLimited, retryAfter: 7).json.text]) { text in
            let json = try JSON(decoding: text)
            // The status is the response's, and the body has none that counts.
            guard case .problem(let problem) = ErrorAnswer(status: 429, body: json) else { return nil }
            precondition(ErrorAnswer(status: 429, body: problem.json) == .problem(problem), "written differently")
            return text
        },
    ]

    private static func answer<Value: Equatable & Sendable>(
        _ name: String, _ seeds: [Value], _ json: @escaping @Sendable (Value) -> JSON,
        _ read: @escaping @Sendable (JSON) throws -> Value
    ) -> FuzzEntry {
        FuzzEntry(name, texts: seeds.map { json($0).text }) { text in
            let value = try read(try JSON(decoding: text))
            precondition((try? read(json(value))) == value, "written differently")
            return text
        }
    }

    private static let time = Timestamp(seconds: 1_800_000_000)

    private static func id<Named>(_ byte: UInt8) -> Identifier<Named> {
        guard let id = Identifier<Named>(bytes: [UInt8](repeating: byte, count: 16)) else {
            preconditionFailure("16 bytes are an identifier")
        }
        return id
    }

    private static func tokens(refreshToken: String?) -> TokenResponse {
        TokenResponse(
            accessToken: "a.b.c", expiresIn: 900, refreshToken: refreshToken, sessionExpires: time, account: id(1),
            session: id(2), device: id(3), scope: "account")
    }

    private static let passkey = PasskeyView(
        id: "AQ", name: "key", created: time, lastUsed: time, isBackupEligible: true, attestation: "none",
        isCurrent: true)

    private static var registration: RegistrationAnswer {
        RegistrationAnswer(passkey: passkey, tokens: tokens(refreshToken: "r"), recoveryCodes: ["A", "B"])
    }

    private static var current: CurrentSession {
        CurrentSession(
            account: id(1), accountName: "a",
            session: SessionView(
                id: id(2), device: id(3), deviceName: "d", isCurrent: true, created: time, lastUsed: time,
                expires: time, authenticated: time, assurance: "urn:fueki:aal2"), recoveryCodesLeft: 9)
    }

    private static var device: DeviceView {
        DeviceView(id: id(3), name: "d", isCurrent: false, created: time, lastSeen: time, trust: .unverified)
    }

    private static var event: SecurityEventView {
        SecurityEventView(
            id: id(4), kind: "signed_in", at: time, address: "192.0.2.1", device: id(3), deviceName: "d", reason: "r")
    }
}
