/// One authentication: what is asked for, and the verification of the answer (Level 3, section 7.2).
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
    /// What a change of backup eligibility means.
    public let backupEligibility: BackupEligibilityRule

    /// Who is to be authenticated.
    public enum Subject: Equatable, Sendable {
        /// One user, who is known already: by a session, say.
        case user(UserHandle)
        /// Whoever answers. The authenticator has to say who that is.
        case whoeverAnswers
    }

    /// What a change of backup eligibility means. By the specification it never changes; yet there are credentials that
    /// were registered before their provider synchronised any, and records that were carried over from software that did
    /// not keep it.
    public enum BackupEligibilityRule: Equatable, Sendable {
        /// Every change is refused.
        case mustStay
        /// A credential may become eligible, if its user was verified; the result says so. Never the other way round.
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

    /// What the page passes to the browser (step 1). `timeout` in milliseconds; nil leaves it to the client.
    public func options(hints: [AuthenticatorHint] = [], timeout: UInt32? = nil) -> RequestOptions {
        RequestOptions(
            relyingPartyID: relyingParty.id, challenge: challenge.bytes, timeout: timeout, allowed: allowed,
            userVerification: userVerification, hints: hints)
    }

    /// Verifies an answer. The numbers are the steps of section 7.2; 1 to 4 and 7 to 9 lie behind once there is a response.
    ///
    /// - Parameter record: of the credential with the response's identifier, as the store has it.
    /// - Throws: ``WebAuthnError``: what is wrong with the answer, or that it does not go with the record.
    public func verify(
        _ response: AuthenticationResponse, with record: CredentialRecord
    ) throws(WebAuthnError) -> VerifiedAuthentication {
        let data = response.authenticatorData
        let isUserVerified = data.flags.contains(.userVerified)
        // 5: one of those that were asked for.
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
        // 16: somebody was there.
        guard data.flags.contains(.userPresent) else { throw .userNotPresent }
        // 17: the user was verified, if that is required.
        guard isUserVerified || userVerification != .required else { throw .userNotVerified }
        // 18: the flags of backup agree. `AuthenticatorData` has seen to it.
        // 19: backup eligibility is what it was.
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
        // 23: no extension is asked for.
        // 24: now that all else is right, the new state. The counter never goes down: a copy that lags behind would lower
        // it, and not be told the next time.
        var updated = record
        updated.signCount = max(record.signCount, data.signCount)
        updated.isBackedUp = data.flags.contains(.backedUp)
        updated.isBackupEligible = isEligible
        return VerifiedAuthentication(
            record: updated, isUserVerified: isUserVerified, signCount: signCount,
            becameBackupEligible: becameEligible)
    }

    /// Step 6. That a credential belongs to the right user is asked of the record, and not of the answer alone.
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
