internal import AuthAPI
internal import AuthStore
internal import Encoding
internal import SQLStore
internal import Time
internal import Tokens
internal import WebAuthn

/// Signs in with a passkey; or, within a session, confirms that its owner is present (step-up).
struct PasskeyAuthentication: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let relyingParty: RelyingParty
    let allowsNewBackupEligibility: Bool
    /// Whether a passkey needs a trusted attestation.
    let requiresAttestation: Bool
    let challenges: CeremonyChallenges
    let admission: RequestAdmission
    let sessions: SessionIssuance
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Returns the options that a page passes to the browser, so that a passkey signs.
    func options(_ request: AuthenticationOptionsRequest, from sender: CeremonySender) async throws -> JSON {
        switch (request.purpose, sender) {
        case (.signIn, .device(let proven)):
            try await admission.admit(proven)
            // The options name no account, so they reveal no account: the authenticator knows it.
            let challenge = try challenges.issue(for: .signIn, deviceKey: sender.deviceKey, account: nil)
            return options(authentication(of: .whoeverAnswers, allowing: [], challenge))
        case (.stepUp, .caller(let caller)):
            let known = try await AccountPasskeys.read(caller.account, sealer: sealer, from: database)
            let challenge = try challenges.issue(for: .stepUp, deviceKey: sender.deviceKey, account: caller.account)
            return options(
                authentication(
                    of: .user(try UserHandle(caller.account.bytes)),
                    allowing: try known.passkeys.map { try $0.record.descriptor }, challenge))
        default: throw Problem(.invalidToken)
        }
    }

    private func options(_ authentication: Authentication) -> JSON {
        ["public_key": authentication.options(timeout: Limits.ceremonyMilliseconds).json]
    }

    private func authentication(
        of subject: Authentication.Subject, allowing passkeys: [CredentialDescriptor], _ challenge: Challenge
    ) -> Authentication {
        Authentication(
            at: relyingParty, challenge: challenge, of: subject, allowing: passkeys, userVerification: .required,
            backupEligibility: allowsNewBackupEligibility
                ? .mayBeginWithUserVerification : .mustStay)
    }

    // MARK: The answer

    private enum Outcome: Sendable {
        case signedIn(RefreshFamily, RefreshToken)
        case steppedUp(RefreshFamily)
        /// The passkey is right, but the operator has locked its account.
        case locked
    }

    /// The passkey's row has changed since it was read: by another sign-in, by a reassessment, or because the passkey
    /// was removed and another has its id. It is thrown, so that nothing is counted or spent before the row is read
    /// again.
    private struct Overtaken: Error {}

    /// Verifies what the authenticator signed, and begins a session; or records in the caller's session that its owner
    /// is present.
    func authenticate(_ request: CredentialRequest, from sender: CeremonySender) async throws -> TokenResponse {
        let now = clock()
        let response = try ceremony { () throws(WebAuthnError) in try AuthenticationResponse(json: request.credential) }
        let challenge = try challenges.read(response.clientData, for: [.signIn, .stepUp], from: sender)
        let account: AccountID?
        switch (challenge.purpose, sender) {
        case (.signIn, .device): account = nil
        case (.stepUp, .caller(let caller)):
            guard challenge.account == caller.account else { throw Problem(.challengeInvalid) }
            account = caller.account
        default: throw Problem(.challengeInvalid)
        }

        for _ in 0..<Limits.overtakings {
            guard let row = try await passkey(response.credentialID) else {
                // The code of a wrong signature: another one would tell strangers which passkeys are registered.
                try await refuse(.passkeyRefused, account: account, sender, reason: "unknown", at: now)
            }
            let verified: VerifiedAuthentication
            do {
                let subject: Authentication.Subject =
                    try account.map { .user(try UserHandle($0.bytes)) } ?? .whoeverAnswers
                verified = try authentication(
                    of: subject, allowing: [], try Challenge(response.clientData.challenge)
                ).verify(response, with: try row.record)
            } catch let error as WebAuthnError {
                try await refuse(
                    error.problem.code, account: row.account, sender, reason: error.refusal, at: now)
            }
            // A copy of the passkey exists, or existed: the sign-in is refused until its owner has checked (WebAuthn
            // section 6.1.1 leaves the decision to the relying party).
            if case .didNotIncrease = verified.signCount {
                try await refuse(
                    .passkeyRefused, account: row.account, sender, event: .signCountFell, reason: nil,
                    challenge: (challenge, response.clientData.challenge), at: now)
            }
            // Where attestations are required, a passkey that has lost its trust can no longer sign in. Its owner has
            // other passkeys or a recovery code; and the operator restores the trust with the anchor, by a
            // reassessment.
            if requiresAttestation, row.trustLostAt != nil {
                try await refuse(
                    .attestationRefused, account: row.account, sender, reason: "trust_lost",
                    challenge: (challenge, response.clientData.challenge), at: now)
            }
            let outcome: Outcome
            do {
                outcome = try await complete(
                    verified, row, challenge, response.clientData.challenge, request, sender, at: now)
            } catch is Overtaken {
                continue
            }
            switch outcome {
            case .signedIn(let family, let token):
                events.tell(.signedIn, account: family.account)
                return sessions.answer(for: family, refreshToken: token, at: now)
            case .steppedUp(let family):
                events.tell(.steppedUp, account: family.account)
                return sessions.answer(for: family, refreshToken: nil, at: now)
            case .locked:
                events.tell(.signInRefused, account: row.account)
                throw Problem(.accountLocked)
            }
        }
        throw Problem(.unavailable)
    }

    private func passkey(_ id: CredentialID) async throws -> PasskeyRow? {
        try await database.read { try Passkeys.find(id.bytes, sealer: sealer, in: $0) }
    }

    /// Writes all changes of a right answer, or none of them.
    private func complete(
        _ verified: VerifiedAuthentication, _ row: PasskeyRow, _ challenge: CeremonyChallenge,
        _ challengeBytes: [UInt8],
        _ request: CredentialRequest, _ sender: CeremonySender, at now: Timestamp
    ) async throws -> Outcome {
        let authentication = AuthenticationContext(
            row.ceremony(
                isUserVerified: verified.isUserVerified, isBackupEligible: verified.record.isBackupEligible),
            at: now)
        return try await database.decide { transaction in
            var isLocked = false
            switch sender {
            case .device(let proven):
                // The answer is counted even if its challenge turns out to be used: a repeated answer is not free.
                if let problem = try admission.admit(
                    proven, also: [.account(row.account)], at: now, in: transaction)
                {
                    return .failure(problem)
                }
                // A concurrent order to end the account's sessions or revoke this device either commits before, or
                // finds the session.
                isLocked = try Accounts.holdForSignIn(row.account, in: transaction) == .locked
            case .caller(let caller):
                guard try caller.hold(at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
                if let problem = try admission.limits.take([.account(row.account)], at: now, in: transaction) {
                    return .failure(problem)
                }
            }
            guard try challenge.spend(challengeBytes, in: transaction) else {
                return .failure(Problem(.challengeUsed))
            }
            if isLocked {
                try events.note(
                    .signInRefused, account: row.account,
                    EventDetails(sender.address, reason: ProblemCode.accountLocked.rawValue), at: now, in: transaction)
                return .success(.locked)
            }
            guard
                try Passkeys.noteUse(
                    of: row, signCount: verified.record.signCount,
                    isBackupEligible: verified.record.isBackupEligible, isBackedUp: verified.record.isBackedUp,
                    isUserVerificationInitialized: verified.record.isUserVerificationInitialized, at: now,
                    in: transaction)
            else { throw Overtaken() }
            if verified.becameBackupEligible {
                // Other sessions of this passkey may claim that its key never leaves hardware.
                var copied = row
                copied.isBackupEligible = true
                try copied.judgeSessions(in: transaction)
                try events.note(
                    .backupEligibilityRaised, account: row.account, EventDetails(sender.address), at: now,
                    in: transaction)
            }
            switch sender {
            case .device(let proven):
                let (family, token) = try sessions.begin(
                    authentication, with: row.credentialID, of: row.account, deviceName: request.deviceName, proven,
                    at: now, in: transaction)
                try events.note(
                    .signedIn, account: row.account,
                    EventDetails(sender.address, device: family.device, session: family.id), at: now, in: transaction)
                return .success(.signedIn(family, token))
            case .caller(let caller):
                guard
                    try Sessions.noteAuthentication(
                        caller.session, at: now, acr: authentication.acr, amr: authentication.amr,
                        credential: row.credentialID, in: transaction),
                    let family = try Sessions.find(caller.session, in: transaction)?.family
                else { throw Problem(.invalidToken) }
                try events.note(
                    .steppedUp, account: row.account,
                    EventDetails(sender.address, device: family.device, session: family.id), at: now, in: transaction)
                return .success(.steppedUp(family))
            }
        }
    }

    /// Records and counts a refused sign-in: for the address, and for the account if there is one.
    ///
    /// - Parameter challenge: the challenge, which the refusal uses up. If it was used before, the same answer arrived
    ///   twice, and nothing more is done.
    private func refuse(
        _ code: ProblemCode, account: AccountID?, _ sender: CeremonySender, event: SecurityEvent = .signInRefused,
        reason: String?, challenge: (CeremonyChallenge, [UInt8])? = nil, at now: Timestamp
    ) async throws -> Never {
        try await database.decide { transaction -> Result<Void, Problem> in
            let refused = account.map { [Limited.refused($0)] } ?? []
            let problem =
                switch sender {
                case .device(let proven): try admission.admit(proven, also: refused, at: now, in: transaction)
                case .caller: try admission.limits.take(refused, at: now, in: transaction)
                }
            if let problem { return .failure(problem) }
            if let challenge, try !challenge.0.spend(challenge.1, in: transaction) {
                return .failure(Problem(.challengeUsed))
            }
            // Without an account nothing is stored: otherwise an attacker could fill the disk.
            if let account {
                try events.note(
                    event, account: account, EventDetails(sender.address, reason: reason), at: now, in: transaction)
            }
            return .success(())
        }
        events.tell(event, account: account, reason: reason)
        throw Problem(code)
    }
}
