internal import Crypto
internal import Encoding
internal import TestSupport
internal import X509

@testable internal import WebAuthn

/// A registration of the tests: a new credential, and statements about it.
struct MintedRegistration {
    /// The credential's key.
    var key = P256.Signing.PrivateKey()
    var aaguid = hex("00112233445566778899aabbccddeeff")
    let credentialID = [UInt8](repeating: 0xc4, count: 20)
    var clientDataHash = Array(SHA256.hash(data: Array("client data".utf8)))

    /// 22 November 2026, in milliseconds.
    static let now: Int64 = 1_795_305_600_000

    var model: AAGUID { AAGUID(bytes: aaguid) ?? .zero }

    /// The authenticator data: user present and verified, and the credential.
    var authenticatorData: [UInt8] {
        Array(SHA256.hash(data: Array("example.org".utf8))) + [0x45, 0, 0, 0, 0] + aaguid
            + [0, UInt8(credentialID.count)] + credentialID + COSEKey(key.publicKey).encoded
    }

    var signedBytes: [UInt8] { authenticatorData + clientDataHash }

    /// The statement in the form for a relying party.
    func statement(_ format: String, _ fields: [(CBOR, CBOR)]) throws -> AttestationStatement {
        let object = map([
            ("fmt", .text(format)), ("attStmt", map(fields)), ("authData", .bytes(authenticatorData)),
        ])
        return AttestationStatement(
            of: try AttestationObject(decoding: object.encoded), clientDataHash: clientDataHash)
    }

    static func x5c(_ certificates: [Certificate]) throws -> (CBOR, CBOR) {
        ("x5c", .array(try certificates.map { .bytes(try $0.der) }))
    }
}

extension P256.Signing.PrivateKey {
    /// ECDSA with SHA-256, in DER.
    func derSignature(over bytes: [UInt8]) throws -> [UInt8] {
        Array(try signature(for: bytes).derRepresentation)
    }
}
