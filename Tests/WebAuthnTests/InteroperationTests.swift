internal import Crypto
internal import Encoding
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

/// py_webauthn: the other relying party.
@Suite("Interoperation with another relying party", .enabled(if: Peer.python.isExpected, "\(Peer.python.absence)"))
struct OtherRelyingPartyTests {
    private struct Answer: Decodable {
        let id: String
        let key: String
        let count: UInt32
        let format: String
        let uv: Bool
        let device: String
        let backed_up: Bool
    }

    private struct Question: Encodable {
        let response: String
        let challenge: String
        var rp_id = "example.org"
        var origin = "https://login.example.org"
        var uv = true
        var key = ""
        var count: UInt32 = 0
    }

    private struct Options: Decodable {
        let creation: String
        let request: String
    }

    private struct OptionsQuestion: Encodable {
        let rp_id = "example.org"
        let challenge: String
        let user: String
    }

    @Test("it accepts our authenticator's answers, with and without attestation, and refuses changed ones")
    func ourAuthenticator() throws {
        for backup in [SoftwareAuthenticator.Backup.notEligible, .eligible, .backedUp] {
            for attestation in [AttestationConveyance.none, .direct] {
                try check(SoftwareAuthenticator(aaguid: .zero, backup: backup), attestation)
            }
        }
    }

    private func check(_ authenticator: SoftwareAuthenticator, _ attestation: AttestationConveyance) throws {
        let fixture = try AuthenticatorFixture(authenticator)
        let challenge = SystemRandom().publicBytes(count: 32)
        let options = try Python.ask(
            "relying_party.py", command: "options",
            OptionsQuestion(challenge: hex(challenge), user: hex(Ceremonies.user.bytes)), for: Options.self)
        var creation = try CreationOptions(json: JSON(decoding: options.creation))
        #expect(creation.challenge == challenge)
        #expect(creation.user.handle == Ceremonies.user)
        #expect(creation.residentKey == .required)
        #expect(creation.userVerification == .required)
        #expect(creation.attestation == .direct)
        creation.attestation = attestation
        let response = try authenticator.register(
            creation, from: fixture.origin, as: fixture.id, with: fixture.key, having: [], signCount: 7,
            consent: .verified)
        let question = Question(response: response.json.text, challenge: hex(challenge))
        let registered = try Python.ask("relying_party.py", command: "register", question, for: Answer.self)
        #expect(registered.id == hex(fixture.id.bytes))
        #expect(registered.key == hex(COSEKey(fixture.key.publicKey).encoded))
        #expect(registered.count == 7)
        #expect(registered.format == (attestation == .none ? "none" : "packed"))
        #expect(registered.uv)
        #expect(registered.device == (authenticator.backup == .notEligible ? "single_device" : "multi_device"))
        #expect(registered.backed_up == (authenticator.backup == .backedUp))

        let request = try RequestOptions(json: JSON(decoding: options.request))
        #expect(request.userVerification == .required)
        let signed = try authenticator.authenticate(
            request, from: fixture.origin, as: fixture.id, of: Ceremonies.user, with: fixture.key, signCount: 8,
            consent: .verified)
        var assertion = Question(response: signed.json.text, challenge: hex(challenge))
        assertion.key = registered.key
        assertion.count = 7
        let verified = try Python.ask("relying_party.py", command: "authenticate", assertion, for: Answer.self)
        #expect(verified.count == 8)
        #expect(verified.id == registered.id)
        // The changed answer: another origin than the signed one.
        assertion.origin = "https://example.org"
        #expect(throws: Program.Failure.self) {
            try Python.ask("relying_party.py", command: "authenticate", assertion, for: Answer.self)
        }
    }
}

/// soft-webauthn: the other authenticator.
@Suite(
    "Interoperation with another authenticator",
    .enabled(if: Peer.authenticator.isExpected, "\(Peer.authenticator.absence)"))
struct OtherAuthenticatorTests {
    private struct Question: Encodable {
        let origin: String
        let creation: String
        let requests: [String]
    }

    private struct Answer: Decodable {
        let registration: String
        let authentications: [String]
    }

    @Test("our relying party accepts its registration and its authentications, and reports a falling counter")
    func otherAuthenticator() throws {
        let fixture = try AuthenticatorFixture(SoftwareAuthenticator(aaguid: .zero, backup: .notEligible))
        let registration = try fixture.registration()
        let authentications = (0..<3).map { _ in
            Authentication(
                at: fixture.relyingParty, challenge: Challenge(from: SystemRandom()), of: .whoeverAnswers, allowing: [],
                userVerification: .preferred, backupEligibility: .mustStay)
        }
        let answer = try Python.ask(
            "soft_authenticator.py", interpreter: Python.authenticatorInterpreter,
            Question(
                origin: fixture.origin.text,
                creation: registration.options(excluding: [], residentKey: .required, attestation: .none).json.text,
                requests: authentications.map { $0.options().json.text }), for: Answer.self)
        let registered = try registration.verify(
            RegistrationResponse(decoding: Array(answer.registration.utf8)), at: Ceremonies.now)
        #expect(registered.attestation.kind == .none)
        #expect(registered.uncheckedRecord.publicKey.algorithm == .es256)
        var record = registered.uncheckedRecord
        #expect(record.signCount == 0)
        let responses = try answer.authentications.map { try AuthenticationResponse(decoding: Array($0.utf8)) }
        #expect(responses.count == 3)
        for (authentication, response) in zip(authentications, responses) {
            let verified = try authentication.verify(response, with: record)
            #expect(verified.signCount == .increased)
            record = verified.record
        }
        #expect(record.signCount == 3)
        // The first one, again: its counter is behind, and its challenge belongs to an earlier ceremony.
        #expect(
            try authentications[0].verify(responses[0], with: record).signCount
                == .didNotIncrease(stored: 3, received: 1))
        #expect(throws: WebAuthnError.wrongChallenge) { try authentications[1].verify(responses[0], with: record) }
    }
}
