import AuthAPI
import Encoding
import Testing
import Time

@Suite("Requests and answers")
struct ValueTests {
    private let time = Timestamp(seconds: 1_800_000_000)

    private var tokens: TokenResponse {
        TokenResponse(
            accessToken: "a.b.c", expiresIn: 900, refreshToken: "r", sessionExpires: time, account: id(1),
            session: id(2), device: id(3), scope: "account")
    }

    private var passkey: PasskeyView {
        PasskeyView(
            id: "AQ", name: "Kē", created: time, lastUsed: nil, isBackupEligible: true, attestation: "none",
            isCurrent: true)
    }

    private var session: SessionView {
        SessionView(
            id: id(2), device: id(3), deviceName: "D", isCurrent: true, created: time, lastUsed: time, expires: time,
            authenticated: time, assurance: "urn:fueki:aal2")
    }

    @Test("every value is read as it was written")
    func roundTrips() throws {
        #expect(try TokenResponse(tokens.json) == tokens)
        #expect(try TokenValidation(TokenValidation(refreshToken: "r").json).refreshToken == "r")
        #expect(try PasskeyView(passkey.json) == passkey)
        let registration = RegistrationAnswer(passkey: passkey, tokens: tokens, recoveryCodes: ["A", "B"])
        #expect(try RegistrationAnswer(registration.json) == registration)
        #expect(try SessionView(session.json) == session)
        let current = CurrentSession(account: id(1), accountName: "a", session: session, recoveryCodesLeft: 9)
        #expect(try CurrentSession(current.json) == current)
        let device = DeviceView(
            id: id(3), name: "D", isCurrent: false, created: time, lastSeen: time, trust: .unverified)
        #expect(try DeviceView(device.json) == device)
        let attestation = DeviceAttestationRequest(platform: "webauthn", attestation: ["id": "x"])
        #expect(try DeviceAttestationRequest(attestation.json) == attestation)
        let trust = DeviceAttestationAnswer(device: id(3), trust: .trusted)
        #expect(try DeviceAttestationAnswer(trust.json) == trust)
        let credential = CredentialRequest(credential: ["id": "x"], passkeyName: "P", deviceName: nil)
        #expect(try CredentialRequest(credential.json) == credential)
        let signUp = RegistrationOptionsRequest(purpose: .signUp, accountName: "me")
        #expect(try RegistrationOptionsRequest(signUp.json) == signUp)
        let stepUp = AuthenticationOptionsRequest(purpose: .stepUp)
        #expect(try AuthenticationOptionsRequest(stepUp.json) == stepUp)
        #expect(try RecoveryRequest(RecoveryRequest(code: "ABC").json).code == "ABC")
        #expect(try RecoveryCodesAnswer(RecoveryCodesAnswer(codes: ["A"]).json).codes == ["A"])
        #expect(try Renaming(Renaming(name: "n").json).name == "n")
        let event = SecurityEventView(
            id: id(4), kind: "signed_in", at: time, address: "192.0.2.1", device: id(3), deviceName: "D", reason: "r")
        #expect(try SecurityEventView(event.json) == event)
        let bare = SecurityEventView(id: id(5), kind: "k", at: time)
        let page = SecurityEventsPage(events: [event, bare], next: id(5))
        #expect(try SecurityEventsPage(page.json) == page)
        let last = SecurityEventsPage(events: [], next: nil)
        #expect(try SecurityEventsPage(last.json) == last)
    }

    @Test(
        "a name is 1 to 64 characters without control characters",
        arguments: ["", String(repeating: "x", count: 65), "a\\u0000b", "a\\nb", "\\u0085"])
    func names(text: String) throws {
        let json = try json("{\"name\": \"\(text)\"}")
        #expect(throws: Problem(.malformedRequest)) { try Renaming(json) }
    }

    @Test("a name of many combining marks is refused before its characters are counted for long")
    func combiningMarks() throws {
        let name = "e" + String(repeating: "\u{301}", count: 2_000)
        #expect(throws: Problem(.malformedRequest)) { try Renaming(["name": .string(name)]) }
    }

    @Test(
        "a member that is missing, null or of another type is refused",
        arguments: ["[]", "{}", "{\"name\": null}", "{\"name\": 1}", "{\"name\": [\"a\"]}"])
    func malformed(text: String) throws {
        let json = try json(text)
        #expect(throws: Problem(.malformedRequest)) { try Renaming(json) }
    }

    @Test(
        "a name has a visible character, and none that hides or reorders",
        arguments: [
            " ", "\u{a0}\u{3000}", "\u{200b}", "\u{200d}", "\u{3164}", "\u{2800}", "\u{fe0f}", "\u{e000}", "a\u{202e}b",
            "a\u{200b}", "a\u{2066}b", "a\u{feff}", "a\u{2028}b", "\u{2029}a",
        ])
    func invisible(_ name: String) {
        #expect(throws: Problem(.malformedRequest)) { try Renaming(["name": .string(name)]) }
        let request: JSON = ["credential": [:], "account_name": .string(name)]
        #expect(throws: Problem(.malformedRequest)) { try CredentialRequest(request) }
        for member in ["passkey_name", "device_name"] {
            let request = JSON.object(with: ["credential": [:], member: .string(name)])
            #expect(throws: Problem(.malformedRequest)) { try CredentialRequest(request) }
        }
        let options: JSON = ["purpose": "sign_up", "account_name": .string(name)]
        #expect(throws: Problem(.malformedRequest)) { try RegistrationOptionsRequest(options) }
    }

    @Test(
        "a name may be in any script, with the joiners of scripts and emoji",
        arguments: ["Ada’s phone", "نامه\u{200c}ای", "טלפון", "👨\u{200d}👩\u{200d}👧", "❤\u{fe0f}", "一", "é", " a "])
    func visible(_ name: String) throws {
        #expect(try Renaming(["name": .string(name)]).name == name)
    }

    @Test("unknown members are ignored")
    func unknown() throws {
        #expect(try Renaming(try json("{\"name\": \"n\", \"later\": {}}")).name == "n")
    }

    @Test("a sign-up contains a name for the account, and an additional passkey does not")
    func purposes() throws {
        for text in [
            "{\"purpose\": \"sign_up\"}", "{\"purpose\": \"add_passkey\", \"account_name\": \"a\"}",
            "{\"purpose\": \"sign_in\"}", "{\"purpose\": \"recovery\"}", "{\"purpose\": \"\"}",
        ] {
            let json = try json(text)
            #expect(throws: Problem(.malformedRequest), "\(text)") { try RegistrationOptionsRequest(json) }
        }
        let json = try json("{\"purpose\": \"sign_up\"}")
        #expect(throws: Problem(.malformedRequest)) { try AuthenticationOptionsRequest(json) }
    }

    @Test("an identifier is 16 bytes in one form of base64url")
    func identifiers() throws {
        #expect(try AccountID("AAAAAAAAAAAAAAAAAAAAAA").bytes == [UInt8](repeating: 0, count: 16))
        for text in ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAAA+"] {
            #expect(throws: EncodingError.self, "\(text)") { try AccountID(text) }
        }
        #expect(AccountID(bytes: [1, 2]) == nil)
    }
}
