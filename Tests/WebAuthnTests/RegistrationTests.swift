internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Registration")
struct RegistrationTests {
    @Test("a registration gives the record of a new credential", arguments: [CeremonyVector.none, .packedSelf])
    func accepted(_ vector: CeremonyVector) throws {
        let ceremonies = try Ceremonies(vector)
        let verified = try ceremonies.registration().verify(ceremonies.registrationResponse(), at: Ceremonies.now)
        #expect(try verified.uncheckedRecord == ceremonies.record())
        #expect(verified.attestation.kind == (vector.id == "none-es256" ? .none : .selfSigned))
        #expect(verified.isUserVerified == (vector.id == "packed-self-es256"))
        #expect(verified.isDiscoverable == true)
        #expect(verified.attestationObject == vector.registration.data)
        #expect(verified.clientDataJSON == vector.registration.clientData)
    }

    @Test("step 26: the record is returned only to a caller that confirms that the identifier is new")
    func claim() throws {
        let ceremonies = try Ceremonies(.none)
        let verified = try ceremonies.registration().verify(ceremonies.registrationResponse(), at: Ceremonies.now)
        #expect(verified.claim { _ in true } == .taken)
        var asked: [CredentialID] = []
        let claim = verified.claim {
            asked.append($0)
            return false
        }
        #expect(try claim == .free(ceremonies.record()))
        #expect(asked == [verified.credentialID])
    }

    @Test("a registration with one error is refused with its name", arguments: [CeremonyVector.none, .packedSelf])
    func refused(_ vector: CeremonyVector) throws { try RegistrationTwins(vector).check() }

    @Test("step 15: only with conditional mediation may the user-present flag be missing")
    func conditional() throws {
        let ceremonies = try Ceremonies(.none)
        let response = try ceremonies.registrationResponse(
            object: CeremonyVector.none.registration.data.changingData { $0.flags(removing: .userPresent) })
        #expect(throws: WebAuthnError.userNotPresent) {
            try ceremonies.registration().verify(response, at: Ceremonies.now)
        }
        _ = try ceremonies.registration(mediation: .conditional).verify(response, at: Ceremonies.now)
        // The other requirements stay.
        #expect(throws: WebAuthnError.userNotVerified) {
            try ceremonies.registration(userVerification: .required, mediation: .conditional).verify(
                response, at: Ceremonies.now)
        }
    }

    @Test("step 16: user verification is requested explicitly, and reported")
    func userVerification() throws {
        let without = try Ceremonies(.none)
        for verification in [UserVerification.preferred, .discouraged] {
            let verified = try without.registration(userVerification: verification).verify(
                without.registrationResponse(), at: Ceremonies.now)
            #expect(!verified.isUserVerified)
            #expect(!verified.uncheckedRecord.isUserVerificationInitialized)
        }
        let with = try Ceremonies(.packedSelf)
        let verified = try with.registration(userVerification: .required).verify(
            with.registrationResponse(), at: Ceremonies.now)
        #expect(verified.isUserVerified)
        #expect(verified.uncheckedRecord.isUserVerificationInitialized)
    }

    @Test("step 24: a valid attestation without a trusted signer is refused")
    func policy() throws {
        for (vector, level, trust) in [
            (CeremonyVector.none, AttestationTrust.Level.none, AttestationTrust.none),
            (.packedSelf, .selfSigned, .selfSigned),
        ] {
            let ceremonies = try Ceremonies(vector)
            var policy = AttestationPolicy.anything
            policy.levels = [level]
            let registration = try ceremonies.registration(attestation: policy)
            #expect(try registration.verify(ceremonies.registrationResponse(), at: Ceremonies.now).trust == trust)
            policy.levels = Set(AttestationTrust.Level.allCases).subtracting([level])
            let strict = try ceremonies.registration(attestation: policy)
            #expect(throws: WebAuthnError.attestationRefused(.trust(trust))) {
                try strict.verify(ceremonies.registrationResponse(), at: Ceremonies.now)
            }
        }
    }

    @Test("steps 10 and 11: inside other sites' frames, only if the relying party allows frames and those sites")
    func frames() throws {
        let framed = CeremonyVector.none.registration.clientData
            .replacing(#""crossOrigin":false"#, by: #""crossOrigin":true,"topOrigin":"https://example.com""#)
        let allowed = try Ceremonies(.none, embedding: .allowed(in: [Origin("https://example.com")]))
        _ = try allowed.registration().verify(allowed.registrationResponse(clientData: framed), at: Ceremonies.now)
        _ = try allowed.registration().verify(allowed.registrationResponse(), at: Ceremonies.now)
        let none = try Ceremonies(.none, embedding: .allowed(in: []))
        #expect(throws: WebAuthnError.wrongTopOrigin) {
            try none.registration().verify(none.registrationResponse(clientData: framed), at: Ceremonies.now)
        }
        // The client names the frame's site, but does not say that it is in a frame: it is treated as in one.
        let sly = framed.replacing(#""crossOrigin":true"#, by: #""crossOrigin":false"#)
        let refused = try Ceremonies(.none)
        #expect(throws: WebAuthnError.crossOriginRefused) {
            try refused.registration().verify(refused.registrationResponse(clientData: sly), at: Ceremonies.now)
        }
    }
}

