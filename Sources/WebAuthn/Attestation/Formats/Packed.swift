internal import Encoding
internal import SwiftASN1
internal import X509

/// The statement of WebAuthn's own format (Level 3, section 8.2).
enum PackedStatement {
    static func verify(_ statement: AttestationStatement) throws(WebAuthnError) -> Attestation {
        let algorithm = try statement.algorithm()
        let signature = try statement.bytes("sig")
        if statement.statement["x5c"] == nil {
            try statement.requireOnly(fields: 2)
            return try verifySelf(statement, algorithm: algorithm, signature: signature)
        }
        try statement.requireOnly(fields: 3)
        let certificates = try statement.certificates()
        return try verify(statement, algorithm: algorithm, signature: signature, certificates: certificates)
    }

    /// Section 8.2, "If x5c is present".
    private static func verify(
        _ statement: AttestationStatement, algorithm: Int64, signature: [UInt8],
        certificates: AttestationStatement.Path
    ) throws(WebAuthnError) -> Attestation {
        let certificate = certificates.first
        try statement.verify(
            signature, over: statement.signedBytes, by: try certificate.attestationKey(), algorithm: algorithm)
        try checkRequirements(of: certificate)
        try certificate.checkModel(is: statement.credential.aaguid)
        return Attestation(
            format: .packed, kind: .certified(certificates.all), aaguid: statement.credential.aaguid)
    }

    /// Section 8.2.1.
    private static func checkRequirements(of certificate: Certificate) throws(WebAuthnError) {
        guard certificate.version == .v3 else { throw .attestation(.certificate(.version)) }
        typealias Name = ASN1ObjectIdentifier.RDNAttributeType
        let subject = certificate.subject
        // A country has two letters (ISO 3166); the company's legal name and the model's name are any text.
        guard let country = subject.only(Name.countryName), country.utf8.count == 2,
            let organisation = subject.only(Name.organizationName), !organisation.isEmpty,
            let unit = subject.only(Name.organizationalUnitName),
            unit.utf8.elementsEqual("Authenticator Attestation".utf8),
            let name = subject.only(Name.commonName), !name.isEmpty
        else { throw .attestation(.certificate(.subject)) }
        guard certificate.saysItIsNoAuthority else { throw .attestation(.certificate(.noAuthority)) }
    }

    /// Section 8.2, "If x5c is not present, self attestation is in use".
    private static func verifySelf(
        _ statement: AttestationStatement, algorithm: Int64, signature: [UInt8]
    ) throws(WebAuthnError) -> Attestation {
        let credential = statement.credential
        try statement.verify(signature, over: statement.signedBytes, by: credential.publicKey, algorithm: algorithm)
        return Attestation(format: .packed, kind: .selfSigned, aaguid: credential.aaguid)
    }
}

extension DistinguishedName {
    /// Returns the text of the attribute, if the name has it exactly once and as text.
    func only(_ type: ASN1ObjectIdentifier) -> String? {
        let values = joined().filter { $0.type == type }
        guard values.count == 1, let value = values.first else { return nil }
        return String(value.value)
    }
}
