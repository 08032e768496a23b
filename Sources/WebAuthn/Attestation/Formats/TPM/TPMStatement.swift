internal import Encoding
internal import SwiftASN1
internal import X509

/// The statement of a Trusted Platform Module, as Windows sends it (Level 3, section 8.3).
enum TPMStatement {
    static func verify(
        _ statement: AttestationStatement, by rules: AttestationRules
    ) throws(WebAuthnError) -> Attestation {
        guard case .text(let version)? = statement.statement["ver"], version.utf8.elementsEqual("2.0".utf8) else {
            throw .attestation(.malformed)
        }
        let algorithm = try statement.algorithm()
        let signature = try statement.bytes("sig")
        let certInfo = try statement.bytes("certInfo")
        let pubArea = try statement.bytes("pubArea")
        let certificates = try statement.certificates()
        try statement.requireOnly(fields: 6)

        // "Verify that the public key specified by the parameters and unique fields of pubArea is identical …"
        guard let area = try? TPMPublicArea(decoding: pubArea), let key = COSEKey(area.key) else {
            throw .attestation(.tpm(.publicArea))
        }
        guard key == statement.credential.publicKey else { throw .attestation(.wrongKey) }
        guard !rules.fixedTPMKeys || area.keyStaysInside else { throw .attestation(.tpm(.movableKey)) }

        // "Verify integrity of certInfo". The text says that `sig` is a TPMT_SIGNATURE; Windows and the specification's
        // own vector have the signature alone, as the other formats do.
        try TPMCertificate.check(certificates.first, manufacturers: rules.manufacturers)
        try certificates.first.checkModel(is: statement.credential.aaguid)
        let nonce = try TPMSignature.verify(
            signature, over: certInfo, by: certificates.first, algorithm: algorithm, in: statement, rules: rules)
        try check(certInfo, certifies: area, for: nonce)
        return Attestation(
            format: .tpm, kind: .certified(certificates.all), aaguid: statement.credential.aaguid,
            stated: .tpm(staysInside: area.keyStaysInside, hasWeakHash: algorithm == TPMSignature.rs1))
    }

    /// "Validate that certInfo is valid".
    private static func check(
        _ certInfo: [UInt8], certifies area: TPMPublicArea, for nonce: [UInt8]
    ) throws(WebAuthnError) {
        let certification: TPMCertification
        do {
            certification = try TPMCertification(decoding: certInfo)
        } catch {
            switch error {
            case .magic: throw .attestation(.tpm(.magic))
            case .type: throw .attestation(.tpm(.type))
            case .structure: throw .attestation(.tpm(.certification))
            }
        }
        guard certification.extraData == nonce else { throw .attestation(.wrongNonce) }
        guard certification.name == area.name else { throw .attestation(.tpm(.name)) }
    }
}

extension TPMPublicArea {
    /// Whether the attributes say that the TPM made the key, and that neither the key nor its parent leaves it (TPM 2.0
    /// Part 2, section 8.3).
    var keyStaysInside: Bool { attributes.isSuperset(of: [.fixedTPM, .fixedParent, .sensitiveDataOrigin]) }
}

extension COSEKey {
    /// Creates the key of a public area; nil if its kind is not supported here.
    fileprivate init?(_ key: TPMPublicArea.Key) {
        switch key {
        case .elliptic(.p256, let x, let y): self.init(.es256, x: x, y: y)
        case .elliptic(.p384, let x, let y): self.init(.es384, x: x, y: y)
        case .elliptic(.p521, let x, let y): self.init(.es512, x: x, y: y)
        case .rsa(let modulus, let exponent):
            var writer = ByteWriter()
            writer.bigEndian(exponent)
            self.init(modulus: modulus, exponent: writer.bytes)
        }
    }
}
