internal import AuthAPI
internal import Encoding
internal import SQLStore
internal import Secrets
internal import Tokens
internal import WebAuthn

/// Registers a passkey: for a new account, for the account of the caller, or for an account that is recovered.
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

    /// Returns what a page is to pass to the browser, so that it makes a passkey.
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

    /// Verifies what the authenticator made, and keeps it: for a new account, for the one that is signed in, or for one that
    /// is recovered.
    func register(_ request: CredentialRequest, from sender: CeremonySender) async throws -> RegistrationAnswer {
        let now = clock()
        let response = try ceremony { () throws(WebAuthnError) in try RegistrationResponse(json: request.credential) }
        let challenge = try challenges.read(
            response.clientData, for: [.signUp, .addPasskey, .recovery], from: sender)
        guard let account = challenge.account else { throw Problem(.challengeInvalid) }
        try check(sender, may: challenge.purpose, of: account, at: now)
        if challenge.purpose == .signUp, request.accountName == nil { throw Problem(.malformedRequest) }
        // Counted, and the proof spent, before the passkey is verified: a request that is sent again and again is not free.
        if case .device(let proven) = sender { try await admission.admit(proven) }

        let verified = try webAuthn.verify(response, of: account, at: now)
        // It was asked for: a passkey that has to be named cannot sign in where nobody is.
        guard verified.isDiscoverable != false else { throw Problem(.passkeyRefused) }
        let passkey = PasskeyRow(
            verified.uncheckedRecord, of: account, attestation: verified,
            label: request.passkeyName ?? "Passkey", at: now)
        // Made before the transaction, which may run twice.
        let codes = challenge.purpose == .signUp ? try await recoveryCodes.generate(for: account, at: now) : nil
        let authentication = AuthenticationContext(
            passkey.ceremony(isUserVerified: verified.isUserVerified, isBackupEligible: passkey.isBackupEligible),
            at: now)
        let challengeBytes = response.clientData.challenge

        let registered: Registered = try await database.decide { transaction in
            if case .caller(let caller) = sender, try !caller.hold(at: now, in: transaction) {
                return .failure(Problem(.invalidToken))
            }
            // The challenge is not spent by it: the passkey is made, and the same answer may come again when there is room.
            if codes != nil,
                let problem = try signUp.take(request.invitation, from: sender.address, at: now, in: transaction)
            {
                return .failure(problem)
            }
            guard try challenge.spend(challengeBytes, in: transaction) else {
                throw Problem(.challengeUsed)
            }
            // From here on a problem is thrown: nothing of a registration stays that did not succeed.
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
            passkey: passkey.view,
            tokens: registered.session.map { sessions.answer(for: $0.0, refreshToken: $0.1, at: now) },
            recoveryCodes: codes?.map(\.text))
    }

    /// How many passkeys there may be before. Whoever has a recovery code gets in, though there are as many as there may be:
    /// they may all be lost.
    private func room(for purpose: CeremonyPurpose) -> Int {
        AuthLimits.passkeys + (purpose == .recovery ? Limits.recoveryCodes : 0)
    }

    /// A new account and a recovered one begin a session; a passkey is added by whoever has one, and has used a passkey lately.
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
