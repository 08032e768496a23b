internal import AuthAPI
internal import AuthStore
internal import Encoding
internal import SQLStore
internal import Secrets
internal import Time
internal import Tokens
internal import WebAuthn

/// Registers a passkey: for a new account, for the caller's account, or for a recovered account.
struct PasskeyRegistration: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let webAuthn: RegistrationCeremony
    let challenges: CeremonyChallenges
    let admission: RequestAdmission
    let stepUp: StepUp
    let signUp: SignUpAdmission
    let recovery: AccountRecovery
    let recoveryCodes: RecoveryCodeGeneration
    let sessions: SessionIssuance
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// Returns the options that a page passes to the browser to make a passkey.
    func options(_ request: RegistrationOptionsRequest, from sender: CeremonySender) async throws -> JSON {
        switch (request.purpose, sender) {
        case (.signUp, .device(let proven)):
            try await admission.admit(proven)
            try await signUp.require(request.invitation, from: proven.address)
            let account = try AccountID(from: random)
            let challenge = try challenges.issue(for: .signUp, deviceKey: sender.deviceKey, account: account)
            return try webAuthn.options(
                for: account, name: request.accountName ?? "", challenge: challenge, excluding: [])
        case (.addPasskey, .caller(let caller)):
            try stepUp.require(caller, at: clock())
            let known = try await AccountPasskeys.read(caller.account, sealer: sealer, from: database)
            let account = known.account
            guard known.passkeys.count < AuthLimits.passkeys else { throw Problem(.limitReached) }
            let challenge = try challenges.issue(for: .addPasskey, deviceKey: sender.deviceKey, account: account.id)
            return try webAuthn.options(
                for: account.id, name: account.name, challenge: challenge, excluding: known.passkeys)
        default: throw Problem(.invalidToken)
        }
    }

    // MARK: The answer

    private struct Registered: Sendable {
        let passkey: PasskeyRow
        let session: (RefreshFamily, RefreshToken)?
        let events: [SecurityEvent]
    }

    /// Verifies the authenticator's answer, and stores the passkey: for a new account, for the signed-in account, or
    /// for a recovered account.
    func register(_ request: CredentialRequest, from sender: CeremonySender) async throws -> RegistrationAnswer {
        let now = clock()
        let response = try ceremony { () throws(WebAuthnError) in try RegistrationResponse(json: request.credential) }
        let challenge = try challenges.read(
            response.clientData, for: [.signUp, .addPasskey, .recovery], from: sender)
        guard let account = challenge.account else { throw Problem(.challengeInvalid) }
        try check(sender, may: challenge.purpose, of: account, at: now)
        if challenge.purpose == .signUp, request.accountName == nil { throw Problem(.malformedRequest) }
        // The request is counted, and its proof spent, before the passkey is verified: a repeated request is not free.
        if case .device(let proven) = sender { try await admission.admit(proven) }

        let verified: VerifiedRegistration
        do throws(WebAuthnError) { verified = try webAuthn.verify(response, of: account, at: now) } catch {
            events.tellUnregistered(challenge.purpose, account: account, reason: error.refusal)
            throw error.problem
        }
        // The options required it: sign-in names no account, so a passkey that is not discoverable cannot sign in.
        guard verified.isDiscoverable != false else {
            events.tellUnregistered(challenge.purpose, account: account, reason: "not_discoverable")
            throw Problem(.passkeyRefused)
        }
        let passkey = PasskeyRow(
            verified.uncheckedRecord, of: account, attestation: verified,
            label: request.passkeyName ?? "Passkey", at: now)
        // The codes are generated before the transaction, which may run twice.
        let codes = challenge.purpose == .signUp ? try await recoveryCodes.generate(for: account, at: now) : nil
        let authentication = AuthenticationContext(
            passkey.ceremony(isUserVerified: verified.isUserVerified, isBackupEligible: passkey.isBackupEligible),
            at: now)
        let challengeBytes = response.clientData.challenge

        let registered: Registered = try await database.decide { transaction in
            if case .caller(let caller) = sender {
                guard try caller.hold(at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
                // As below, the challenge stays unspent.
                if let problem = try admission.limits.take([.change(account)], at: now, in: transaction) {
                    return .failure(problem)
                }
            }
            // A refusal here leaves the challenge unspent: the passkey exists, and the same answer may be sent again
            // when the limit allows it.
            if codes != nil,
                let problem = try signUp.take(request.invitation, from: sender.address, at: now, in: transaction)
            {
                return .failure(problem)
            }
            guard try challenge.spend(challengeBytes, in: transaction) else {
                throw Problem(.challengeUsed)
            }
            // From this line on problems are thrown: a failed registration leaves no rows.
            var happened: [SecurityEvent] = []
            if let codes {
                try Accounts.add(
                    AccountRow(id: account, name: request.accountName ?? "", createdAt: now), sealer: sealer,
                    in: transaction)
                try RecoveryCodes.replaceAll(of: account, with: codes.map(\.row), in: transaction)
                happened.append(.accountCreated)
            } else if try Passkeys.count(of: account, in: transaction) >= room(for: challenge.purpose) {
                throw Problem(.limitReached)
            }
            if let selector = challenge.recoverySelector {
                try recovery.use(selector, of: account, at: now, in: transaction)
                happened.append(.accountRecovered)
            }
            guard try Passkeys.add(passkey, sealer: sealer, in: transaction) else { throw Problem(.passkeyExists) }
            happened.append(.passkeyAdded)
            var session: (RefreshFamily, RefreshToken)?
            if case .device(let proven) = sender {
                session = try sessions.begin(
                    authentication, with: passkey.credentialID, of: account, deviceName: request.deviceName, proven,
                    at: now, in: transaction)
            }
            let details = EventDetails(
                sender.address, device: session?.0.device, session: session?.0.id, reason: passkey.attestationFormat)
            for event in happened { try events.note(event, account: account, details, at: now, in: transaction) }
            return .success(Registered(passkey: passkey, session: session, events: happened))
        }
        for event in registered.events { events.tell(event, account: account) }
        return RegistrationAnswer(
            passkey: passkey.view(usedNow: registered.session == nil ? nil : passkey.credentialID),
            tokens: registered.session.map { sessions.answer(for: $0.0, refreshToken: $0.1, at: now) },
            recoveryCodes: codes?.map(\.text))
    }

    /// Returns the highest number of passkeys that the account may have before. With a recovery code another passkey is
    /// accepted even beyond the usual limit: all the others may be lost.
    private func room(for purpose: CeremonyPurpose) -> Int {
        AuthLimits.passkeys + (purpose == .recovery ? Limits.recoveryCodes : 0)
    }

    /// Checks who registers: sign-up and recovery begin a session; an additional passkey needs a caller who used a
    /// passkey lately.
    private func check(
        _ sender: CeremonySender, may purpose: CeremonyPurpose, of account: AccountID, at now: Timestamp
    ) throws(Problem) {
        switch (purpose, sender) {
        case (.signUp, .device), (.recovery, .device): return
        case (.addPasskey, .caller(let caller)):
            guard caller.account == account else { throw Problem(.challengeInvalid) }
            try stepUp.require(caller, at: now)
        default: throw Problem(.challengeInvalid)
        }
    }
}
