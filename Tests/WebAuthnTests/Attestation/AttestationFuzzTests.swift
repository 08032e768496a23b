internal import Crypto
internal import Encoding
internal import SwiftASN1
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("Mutated attestations")
struct AttestationFuzzTests {
    private struct Finding: Error {}

    @Test("any certificate is read or refused, and none counts as another's")
    func certificates() throws {
        let root = try MintedAuthority()
        let between = try root.authority()
        let key = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)
        let model = MintedAuthority.extension_(
            AAGUIDExtension.identifier, [0x04, 0x10] + [UInt8](repeating: 7, count: 16))
        let leaf = try between.issue(try MintedAuthority.leaf([model]), for: key)
        let tpm = try between.issue(try AttestationTPMTests.Minted.template(), for: key)
        let anchor = try root.anchor
        let seeds = [try leaf.der, try tpm.der, try between.certificate.der]
        Fuzz.mutations(of: seeds, iterations: 3_000) { bytes in
            guard let certificate = Certificate.reading(der: bytes) else { return }
            _ = try? certificate.checkModel(is: .zero)
            _ = try? TPMCertificate.check(certificate, manufacturers: TPMManufacturer.registered)
            _ = try? certificate.attestationKey()
            _ = certificate.mayIssue(above: 0)
            let path = CertificatePath(certificates: [certificate, between.certificate])
            // Every byte is signed, except for the signature itself.
            if (try? path.anchor(among: [anchor], at: MintedRegistration.now)) != nil, !seeds.contains(bytes) {
                let isSame = seeds.contains {
                    (try? Certificate(derEncoded: $0))?.tbsCertificateBytes == certificate.tbsCertificateBytes
                }
                if !isSame { throw Finding() }
            }
        }
    }

    @Test("any statement is verified or refused, and none is valid for other authenticator data")
    func statements() throws {
        let tpm = try AttestationTPMTests.Minted()
        let registration = tpm.registration
        let chain = try MintedRegistration.x5c([try tpm.root.issue(tpm.template, for: .init(tpm.key.publicKey))])
        let packed = try MintedRegistration.x5c([
            try tpm.root.issue(try MintedAuthority.leaf(), for: .init(tpm.key.publicKey))
        ])
        let signature = CBOR.bytes(try tpm.key.derSignature(over: registration.signedBytes))
        let certified = CBOR.bytes(try tpm.key.derSignature(over: tpm.certInfo))
        let statements: [(CBOR, CBOR)] = [
            ("packed", map([("alg", -7), ("sig", signature), packed])),
            (
                "tpm",
                map([
                    ("ver", "2.0"), ("alg", -7), ("sig", certified), ("certInfo", .bytes(tpm.certInfo)),
                    ("pubArea", .bytes(tpm.pubArea)), chain,
                ])
            ),
            ("android-key", map([("alg", -7), ("sig", signature), packed])), ("apple", map([packed])),
            ("fido-u2f", map([("sig", signature), packed])),
        ]
        let data = registration.authenticatorData
        let seeds = statements.map { map([("fmt", $0.0), ("attStmt", $0.1), ("authData", .bytes(data))]).encoded }
        Fuzz.mutations(of: seeds, iterations: 5_000) { bytes in
            guard let object = try? AttestationObject(decoding: bytes) else { return }
            let statement = AttestationStatement(of: object, clientDataHash: registration.clientDataHash)
            guard let attestation = try? statement.verify() else { return }
            guard case .certified(let certificates) = attestation.kind, object.authenticatorData.bytes == data,
                certificates.first?.publicKey == .init(tpm.key.publicKey)
            else { throw Finding() }
        }
    }
}
