internal import Crypto
internal import Encoding
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("Apple attestation")
struct AttestationAppleTests {
    private let registration = MintedRegistration()
    private let root: MintedAuthority

    init() throws { root = try MintedAuthority() }

    private static func nonce(over bytes: [UInt8]) -> Certificate.Extension {
        MintedAuthority.extension_(
            AppleNonce.identifier, hex("3024a1220420") + Array(SHA256.hash(data: bytes)))
    }

    private func statement(
        _ extensions: [Certificate.Extension], for key: P256.Signing.PrivateKey? = nil, more: [(CBOR, CBOR)] = []
    ) throws -> AttestationStatement {
        let leaf = try MintedAuthority.leaf(extensions)
        let certificate = try root.issue(leaf, for: .init((key ?? registration.key).publicKey))
        return try registration.statement("apple", [try MintedRegistration.x5c([certificate])] + more)
    }

    @Test("the certificate has to contain the credential's key, and the hash of these data")
    func verified() throws {
        let right = Self.nonce(over: registration.signedBytes)
        #expect(try statement([right]).verify().format == .apple)
        #expect(throws: WebAuthnError.attestation(.wrongKey)) {
            try statement([right], for: P256.Signing.PrivateKey()).verify()
        }
        for bytes in [registration.authenticatorData, registration.clientDataHash, registration.signedBytes + [0]] {
            #expect(throws: WebAuthnError.attestation(.wrongNonce)) {
                try statement([Self.nonce(over: bytes)]).verify()
            }
        }
    }

    @Test("the algorithm may be present, as Apple sends it, and has to match the key")
    func algorithm() throws {
        let right = Self.nonce(over: registration.signedBytes)
        #expect(try statement([right], more: [("alg", -7)]).verify().format == .apple)
        for (more, flaw) in [
            ([("alg", -257)], .wrongAlgorithm), ([("alg", "ES256")], .malformed), ([("sig", -7)], .malformed),
            ([("alg", -7), ("sig", .bytes([]))], .malformed),
        ] as [([(CBOR, CBOR)], AttestationFlaw)] {
            #expect(throws: WebAuthnError.attestation(flaw)) { try statement([right], more: more).verify() }
        }
    }

    @Test("without the extension, or with a malformed one, the statement is refused")
    func missing() throws {
        #expect(throws: WebAuthnError.attestation(.certificate(.missingExtension))) { try statement([]).verify() }
        let hash = Array(SHA256.hash(data: registration.signedBytes))
        #expect(throws: WebAuthnError.attestation(.certificate(.malformedExtension))) {
            try statement([MintedAuthority.extension_(AppleNonce.identifier, hex("0420") + hash)]).verify()
        }
    }
}
