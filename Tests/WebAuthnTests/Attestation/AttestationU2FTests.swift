internal import Crypto
internal import Encoding
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("U2F attestation")
struct AttestationU2FTests {
    private let registration = MintedRegistration()
    private let key = P256.Signing.PrivateKey()
    private let root: MintedAuthority

    init() throws { root = try MintedAuthority() }

    /// FIDO U2F Raw Message Formats, section 4.3.
    private var message: [UInt8] {
        [0] + Array(registration.authenticatorData.prefix(32)) + registration.clientDataHash
            + registration.credentialID + Array(registration.key.publicKey.x963Representation)
    }

    private func statement(
        _ message: [UInt8]? = nil, by signer: P256.Signing.PrivateKey? = nil, for key: Certificate.PublicKey? = nil,
        more: [Certificate] = []
    ) throws -> AttestationStatement {
        // U2F uses only the key of the certificate.
        let certificate = try root.issue(.init(extensions: []), for: key ?? .init(self.key.publicKey))
        return try registration.statement(
            "fido-u2f",
            [
                ("sig", .bytes(try (signer ?? self.key).derSignature(over: message ?? self.message))),
                try MintedRegistration.x5c([certificate] + more),
            ])
    }

    @Test("the signature covers a zero, the relying party, the client data, the credential and its key")
    func verified() throws {
        let attestation = try statement().verify()
        #expect(attestation.format == .fidoU2F)
        #expect(attestation.aaguid == registration.model)
        let signer = P256.Signing.PrivateKey()
        #expect(throws: WebAuthnError.attestation(.badSignature)) { try statement(by: signer).verify() }
        for position in [0, 1, 33, 65, message.count - 1] {
            #expect(throws: WebAuthnError.attestation(.badSignature)) {
                try statement(message.flipping(position)).verify()
            }
        }
        #expect(throws: WebAuthnError.attestation(.badSignature)) {
            try statement(registration.signedBytes).verify()
        }
    }

    @Test("exactly one certificate is allowed")
    func oneCertificate() throws {
        #expect(throws: WebAuthnError.attestation(.malformed)) { try statement(more: [root.certificate]).verify() }
    }

    @Test("the certificate's key is on P-256")
    func curve() throws {
        #expect(throws: WebAuthnError.attestation(.certificate(.key))) {
            try statement(for: .init(P384.Signing.PrivateKey().publicKey)).verify()
        }
    }

    @Test("the credential's key is on P-256")
    func credentialCurve() throws {
        let object = try CBOR(decoding: CeremonyVector.none.registration.data)
        guard case .bytes(let data)? = object["authData"] else { throw EncodingError.unsupported }
        let point = P384.Signing.PrivateKey().publicKey.rawRepresentation
        let key = map([
            (1, 2), (3, -35), (-1, 2), (-2, .bytes(Array(point.prefix(48)))), (-3, .bytes(Array(point.suffix(48)))),
        ])
        let certificate = try root.issue(.init(extensions: []), for: .init(self.key.publicKey))
        let wrong =
            object.with("fmt", "fido-u2f").with("authData", .bytes(data.dropLast(77) + key.encoded))
            .with("attStmt", map([("sig", .bytes([])), try MintedRegistration.x5c([certificate])]))
        let statement = AttestationStatement(
            of: try AttestationObject(decoding: wrong.encoded), clientDataHash: registration.clientDataHash)
        #expect(throws: WebAuthnError.attestation(.wrongAlgorithm)) { try statement.verify() }
    }
}
