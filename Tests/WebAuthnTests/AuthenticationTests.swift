internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Authentication")
struct AuthenticationTests {
    @Test("an authentication gives the record's new state", arguments: [CeremonyVector.none, .packedSelf])
    func accepted(_ vector: CeremonyVector) throws {
        let ceremonies = try Ceremonies(vector)
        let verified = try ceremonies.authentication().verify(
            ceremonies.authenticationResponse(), with: ceremonies.record())
        var expected = try ceremonies.record()
        expected.isBackedUp = vector.id == "none-es256"
        #expect(verified.record == expected)
        #expect(verified.signCount == .notUsed)
        #expect(!verified.becameBackupEligible)
        #expect(!verified.isUserVerified)
        #expect(verified.user == Ceremonies.user)
    }

    @Test("an authentication with one error is refused with its name", arguments: [CeremonyVector.none, .packedSelf])
    func refused(_ vector: CeremonyVector) throws { try AuthenticationTwins(vector).check() }

    @Test("step 6: an identified user has to own the credential, whatever the answer says")
    func owner() throws {
        let ceremonies = try Ceremonies(.none)
        let other = Ceremonies.user(2)
        // The defect of YSA-2026-02: another user's credential, in a session that began for this user.
        let authentication = try ceremonies.authentication(of: .user(Ceremonies.user))
        for handle in [Ceremonies.user, other, nil] {
            #expect(throws: WebAuthnError.wrongUser) {
                try authentication.verify(
                    ceremonies.authenticationResponse(user: handle), with: ceremonies.record(user: other))
            }
        }
        #expect(throws: WebAuthnError.wrongUser) {
            try authentication.verify(ceremonies.authenticationResponse(user: other), with: ceremonies.record())
        }
        // Authenticators without storage do not know the user.
        _ = try authentication.verify(ceremonies.authenticationResponse(user: nil), with: ceremonies.record())
    }

    @Test("step 6: if the user is not identified yet, the response and the record have to name the same one")
    func unknownUser() throws {
        let ceremonies = try Ceremonies(.none)
        let authentication = try ceremonies.authentication()
        #expect(throws: WebAuthnError.missingUserHandle) {
            try authentication.verify(ceremonies.authenticationResponse(user: nil), with: ceremonies.record())
        }
        #expect(throws: WebAuthnError.wrongUser) {
            try authentication.verify(
                ceremonies.authenticationResponse(user: Ceremonies.user(2)), with: ceremonies.record())
        }
        #expect(throws: WebAuthnError.wrongUser) {
            try authentication.verify(
                ceremonies.authenticationResponse(), with: ceremonies.record(user: Ceremonies.user(2)))
        }
    }

    @Test("step 5: only listed credentials are accepted, if there is a list")
    func allowed() throws {
        let ceremonies = try Ceremonies(.none)
        let record = try ceremonies.record()
        let other = CredentialDescriptor(id: try CredentialID([1, 2, 3]), transports: [])
        let response = try ceremonies.authenticationResponse()
        _ = try ceremonies.authentication(allowing: [other, record.descriptor]).verify(response, with: record)
        #expect(throws: WebAuthnError.credentialNotAllowed) {
            try ceremonies.authentication(allowing: [other]).verify(response, with: record)
        }
    }

    // go-webauthn 335, supabase auth 2732, keepassxc 13239: users were locked out by this flag.
    @Test(
        "step 19: backup eligibility stays, and where the policy lets it begin, only with user verification, and it is told"
    )
    func backupEligibility() throws {
        let authenticator = SoftwareAuthenticator(aaguid: .zero, backup: .eligible)
        let fixture = try AuthenticatorFixture(authenticator)
        var record = try fixture.register().uncheckedRecord
        record.isBackupEligible = false
        #expect(throws: WebAuthnError.backupEligibilityChanged) {
            try fixture.authenticate(record, consent: .verified, rule: .mustStay)
        }
        #expect(throws: WebAuthnError.backupEligibilityChanged) {
            try fixture.authenticate(record, consent: .present, rule: .mayBeginWithUserVerification)
        }
        let verified = try fixture.authenticate(record, consent: .verified, rule: .mayBeginWithUserVerification)
        #expect(verified.becameBackupEligible)
        #expect(verified.record.isBackupEligible)
        let again = try fixture.authenticate(verified.record, consent: .verified, rule: .mustStay)
        #expect(!again.becameBackupEligible)

        // Never the other way round.
        let bound = try AuthenticatorFixture(SoftwareAuthenticator(aaguid: .zero, backup: .notEligible))
        var eligible = try bound.register().uncheckedRecord
        eligible.isBackupEligible = true
        for rule in [Authentication.BackupEligibilityRule.mustStay, .mayBeginWithUserVerification] {
            #expect(throws: WebAuthnError.backupEligibilityChanged) {
                try bound.authenticate(eligible, consent: .verified, rule: rule)
            }
        }
    }

    @Test(
        "step 22: a counter that does not increase is told, and never lowers the record's",
        arguments: [
            (UInt32(0), UInt32(0), SignCount.notUsed, UInt32(0)), (0, 1, .increased, 1), (5, 6, .increased, 6),
            (5, 5, .didNotIncrease(stored: 5, received: 5), 5), (5, 4, .didNotIncrease(stored: 5, received: 4), 5),
            (5, 0, .didNotIncrease(stored: 5, received: 0), 5),
            (.max, 0, .didNotIncrease(stored: .max, received: 0), .max),
        ])
    func counter(_ stored: UInt32, _ received: UInt32, _ result: SignCount, _ kept: UInt32) throws {
        let fixture = try AuthenticatorFixture(SoftwareAuthenticator(aaguid: .zero, backup: .notEligible))
        var record = try fixture.register().uncheckedRecord
        record.signCount = stored
        let verified = try fixture.authenticate(record, consent: .present, rule: .mustStay, signCount: received)
        #expect(verified.signCount == result)
        #expect(verified.record.signCount == kept)
    }

    @Test("step 24: the first user verification is reported, and not recorded automatically")
    func firstVerification() throws {
        let fixture = try AuthenticatorFixture(SoftwareAuthenticator(aaguid: .zero, backup: .notEligible))
        var record = try fixture.register(consent: .present).uncheckedRecord
        #expect(!record.isUserVerificationInitialized)
        let verified = try fixture.authenticate(record, consent: .verified, rule: .mustStay)
        #expect(verified.verifiedUserForTheFirstTime)
        #expect(verified.isUserVerified)
        #expect(!verified.record.isUserVerificationInitialized)
        record.isUserVerificationInitialized = true
        #expect(try !fixture.authenticate(record, consent: .verified, rule: .mustStay).verifiedUserForTheFirstTime)
        #expect(try !fixture.authenticate(record, consent: .present, rule: .mustStay).verifiedUserForTheFirstTime)
    }

    @Test("the backup state follows the authenticator's flag")
    func backupState() throws {
        let fixture = try AuthenticatorFixture(SoftwareAuthenticator(aaguid: .zero, backup: .backedUp))
        var record = try fixture.register().uncheckedRecord
        #expect(record.isBackedUp)
        record.isBackedUp = false
        #expect(try fixture.authenticate(record, consent: .verified, rule: .mustStay).record.isBackedUp)
    }
}

