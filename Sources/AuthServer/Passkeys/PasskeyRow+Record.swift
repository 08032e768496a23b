internal import AuthAPI
internal import Encoding
internal import SQLStore
internal import WebAuthn

extension PasskeyRow {
    /// The credential record in WebAuthn's form.
    var record: CredentialRecord {
        get throws {
            guard let aaguid = AAGUID(bytes: aaguid) else { throw StoreError.unexpectedColumn(0) }
            return CredentialRecord(
                id: try CredentialID(credentialID), user: try UserHandle(account.bytes),
                publicKey: try COSEKey(decoding: publicKey), signCount: signCount,
                isUserVerificationInitialized: isUserVerificationInitialized,
                transports: transports.split(separator: " ").compactMap { Transport(String($0)) },
                isBackupEligible: isBackupEligible, isBackedUp: isBackedUp, aaguid: aaguid)
        }
    }

    var view: PasskeyView {
        PasskeyView(
            id: Base64URL.encode(credentialID), name: label, created: createdAt, lastUsed: lastUsedAt,
            isBackupEligible: isBackupEligible, attestation: attestationFormat)
    }
}
