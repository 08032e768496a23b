internal import AuthAPI
internal import AuthStore
internal import Time
internal import WebAuthn

extension PasskeyRow {
    /// Creates the row of a registered passkey.
    init(
        _ record: CredentialRecord, of account: AccountID, attestation verified: VerifiedRegistration,
        label: String, at now: Timestamp
    ) {
        let format = verified.attestation.format
        self.init(
            credentialID: record.id.bytes, account: account,
            publicKey: record.publicKey.encoded, algorithm: record.publicKey.algorithm.rawValue,
            signCount: record.signCount, isBackupEligible: record.isBackupEligible, isBackedUp: record.isBackedUp,
            isUserVerificationInitialized: record.isUserVerificationInitialized,
            transports: record.transports.map(\.name).joined(separator: " "), aaguid: record.aaguid.bytes,
            attestationFormat: format.rawValue, attestationTrust: StoredTrust(verified.trust.level).rawValue,
            attestation: format == .none ? nil : verified.attestationObject, label: label, createdAt: now,
            keyProtection: verified.keyProtection.place.rawValue,
            keyEvidence: verified.keyProtection.evidence.rawValue)
    }
}
