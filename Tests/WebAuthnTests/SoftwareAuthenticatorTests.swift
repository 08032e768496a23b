internal import Crypto
internal import Encoding
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

/// A relying party, and a credential of our software authenticator.
struct AuthenticatorFixture {
    let authenticator: SoftwareAuthenticator
    let relyingParty: RelyingParty
    let origin: Origin
    let key = P256.Signing.PrivateKey()
    let id: CredentialID

    init(_ authenticator: SoftwareAuthenticator) throws {
        self.authenticator = authenticator
        origin = try Origin("https://login.example.org")
        relyingParty = try RelyingParty(
            id: RelyingPartyID("example.org"), name: "Example", origins: [origin], relatedOrigins: [],
            embedding: .refused)
        id = try CredentialID(SystemRandom().publicBytes(count: 16))
    }

    func registration(userVerification: UserVerification = .preferred) throws -> Registration {
        Registration(
            at: relyingParty, of: try User(handle: Ceremonies.user, name: "ada", displayName: "Ada Lovelace"),
            challenge: Challenge(from: SystemRandom()), algorithms: [.es256], userVerification: userVerification,
            mediation: .modal, attestation: .anything)
    }

    /// Runs both sides of a registration, with text between them.
    func register(
        consent: SoftwareAuthenticator.Consent = .verified, attestation: AttestationConveyance = .none
    ) throws -> VerifiedRegistration {
        let registration = try registration()
        let options = registration.options(excluding: [], residentKey: .required, attestation: attestation)
        let response = try authenticator.register(
            CreationOptions(json: JSON(decoding: options.json.encoded)), from: origin, as: id, with: key, having: [],
            signCount: 0, consent: consent)
        return try registration.verify(RegistrationResponse(decoding: response.json.encoded), at: Ceremonies.now)
    }

    func authenticate(
        _ record: CredentialRecord, consent: SoftwareAuthenticator.Consent,
        rule: Authentication.BackupEligibilityRule, signCount: UInt32 = 0
    ) throws -> VerifiedAuthentication {
        let authentication = Authentication(
            at: relyingParty, challenge: Challenge(from: SystemRandom()), of: .whoeverAnswers, allowing: [],
            userVerification: .preferred, backupEligibility: rule)
        let response = try authenticator.authenticate(
            RequestOptions(json: JSON(decoding: authentication.options().json.encoded)), from: origin, as: id,
            of: record.user, with: key, signCount: signCount, consent: consent)
        return try authentication.verify(AuthenticationResponse(decoding: response.json.encoded), with: record)
    }
}

@Suite("The software authenticator")
struct SoftwareAuthenticatorTests {
    private static let models = [
        SoftwareAuthenticator(aaguid: .zero, backup: .notEligible),
        SoftwareAuthenticator(aaguid: .zero, backup: .backedUp),
    ]

    @Test("the relying party accepts its answers", arguments: [AttestationConveyance.none, .direct])
    func roundTrip(_ attestation: AttestationConveyance) throws {
        for authenticator in Self.models {
            let fixture = try AuthenticatorFixture(authenticator)
            let registered = try fixture.register(attestation: attestation)
            #expect(registered.attestation.kind == (attestation == .none ? .none : .selfSigned))
            let record = registered.uncheckedRecord
            #expect(record.id == fixture.id)
            #expect(record.user == Ceremonies.user)
            #expect(record.publicKey == COSEKey(fixture.key.publicKey))
            #expect(record.isBackedUp == (authenticator.backup == .backedUp))
            #expect(record.transports == [.internal])
            let verified = try fixture.authenticate(record, consent: .verified, rule: .mustStay, signCount: 1)
            #expect(verified.signCount == .increased)
            #expect(verified.isUserVerified)
        }
    }

