internal import AuthAPI
internal import AuthStore
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

    /// Returns the passkey, as its owner sees it.
    ///
    /// - Parameter current: the credential id with which the owner's session is signed in.
    func view(usedNow current: [UInt8]?) -> PasskeyView {
        PasskeyView(
            id: Base64URL.encode(credentialID), name: label, created: createdAt, lastUsed: lastUsedAt,
            isBackupEligible: isBackupEligible, attestation: attestationFormat,
            isCurrent: credentialID == current)
    }
}
