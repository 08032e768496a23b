internal import SwiftASN1
internal import X509

/// The statement of Android's key store (Level 3, section 8.4).
enum AndroidKeyStatement {
    static func verify(
        _ statement: AttestationStatement, by rules: AttestationRules
    ) throws(WebAuthnError) -> Attestation {
        let algorithm = try statement.algorithm()
        let signature = try statement.bytes("sig")
        let certificates = try statement.certificates()
        try statement.requireOnly(fields: 3)
        let key = try certificates.first.attestationKey()
        try statement.verify(signature, over: statement.signedBytes, by: key, algorithm: algorithm)
        guard key == statement.credential.publicKey else { throw .attestation(.wrongKey) }
        let description = try AndroidKeyDescription(in: certificates.first)
        guard description.challenge == statement.clientDataHash else { throw .attestation(.wrongNonce) }
        // "The AuthorizationList.allApplications field is not present on either authorization list"
        guard !description.softwareEnforced.allApplications, !description.hardwareEnforced.allApplications else {
            throw .attestation(.androidKey(.allApplications))
        }
        try check(description, by: rules.androidKeys)
        // A key store describes one key. With two descriptions, an app's genuine key could have signed the first
        // certificate, with whatever contents the app chose.
        for certificate in certificates.all.dropFirst() {
            guard certificate.extensions[oid: AndroidKeyDescription.identifier] == nil else {
                throw .attestation(.androidKey(.signedByApp))
            }
        }
        return Attestation(
            format: .androidKey, kind: .certified(certificates.all), aaguid: statement.credential.aaguid,
            stated: .android(description))
    }

    /// "use only the teeEnforced authorization list if the RP wants to accept only keys from a trusted execution
    /// environment, otherwise use the union"
    private static func check(
        _ description: AndroidKeyDescription, by rule: AttestationRules.AndroidKeys
    ) throws(WebAuthnError) {
        let lists: [AndroidKeyDescription.Authorizations]
        switch rule {
        case .inHardware:
            guard description.attestationSecurityLevel != .software, description.keySecurityLevel != .software else {
                throw .attestation(.androidKey(.software))
            }
            lists = [description.hardwareEnforced]
        case .anywhere, .unstated: lists = [description.hardwareEnforced, description.softwareEnforced]
        }
        let origins = Set(lists.compactMap(\.origin))
        guard origins == [AndroidKeyDescription.generated] || (origins.isEmpty && rule == .unstated) else {
            throw .attestation(.androidKey(.origin))
        }
        let purposes = lists.compactMap(\.purposes).reduce(into: Set<Int>()) { $0.formUnion($1) }
        guard purposes == [AndroidKeyDescription.sign] || (purposes.isEmpty && rule == .unstated) else {
            throw .attestation(.androidKey(.purpose))
        }
    }
}

extension AndroidKeyDescription {
    /// Reads the description in a certificate. - Throws: ``AttestationFlaw/certificate(_:)``.
    init(in certificate: Certificate) throws(WebAuthnError) {
        guard let item = certificate.extensions[oid: Self.identifier] else {
            throw .attestation(.certificate(.missingExtension))
        }
        do {
            try self.init(derEncoded: item.value)
        } catch { throw .attestation(.certificate(.malformedExtension)) }
    }
}