    @Test("with the key, identifier and flags of a published registration it makes the same bytes")
    func golden() throws {
        let vector = CeremonyVector.none.registration
        let published = try AttestationObject(decoding: vector.data)
        let key = try P256.Signing.PrivateKey(
            rawRepresentation: hex("6e68e7a58484a3264f66b77f5d6dc5bc36a47085b615c9727ab334e8c369c2ee"))
        let ceremonies = try Ceremonies(.none)
        let authenticator = SoftwareAuthenticator(aaguid: published.credential.aaguid, backup: .backedUp)
        let response = try authenticator.register(
            ceremonies.registration().options(excluding: [], residentKey: .required, attestation: .none),
            from: Origin("https://example.org"), as: published.credential.id, with: key, having: [], signCount: 0,
            consent: .present)
        #expect(response.attestationObject.bytes == vector.data)
        #expect(
            String(decoding: response.clientDataJSON, as: UTF8.self) == """
                {"type":"webauthn.create","challenge":"AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA",\
                "origin":"https://example.org","crossOrigin":false}
                """)
        let authentication = try authenticator.authenticate(
            ceremonies.authentication().options(), from: Origin("https://example.org"), as: published.credential.id,
            of: Ceremonies.user, with: key, signCount: 0, consent: .present)
        #expect(authentication.authenticatorData.bytes == CeremonyVector.none.authentication.data)
        #expect(authentication.clientDataJSON == CeremonyVector.none.authentication.clientData)
        _ = try ceremonies.authentication().verify(authentication, with: ceremonies.record())
    }

    @Test("it refuses other domains' pages, unsupported algorithms, and a second registration")
    func refusals() throws {
        let fixture = try AuthenticatorFixture(Self.models[0])
        func options(_ change: (inout CreationOptions) -> Void) throws -> CreationOptions {
            var options = try fixture.registration().options(
                excluding: [], residentKey: .required, attestation: .none)
            change(&options)
            return options
        }
        func register(
            _ options: CreationOptions, from origin: String = "https://example.org",
            consent: SoftwareAuthenticator.Consent = .present
        ) throws {
            _ = try fixture.authenticator.register(
                options, from: Origin(origin), as: fixture.id, with: fixture.key, having: [fixture.id], signCount: 0,
                consent: consent)
        }
        try register(options { _ in })
        for origin in [
            "https://example.com", "https://notexample.org", "https://example.org.example.com", "http://localhost",
        ] {
            #expect(throws: WebAuthnError.wrongRelyingParty) { try register(options { _ in }, from: origin) }
        }
        #expect(throws: WebAuthnError.algorithmNotOffered(.es256)) {
            try register(options { $0.algorithms = [.edDSA] })
        }
        #expect(throws: WebAuthnError.credentialExcluded) {
            try register(options { $0.excluded = [CredentialDescriptor(id: fixture.id, transports: [])] })
        }
        #expect(throws: WebAuthnError.userNotVerified) { try register(options { $0.userVerification = .required }) }
        try register(options { $0.userVerification = .required }, consent: .verified)

        func authenticate(_ change: (inout RequestOptions) -> Void, from origin: String = "https://example.org") throws
        {
            var options = Authentication(
                at: fixture.relyingParty, challenge: Challenge(from: SystemRandom()), of: .whoeverAnswers, allowing: [],
                userVerification: .preferred, backupEligibility: .mustStay
            ).options()
            change(&options)
            _ = try fixture.authenticator.authenticate(
                options, from: Origin(origin), as: fixture.id, of: Ceremonies.user, with: fixture.key, signCount: 0,
                consent: .present)
        }
        try authenticate { _ in }
        #expect(throws: WebAuthnError.wrongRelyingParty) { try authenticate({ _ in }, from: "https://example.com") }
        #expect(throws: WebAuthnError.userNotVerified) { try authenticate { $0.userVerification = .required } }
        let other = CredentialDescriptor(id: try CredentialID([9]), transports: [])
        #expect(throws: WebAuthnError.credentialNotAllowed) { try authenticate { $0.allowed = [other] } }
    }
}
