internal import TestSupport
internal import Testing

@testable internal import WebAuthn

/// Section 16 of the specification: 15 pairs, of every format and algorithm.
@Suite("Published ceremonies")
struct VectorTests {
    /// All pairs, except the one with an algorithm that Swift Crypto does not have.
    private static func supported() throws -> [CeremonyVector] {
        try CeremonyVector.published().filter { $0.id != "packed-ed448" }
    }

    @Test("each of the other 14 authentications is accepted, and refused with any single error")
    func authentications() throws {
        for vector in try Self.supported() {
            let ceremonies = try Ceremonies(vector)
            let verified = try ceremonies.authentication().verify(
                ceremonies.authenticationResponse(), with: ceremonies.record())
            #expect(verified.signCount == .notUsed, "\(vector.id)")
            try AuthenticationTwins(vector).check()
        }
    }

    @Test(
        "each of the other 14 registrations is accepted, by its attestation's root, and refused with any one thing wrong"
    )
    func registrations() throws {
        let root = try CeremonyVector.root()
        var policy = AttestationPolicy.vectors
        for format in AttestationFormat.allCases { policy.anchors[format] = [root] }
        policy.levels.remove(.untrusted)
        for vector in try Self.supported() {
            let ceremonies = try Ceremonies(vector)
            let verified = try ceremonies.registration(attestation: policy).verify(
                ceremonies.registrationResponse(), at: Ceremonies.now)
            #expect(try verified.uncheckedRecord == ceremonies.record(), "\(vector.id)")
            let level: AttestationTrust.Level =
                vector.id.hasPrefix("none") ? .none : vector.id.hasPrefix("packed-self") ? .selfSigned : .anchored
            #expect(verified.trust.level == level, "\(vector.id)")
            // Without that root the attestation is not trusted.
            if level == .anchored {
                policy.anchors = [:]
                let strangers = try ceremonies.registration(attestation: policy)
                #expect(throws: WebAuthnError.attestationRefused(.trust(.untrusted(.noAnchor))), "\(vector.id)") {
                    try strangers.verify(ceremonies.registrationResponse(), at: Ceremonies.now)
                }
                for format in AttestationFormat.allCases { policy.anchors[format] = [root] }
            }
            try RegistrationTwins(vector).check()
        }
    }

    @Test("Ed448 is refused by number, and has a name")
    func ed448() throws {
        guard let vector = try CeremonyVector.published().first(where: { $0.id == "packed-ed448" }) else {
            Issue.record("the vector is not there")
            return
        }
        #expect(throws: WebAuthnError.unsupportedAlgorithm(-53)) {
            try AttestationObject(decoding: vector.registration.data)
        }
        #expect(COSEAlgorithm.name(of: -53) == "Ed448")
    }

    @Test("the data in these tests equal the published vectors")
    func typed() throws {
        let published = try CeremonyVector.published()
        for typed in [CeremonyVector.none, .packedSelf] {
            let vector = try #require(published.first { $0.id == typed.id })
            for (left, right) in [
                (typed.registration, vector.registration), (typed.authentication, vector.authentication),
            ] {
                #expect(left.challenge == right.challenge)
                #expect(left.clientData == right.clientData)
                #expect(left.data == right.data)
                #expect(left.signature == right.signature)
            }
        }
    }
}