/// The answer of a registration, with one error at a time.
struct RegistrationTwins {
    private let vector: CeremonyVector
    private let ceremonies: Ceremonies
    private let algorithm: COSEAlgorithm

    init(_ vector: CeremonyVector) throws {
        self.vector = vector
        ceremonies = try Ceremonies(vector)
        algorithm = try AttestationObject(decoding: vector.registration.data).credential.publicKey.algorithm
    }

    func check() throws {
        let step = vector.registration
        try refuses(.wrongType, clientData: step.clientData.replacing("webauthn.create", by: "webauthn.get"))
        try refuses(.wrongType, clientData: step.clientData.replacing("webauthn.create", by: "payment.get"))
        try refuses(.wrongChallenge, by: ceremonies.registration(challenge: step.challenge.flipping(0)))
        try refuses(.wrongChallenge, by: ceremonies.registration(challenge: step.challenge + [0]))
        let origin = #""origin":"https://example.org""#
        for other in [
            "http://example.org", "https://example.org:8443", "https://example.org/", "https://example.com", "",
        ] {
            try refuses(.wrongOrigin, clientData: step.clientData.replacing(origin, by: #""origin":"\#(other)""#))
        }
        let embedded = String(decoding: step.clientData, as: UTF8.self).contains(#""crossOrigin":true"#)
        if !embedded {
            let framed = step.clientData.replacing(#""crossOrigin":false"#, by: #""crossOrigin":true"#)
            try refuses(.crossOriginRefused, clientData: framed)
            let named = step.clientData.replacing(#""crossOrigin":false"#, by: #""topOrigin":"https://example.com""#)
            try refuses(.crossOriginRefused, clientData: named)
        } else {
            let refusing = try Ceremonies(vector, embedding: .refused)
            try refuses(.crossOriginRefused, by: refusing.registration())
            if step.clientData.contains("topOrigin") {
                let other = try Ceremonies(vector, embedding: .allowed(in: [Origin("https://example.net")]))
                try refuses(.wrongTopOrigin, by: other.registration())
            }
        }
        try refuses(.wrongRelyingParty, data: { $0.flipping(0) })
        try refuses(.wrongRelyingParty, data: { $0.flipping(31) })
        try refuses(.userNotPresent, data: { $0.flags(removing: .userPresent) })
        try refuses(
            .userNotVerified, by: ceremonies.registration(userVerification: .required),
            data: { $0.flags(removing: .userVerified) })
        try refuses(
            .inconsistentBackupFlags, data: { $0.flags(adding: .backedUp, removing: .backupEligible) })
        let others = COSEAlgorithm.allCases.filter { $0 != algorithm }
        try refuses(.algorithmNotOffered(algorithm), by: ceremonies.registration(algorithms: others))
        try refuses(.wrongCredential, id: [1, 2, 3])
        try refuses(.malformed(.credentialID), id: [])
        try refuses(.malformed(.credentialID), id: [UInt8](repeating: 1, count: 1024))
        try refuses(.malformed(.authenticatorData), data: { $0 + [0] })
        try refuses(.malformed(.authenticatorData), data: { $0.flags(removing: .attestedCredential) })
        try refuses(.malformed(.authenticatorData), data: { $0.flags(adding: .extensions) })
        try refuses(.malformed(.authenticatorData), data: { Array($0[..<37]).flags(removing: .attestedCredential) })
        try refuses(.malformed(.publicKey), data: { $0.dropLast() })
        try refuses(.malformed(.attestationObject), object: step.data + [0])
        try refuses(.malformed(.attestationObject), object: [])
        try refuses(.malformed(.clientData), clientData: [])
        try refuses(
            .unsupportedAttestationFormat,
            object: CBOR(decoding: step.data).with("fmt", "android-safetynet").encoded)
    }

    private func refuses(
        _ error: WebAuthnError, by registration: Registration? = nil, id: [UInt8]? = nil, clientData: [UInt8]? = nil,
        object: [UInt8]? = nil, data: (([UInt8]) -> [UInt8])? = nil, line: SourceLocation = #_sourceLocation
    ) throws {
        let registration = try registration ?? ceremonies.registration()
        let object = try data.map { try vector.registration.data.changingData($0) } ?? object
        #expect(throws: error, "\(vector.id)", sourceLocation: line) {
            try registration.verify(
                ceremonies.registrationResponse(id: id, clientData: clientData, object: object), at: Ceremonies.now)
        }
    }
}

extension [UInt8] {
    func contains(_ part: String) -> Bool { String(decoding: self, as: UTF8.self).contains(part) }
}