/// The answer of an authentication, with one error at a time.
struct AuthenticationTwins {
    private let vector: CeremonyVector
    private let ceremonies: Ceremonies

    init(_ vector: CeremonyVector) throws {
        self.vector = vector
        ceremonies = try Ceremonies(vector)
    }

    func check() throws {
        let step = vector.authentication
        _ = try ceremonies.authentication().verify(
            ceremonies.authenticationResponse(), with: ceremonies.record())
        try refuses(.wrongType, clientData: step.clientData.replacing("webauthn.get", by: "webauthn.create"))
        try refuses(.wrongType, clientData: step.clientData.replacing("webauthn.get", by: "payment.get"))
        try refuses(.wrongChallenge, by: ceremonies.authentication(challenge: step.challenge.flipping(-1)))
        try refuses(.wrongChallenge, by: ceremonies.authentication(challenge: step.challenge + [0]))
        let origin = #""origin":"https://example.org""#
        for other in ["http://example.org", "https://example.org.evil.com", "https://sub.example.org", "null"] {
            try refuses(.wrongOrigin, clientData: step.clientData.replacing(origin, by: #""origin":"\#(other)""#))
        }
        if step.clientData.contains(#""crossOrigin":true"#) {
            try refuses(.crossOriginRefused, by: Ceremonies(vector, embedding: .refused).authentication())
            if step.clientData.contains("topOrigin") {
                let other = try Ceremonies(vector, embedding: .allowed(in: [Origin("https://example.net")]))
                try refuses(.wrongTopOrigin, by: other.authentication())
            }
        } else {
            let framed = step.clientData.replacing(#""crossOrigin":false"#, by: #""crossOrigin":true"#)
            try refuses(.crossOriginRefused, clientData: framed)
        }
        try refuses(.wrongRelyingParty, data: step.data.flipping(0))
        try refuses(.userNotPresent, data: step.data.flags(removing: .userPresent))
        try refuses(
            .userNotVerified, by: ceremonies.authentication(userVerification: .required),
            data: step.data.flags(removing: .userVerified))
        try refuses(.inconsistentBackupFlags, data: step.data.flags(adding: .backedUp, removing: .backupEligible))
        let record = try ceremonies.record()
        try refuses(
            .backupEligibilityChanged, with: ceremonies.record(isBackupEligible: !record.isBackupEligible))
        // The signed bytes, and the signature.
        try refuses(.badSignature, signature: step.signature.flipping(-1))
        try refuses(.badSignature, signature: step.signature.flipping(0))
        try refuses(.badSignature, signature: [])
        try refuses(.badSignature, data: step.data.flipping(36))
        try refuses(.badSignature, data: step.data.flags(adding: AuthenticatorFlags(rawValue: 0x20)))
        try refuses(.badSignature, clientData: step.clientData + [0x20])
        try refuses(.badSignature, clientData: [0xef, 0xbb, 0xbf] + step.clientData)
        let other = CredentialRecord(
            id: record.id, user: record.user, publicKey: try Self.otherKey(than: record.publicKey),
            signCount: 0, isUserVerificationInitialized: true, transports: [],
            isBackupEligible: record.isBackupEligible, isBackedUp: false, aaguid: record.aaguid)
        try refuses(.badSignature, with: other)
        try refuses(.wrongCredential, id: [1, 2, 3])
        try refuses(.malformed(.credentialID), id: [])
        try refuses(.malformed(.authenticatorData), data: step.data + [0])
        try refuses(.malformed(.authenticatorData), data: step.data.dropLast())
        try refuses(.malformed(.clientData), clientData: step.clientData.dropLast())
        try refuses(.malformed(.response), signature: [UInt8](repeating: 0, count: 513))
        let stranger = CredentialDescriptor(id: try CredentialID([1, 2, 3]), transports: [])
        try refuses(.credentialNotAllowed, by: ceremonies.authentication(allowing: [stranger]))
        try refuses(.wrongUser, with: ceremonies.record(user: Ceremonies.user(9)))
        try refuses(.wrongUser, by: ceremonies.authentication(of: .user(Ceremonies.user(9))))
    }

    /// A key of the same algorithm if there is one, otherwise any.
    private static func otherKey(than key: COSEKey) throws -> COSEKey {
        let own = try AttestationObject(decoding: CeremonyVector.none.registration.data).credential.publicKey
        return own == key
            ? try AttestationObject(decoding: CeremonyVector.packedSelf.registration.data).credential.publicKey : own
    }

    private func refuses(
        _ error: WebAuthnError, by authentication: Authentication? = nil, with record: CredentialRecord? = nil,
        id: [UInt8]? = nil, clientData: [UInt8]? = nil, data: [UInt8]? = nil, signature: [UInt8]? = nil,
        line: SourceLocation = #_sourceLocation
    ) throws {
        let authentication = try authentication ?? ceremonies.authentication()
        let record = try record ?? ceremonies.record()
        #expect(throws: error, "\(vector.id)", sourceLocation: line) {
            try authentication.verify(
                ceremonies.authenticationResponse(id: id, clientData: clientData, data: data, signature: signature),
                with: record)
        }
    }
}
