internal import SwiftASN1
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

/// The extensions that vendors put into certificates.
@Suite("Extensions of attesting certificates")
struct AttestationExtensionTests {
    /// The example of section 8.2.1.
    private static let example = """
        -----BEGIN CERTIFICATE-----
        MIIBzTCCAXOgAwIBAgIUYHS3FJEL/JTfFqafuAHvlAS+hDYwCgYIKoZIzj0EAwIw
        QTELMAkGA1UEBhMCVVMxFDASBgNVBAoMC1dlYkF1dGhuIFdHMRwwGgYDVQQDDBNF
        eGFtcGxlIEF0dGVzdGF0aW9uMCAXDTI0MDEwMzE3NDUyMVoYDzIwNTAwMTA2MTc0
        NTIxWjBBMQswCQYDVQQGEwJVUzEUMBIGA1UECgwLV2ViQXV0aG4gV0cxHDAaBgNV
        BAMME0V4YW1wbGUgQXR0ZXN0YXRpb24wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AATDQN9uaFFH4BKBjthHTM1drpb7gIuPod67qyF6UdL4qah6XUp6tE7Prl+DfQ7P
        YH9yMOOcci3nr+Q/jOBaWVERo0cwRTAhBgsrBgEEAYLlHAEBBAQSBBDNjDlcJu3u
        3mU7AHl9A8o8MBIGCysGAQQBguUcAQEFBAMCASowDAYDVR0TAQH/BAIwADAKBggq
        hkjOPQQDAgNIADBFAiA3k3aAUVtLhDHLXOgY2kRnK2hrbRgf2EKdTDLJ1Ds/RAIh
        AOmIblhI3ALCHOaO0IO7YlMpw/lSTvFYv3qwO3m7H8Dc
        -----END CERTIFICATE-----
        """

    @Test("the model in the specification's example")
    func model() throws {
        let certificate = try Certificate(pemEncoded: Self.example)
        let value = try #require(certificate.extensions[oid: AAGUIDExtension.identifier]).value
        #expect(hex(value) == "0410cd8c395c26edeede653b00797d03ca3c")
        #expect(AAGUIDExtension.bytes(of: value) == hex("cd8c395c26edeede653b00797d03ca3c"))
        try certificate.checkModel(is: try AAGUID("cd8c395c-26ed-eede-653b-00797d03ca3c"))
        #expect(throws: WebAuthnError.attestation(.wrongModel)) {
            try certificate.checkModel(is: try AAGUID("cd8c395c-26ed-eede-653b-00797d03ca3d"))
        }
    }

    @Test(
        "a model is one octet string of 16 bytes",
        arguments: [
            "", "00112233445566778899aabbccddeeff", "040f00112233445566778899aabbccddee",
            "041100112233445566778899aabbccddeeff00", "041000112233445566778899aabbccddeeff00",
            "030f00112233445566778899aabbccddee", "30120410cd8c395c26edeede653b00797d03ca3c",
        ])
    func malformedModel(_ value: String) {
        #expect(AAGUIDExtension.bytes(of: hex(value)[...]) == nil)
    }

    /// Section 16, "ES256 Credential with Apple Anonymous Attestation".
    private static let nonce = "3024a1220420d7a86e7233fb843eb0eeb407d8b76ff7e4f82d218cf5dbb461d752073f5cb29a"

    @Test("the nonce in the specification's vector")
    func appleNonce() {
        #expect(AppleNonce.bytes(of: hex(Self.nonce)[...]) == Array(hex(Self.nonce).suffix(32)))
    }

    @Test(
        "a nonce is an octet string under the tag 1 in a sequence, and nothing else is there",
        arguments: [
            "", "3000", "0420N", "30220420N", "3024a2220420N", "302481220420N", "3026a1220420N0500", "3024a1220420N00",
            "3026a1240420N0500",
        ])
    func malformedNonce(_ shape: String) {
        let value = shape.replacing("N", with: Self.nonce.suffix(64))
        #expect(AppleNonce.bytes(of: hex(value)[...]) == nil)
    }
}
