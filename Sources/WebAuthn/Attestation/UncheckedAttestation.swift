internal import Encoding
internal import X509

extension AttestationObject {
    /// Reads a statement again that was verified at its registration, to judge it by other anchors, metadata or lists.
    ///
    /// - Warning: No signature is verified. Use it only for attestation objects from a store that no one else can write
    ///   to.
    /// - Throws: ``WebAuthnError/attestation(_:)`` if the statement can never have been verified.
    public func uncheckedAttestation() throws(WebAuthnError) -> Attestation {
        // The client data are not needed, since nothing is verified.
        let statement = AttestationStatement(of: self, clientDataHash: [])
        let aaguid = credential.aaguid
        switch AttestationFormat(name: format) {
        case .none?: return Attestation(format: .none, kind: .none, aaguid: aaguid)
        case nil, .unknown?: return Attestation(format: .unknown, kind: .none, aaguid: aaguid)
        case .packed? where statement.statement["x5c"] == nil:
            return Attestation(format: .packed, kind: .selfSigned, aaguid: aaguid)
        case .packed?: return try statement.uncheckedAttestation(.packed, .nothing)
        case .fidoU2F?: return try statement.uncheckedAttestation(.fidoU2F, .nothing)
        case .apple?: return try statement.uncheckedAttestation(.apple, .secureEnclave)
        case .tpm?:
            guard let area = try? TPMPublicArea(decoding: statement.bytes("pubArea")) else {
                throw .attestation(.tpm(.publicArea))
            }
            let hasWeakHash = try statement.algorithm() == TPMSignature.rs1
            return try statement.uncheckedAttestation(
                .tpm, .tpm(staysInside: area.keyStaysInside, hasWeakHash: hasWeakHash))
        case .androidKey?:
            let description = try AndroidKeyDescription(in: statement.certificates().first)
            return try statement.uncheckedAttestation(.androidKey, .android(description))
        }
    }
}

extension AttestationStatement {
    fileprivate func uncheckedAttestation(
        _ format: AttestationFormat, _ stated: StatedProtection
    ) throws(WebAuthnError) -> Attestation {
        Attestation(
            format: format, kind: .certified(try certificates().all), aaguid: credential.aaguid, stated: stated)
    }
}
