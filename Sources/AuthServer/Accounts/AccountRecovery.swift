internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import SQLStore
internal import Secrets
internal import Time
internal import Tokens

/// Recovers an account with a recovery code: the owner registers a new passkey, and every session ends.
struct AccountRecovery: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let webAuthn: RegistrationCeremony
    let challenges: CeremonyChallenges
    let admission: RequestAdmission
    let limits: ServerConfiguration.LimitSettings
    let hashing: RecoveryHashing
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// Returns the options that a page passes to the browser to make a passkey for the account of a recovery code.
    ///
    /// - Parameter typed: the code as a person typed it.
    func options(_ typed: String, from request: ProvenRequest) async throws -> JSON {
        // A text that is not a recovery code is refused without hashing: this reveals nothing about any account.
        guard let code = RecoveryCode(typed) else {
            try await admission.admit(request)
            throw Problem(.recoveryRefused)
        }
        let account = try await account(of: code, request)
        let known = try await AccountPasskeys.read(account, sealer: sealer, from: database)
        try await requireOpen(known.account, request)
        let challenge = try challenges.issue(
            for: .recovery, deviceKey: request.deviceKey, account: account, recoverySelector: code.selector)
        return try webAuthn.options(
            for: account, name: known.account.name, challenge: challenge, excluding: known.passkeys)
    }

    /// Returns the account of a code. An unknown code takes as long as a wrong or a used code, and is refused in the
    /// same words.
    ///
    /// The limits of recoveries count refused codes. A right code is accepted however many codes others have tried: an
    /// attacker who tries codes cannot lock out the account's owner, neither at the owner's address nor at all
    /// addresses. Codes of the old form are counted before they are hashed, because the limits have to bound the
    /// hashing.
    private func account(of code: RecoveryCode, _ request: ProvenRequest) async throws -> AccountID {
        let now = clock()
        let refused: [Limited] = [
            .recoveryFrom(request.address), .recoveryOf(selector: code.selector), .allRecoveries,
        ]
        try await admission.admit(request, also: code.isCostly ? refused : [])
        let row = try await database.read { try RecoveryCodes.find(code.selector, in: $0) }
        // An unknown selector is hashed too: otherwise the time of the answer would reveal which selectors exist.
        let salt = row?.salt ?? [UInt8](repeating: 0, count: RecoveryCodeRow.saltSize)
        let hash = try await code.hash(salt: salt, old: hashing)
        guard constantTimeEquals(hash, row?.hash ?? [UInt8](repeating: 0, count: 32)), let row, row.usedAt == nil else {
            try await refuse(of: row?.account, request, counting: code.isCostly ? [] : refused, at: now)
        }
        return row.account
    }

    /// Refuses the recovery of a locked account. The code was right, so the answer may tell the owner the reason.
    private func requireOpen(_ account: AccountRow, _ request: ProvenRequest) async throws {
        guard account.lockedAt != nil else { return }
        let now = clock()
        try await database.decide { transaction -> Result<Void, Problem> in
            if let problem = try limits.take([.refused(account.id)], at: now, in: transaction) {
                return .failure(problem)
            }
            try events.note(
                .recoveryRefused, account: account.id,
                EventDetails(request.address, reason: ProblemCode.accountLocked.rawValue), at: now, in: transaction)
            return .success(())
        }
        events.tell(.recoveryRefused, account: account.id)
        throw Problem(.accountLocked)
    }

    /// Records a refused code. A row is written whether or not the code's selector belongs to an account, because the
    /// time of the answer would reveal it. A row without an account is deleted within minutes, so that such rows do not
    /// fill the disk.
    private func refuse(
        of account: AccountID?, _ request: ProvenRequest, counting limited: [Limited],
        at now: Timestamp
    ) async throws -> Never {
        let mark = random.publicBytes(count: 32)
        try await database.decide { transaction -> Result<Void, Problem> in
            if let problem = try limits.take(limited, at: now, in: transaction) { return .failure(problem) }
            if let account {
                try events.note(
                    .recoveryRefused, account: account, EventDetails(request.address), at: now, in: transaction)
            } else {
                _ = try ReplayCache.spend(mark, until: now, in: transaction)
            }
            return .success(())
        }
        events.tell(.recoveryRefused, account: account)
        throw Problem(.recoveryRefused)
    }

    /// Marks the code as used, and ends every session of the account: a thief who has the account's devices is signed
    /// out.
    ///
    /// - Parameter selector: the selector of the code.
    func use(
        _ selector: [UInt8], of account: AccountID, at now: Timestamp, in transaction: any Transaction
    ) throws {
        // A concurrent sign-in either commits before its session is looked for, or begins after this transaction.
        guard try Accounts.holdForSignIn(account, in: transaction) != .locked else { throw Problem(.accountLocked) }
        guard try RecoveryCodes.use(selector, at: now, in: transaction) else {
            throw Problem(.recoveryRefused)
        }
        _ = try Sessions.revoke(
            account: account, except: nil, at: now,
            reason: RefreshFamily.RevocationReason.accountRecovered.rawValue, in: transaction)
    }
}
