/// One authentication: its terms, and the verification of the response (Level 3, section 7.2).
///
/// ```swift
/// let authentication = Authentication(
///     at: relyingParty, challenge: challenge, of: .whoeverAnswers, allowing: [], userVerification: .required,
///     backupEligibility: .mustStay)
/// let response = try AuthenticationResponse(decoding: body)
/// guard let record = store.credential(response.credentialID) else { … }
/// let verified = try authentication.verify(response, with: record)
/// store.update(verified.record)
/// ```
public struct Authentication: Sendable {
    /// The relying party that the user signs in to.
    public let relyingParty: RelyingParty
    /// The challenge of this ceremony.
    public let challenge: Challenge
    /// The user to be authenticated.
    public let subject: Subject
    /// The credentials that may answer; empty for any.
    public let allowed: [CredentialDescriptor]
    /// Whether the authenticator must verify the user.
    public let userVerification: UserVerification
    /// The meaning of a change of backup eligibility.
    public let backupEligibility: BackupEligibilityRule

    /// The user to be authenticated.
    public enum Subject: Equatable, Sendable {
        /// One user, who is already known, for example by a session.
        case user(UserHandle)
        /// Any user. The authenticator must name the user.
        case whoeverAnswers
    }

    /// The meaning of a change of backup eligibility. By the specification it never changes; but some credentials were
    /// registered before their provider synchronised any, and some records come from software that did not store it.
    public enum BackupEligibilityRule: Equatable, Sendable {
        /// Every change is refused.
        case mustStay
        /// A credential may become eligible, if its user was verified; the result reports it. It never becomes
        /// ineligible again.
        case mayBeginWithUserVerification
    }

    /// Creates an authentication.
    public init(
        at relyingParty: RelyingParty, challenge: Challenge, of subject: Subject,
        allowing allowed: [CredentialDescriptor],
        userVerification: UserVerification, backupEligibility: BackupEligibilityRule
    ) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.subject = subject
        self.allowed = allowed
        self.userVerification = userVerification
        self.backupEligibility = backupEligibility
    }

    /// Returns the options for the browser (step 1). `timeout` is in milliseconds; nil leaves it to the client.
    public func options(hints: [AuthenticatorHint] = [], timeout: UInt32? = nil) -> RequestOptions {
        RequestOptions(
            relyingPartyID: relyingParty.id, challenge: challenge.bytes, timeout: timeout, allowed: allowed,
            userVerification: userVerification, hints: hints)
    }

    /// Verifies a response. The numbers are the steps of section 7.2; steps 1 to 4 and 7 to 9 are done once there is a
    /// response.
    ///
    /// - Parameter record: the stored record of the credential with the response's identifier.
    /// - Throws: ``WebAuthnError`` for an error in the response, or if it does not match the record.
    public func verify(
        _ response: AuthenticationResponse, with record: CredentialRecord
    ) throws(WebAuthnError) -> VerifiedAuthentication {
        let data = response.authenticatorData
        let isUserVerified = data.flags.contains(.userVerified)
        // 5: one of the allowed credentials.
        guard allowed.isEmpty || allowed.contains(where: { $0.id == response.credentialID }) else {
            throw .credentialNotAllowed
        }
        // 6: the record is this credential's, and this user's.
        guard record.id == response.credentialID else { throw .wrongCredential }
        try checkOwner(response, record)
        // 10 to 14.
        try relyingParty.check(response.clientData, is: .get, answering: challenge)
        // 15: the relying party.
        guard data.relyingPartyIDHash == relyingParty.id.hash else { throw .wrongRelyingParty }
        // 16: a user was present.
        guard data.flags.contains(.userPresent) else { throw .userNotPresent }
        // 17: the user was verified, if that is required.
        guard isUserVerified || userVerification != .required else { throw .userNotVerified }
        // 18: the backup flags are consistent, which `AuthenticatorData` checks.
        // 19: backup eligibility is unchanged.
        let isEligible = data.flags.contains(.backupEligible)
        let becameEligible = isEligible && !record.isBackupEligible
        guard
            isEligible == record.isBackupEligible
                || becameEligible && isUserVerified && backupEligibility == .mayBeginWithUserVerification
        else { throw .backupEligibilityChanged }
        // 20, 21: the signature over the authenticator data and the hash of the client data.
        try record.publicKey.verify(signature: response.signature, over: data.bytes, response.clientData.hash)
        // 22: the counter.
        let signCount = SignCount(stored: record.signCount, received: data.signCount)
        // 23: no extension was requested.
        // 24: after all other checks, the new state. The counter never decreases: a copy that lags behind would lower
        // it, and would not be noticed the next time.
        var updated = record
        updated.signCount = max(record.signCount, data.signCount)
        updated.isBackedUp = data.flags.contains(.backedUp)
        updated.isBackupEligible = isEligible
        return VerifiedAuthentication(
            record: updated, isUserVerified: isUserVerified, signCount: signCount,
            becameBackupEligible: becameEligible)
    }

    /// Checks step 6: the record, not the response alone, says to which user a credential belongs.
    private func checkOwner(
        _ response: AuthenticationResponse, _ record: CredentialRecord
    ) throws(WebAuthnError) {
        switch subject {
        case .user(let user):
            guard record.user == user else { throw .wrongUser }
            if let handle = response.userHandle, handle != user { throw .wrongUser }
        case .whoeverAnswers:
            guard let handle = response.userHandle else { throw .missingUserHandle }
            guard handle == record.user else { throw .wrongUser }
        }
    }
}
