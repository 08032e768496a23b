internal import AuthAPI
internal import Encoding
internal import SQLStore
internal import Tokens
internal import WebAuthn

extension Backend {
    /// What a page is to pass to the browser, so that it makes a passkey.
    func registrationOptions(
        _ request: RegistrationOptionsRequest, from sender: CeremonySender
    ) async throws -> JSON {
        switch (request.purpose, sender) {
        case (.signUp, .device(let proven)):
            try await admit(proven)
            try await requireSignUp(request.invitation, from: proven.address)
            let account = try newIdentifier(AccountID.self)
            let challenge = try challenge(for: .signUp, deviceKey: sender.deviceKey, account: account)
            return try options(for: account, name: request.accountName ?? "", challenge: challenge, excluding: [])
        case (.addPasskey, .caller(let caller)):
            try requireFreshness(of: caller.token, at: clock())
            let (account, passkeys) = try await accountAndPasskeys(of: caller.account)
            guard passkeys.count < AuthLimits.passkeys else { throw Problem(.limitReached) }
            let challenge = try challenge(for: .addPasskey, deviceKey: sender.deviceKey, account: account.id)
            return try options(for: account.id, name: account.name, challenge: challenge, excluding: passkeys)
        default: throw Problem(.invalidToken)
        }
    }

    /// With a recovery code: for the account that the code belongs to.
    func recoveryOptions(_ code: RecoveryCode, from request: ProvenRequest) async throws -> JSON {
        let account = try await account(of: code, request)
        let (row, passkeys) = try await accountAndPasskeys(of: account)
        try await requireOpen(row, request)
        let challenge = try challenge(
            for: .recovery, deviceKey: request.deviceKey, account: account, recoverySelector: code.selector)
        return try options(for: account, name: row.name, challenge: challenge, excluding: passkeys)
    }

    func accountAndPasskeys(of id: AccountID) async throws -> (AccountRow, [PasskeyRow]) {
        try await database.read { transaction in
            guard let account = try Accounts.find(id, sealer: sealer, in: transaction) else {
                throw Problem(.invalidToken)
            }
            return (account, try Passkeys.all(of: id, sealer: sealer, in: transaction))
        }
    }

    private func options(
        for account: AccountID, name: String, challenge: Challenge, excluding passkeys: [PasskeyRow]
    ) throws -> JSON {
        let options = registration(of: try user(account, name: name), challenge: challenge).options(
            excluding: try passkeys.map { try $0.record.descriptor }, residentKey: .required,
            // Asked for where something comes of it: browsers may ask the person before they tell the model.
            attestation: configuration.attestation.isOfUse ? .direct : .none,
            timeout: Limits.ceremonyMilliseconds)
        return ["public_key": options.json]
    }

    private func registration(of user: User, challenge: Challenge) -> Registration {
        Registration(
            at: relyingParty, of: user, challenge: challenge, algorithms: Self.algorithms, userVerification: .required,
            mediation: .modal, attestation: attestationPolicy)
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
        let challenge = try challenge(
            of: response.clientData, for: [.signUp, .addPasskey, .recovery], from: sender)
        guard let account = challenge.account else { throw Problem(.challengeInvalid) }
        try check(sender, may: challenge.purpose, of: account, at: now)
        if challenge.purpose == .signUp, request.accountName == nil { throw Problem(.malformedRequest) }
        // Counted, and the proof spent, before the passkey is verified: a request that is sent again and again is not free.
        if case .device(let proven) = sender { try await admit(proven) }

        let verified = try ceremony { () throws(WebAuthnError) in
            try registration(
                of: try User(handle: try UserHandle(account.bytes), name: "", displayName: ""),
                challenge: try Challenge(response.clientData.challenge)
            ).verify(response, at: now.milliseconds)
        }
        // It was asked for: a passkey that has to be named cannot sign in where nobody is.
        guard verified.isDiscoverable != false else { throw Problem(.passkeyRefused) }
        let passkey = PasskeyRow(
            verified.uncheckedRecord, of: account, attestation: verified,
            label: request.passkeyName ?? "Passkey", at: now)
        // Made before the transaction, which may run twice.
        let codes = challenge.purpose == .signUp ? try await newRecoveryCodes(at: now, of: account) : nil
        let authentication = AuthenticationContext(
            passkey.ceremony(isUserVerified: verified.isUserVerified, isBackupEligible: passkey.isBackupEligible),
            at: now)
        let challengeBytes = response.clientData.challenge

        let registered: Registered = try await database.decide { transaction in
            if case .caller(let caller) = sender, try !hold(caller, at: now, in: transaction) {
                return .failure(Problem(.invalidToken))
            }
            // The challenge is not spent by it: the passkey is made, and the same answer may come again when there is room.
            if codes != nil,
                let problem = try takeSignUp(request.invitation, from: sender.address, at: now, in: transaction)
            {
                return .failure(problem)
            }
            guard try spend(challenge, challengeBytes, in: transaction) else {
                throw Problem(.challengeUsed)
            }
            // From here on a problem is thrown: nothing of a registration stays that did not succeed.
            var events: [SecurityEvent] = []
            if let codes {
                try Accounts.add(
                    AccountRow(id: account, name: request.accountName ?? "", createdAt: now), sealer: sealer,
                    in: transaction)
                try RecoveryCodes.replaceAll(of: account, with: codes.map(\.row), in: transaction)
                events.append(.accountCreated)
            } else if try Passkeys.count(of: account, in: transaction) >= room(for: challenge.purpose) {
                throw Problem(.limitReached)
            }
            if let selector = challenge.recoverySelector {
                try recover(account, with: selector, at: now, in: transaction)
                events.append(.accountRecovered)
            }
            guard try Passkeys.add(passkey, sealer: sealer, in: transaction) else { throw Problem(.passkeyExists) }
            events.append(.passkeyAdded)
            var session: (RefreshFamily, RefreshToken)?
            if case .device(let proven) = sender {
                session = try begin(
                    authentication, with: passkey.credentialID, of: account, deviceName: request.deviceName, proven,
                    at: now, in: transaction)
            }
            let details = EventDetails(
                sender.address, device: session?.0.device, session: session?.0.id, reason: passkey.attestationFormat)
            for event in events { try note(event, account: account, details, at: now, in: transaction) }
            return .success(Registered(passkey: passkey, session: session, events: events))
        }
        for event in registered.events { tell(event, account: account) }
        return RegistrationAnswer(
            passkey: passkey.view,
            tokens: registered.session.map { answer(for: $0.0, refreshToken: $0.1, at: now) },
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
            try requireFreshness(of: caller.token, at: now)
        default: throw Problem(.challengeInvalid)
        }
    }
}
