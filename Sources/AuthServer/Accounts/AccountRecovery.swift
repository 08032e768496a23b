internal import AuthAPI
internal import SQLStore
internal import Secrets
internal import Tokens

/// A recovery code as it is shown, and the row that the store has of it.
struct MadeRecoveryCode: Sendable {
    let text: String
    let row: RecoveryCodeRow
}

extension Backend {
    /// New codes, not yet stored.
    func newRecoveryCodes(at now: Timestamp, of account: AccountID) async throws -> [MadeRecoveryCode] {
        var codes: [MadeRecoveryCode] = []
        for _ in 0..<Limits.recoveryCodes {
            let code = RecoveryCode(random: random)
            let salt = random.publicBytes(count: RecoveryCodeRow.saltSize)
            let hash = try await code.hash(salt: salt, old: recoveryHashing)
            codes.append(
                MadeRecoveryCode(
                    text: code.text,
                    row: RecoveryCodeRow(
                        selector: code.selector, account: account, salt: salt, hash: hash, createdAt: now)))
        }
        return codes
    }

    /// Puts new codes in the place of all that there were.
    func replaceRecoveryCodes(by caller: Caller) async throws -> RecoveryCodesAnswer {
        let now = clock()
        let codes = try await newRecoveryCodes(at: now, of: caller.account)
        try await decide(by: caller, at: clock()) { transaction -> Result<Void, Problem> in
            try RecoveryCodes.replaceAll(of: caller.account, with: codes.map(\.row), in: transaction)
            try note(
                .recoveryCodesMade, account: caller.account, EventDetails(caller.address, session: caller.session),
                at: now, in: transaction)
            return .success(())
        }
        tell(.recoveryCodesMade, account: caller.account)
        return RecoveryCodesAnswer(codes: codes.map(\.text))
    }

    /// Whose code it is. A code of nobody's takes as long, and is refused in the same words, as a wrong or a used one.
    ///
    /// The limits of recoveries count what is refused. A right code is taken whatever others have tried: so no one who tries codes
    /// keeps an account's owner out, neither from his own address nor from everywhere. Codes of the old form are counted before they
    /// are hashed, because hashing them is what the limits are to bound.
    func account(of code: RecoveryCode, _ request: ProvenRequest) async throws -> AccountID {
        let now = clock()
        let refused: [Limited] = [
            .recoveryFrom(request.address), .recoveryOf(selector: code.selector), .allRecoveries,
        ]
        try await admit(request, also: code.isCostly ? refused : [])
        let row = try await database.read { try RecoveryCodes.find(code.selector, in: $0) }
        // Also of no row: how long it takes would tell which selectors there are.
        let salt = row?.salt ?? [UInt8](repeating: 0, count: RecoveryCodeRow.saltSize)
        let hash = try await code.hash(salt: salt, old: recoveryHashing)
        guard constantTimeEquals(hash, row?.hash ?? [UInt8](repeating: 0, count: 32)), let row, row.usedAt == nil else {
            try await refuse(of: row?.account, request, counting: code.isCostly ? [] : refused, at: now)
        }
        return row.account
    }

    /// Refuses the recovery of a locked account. The code was right: its owner may be told why.
    func requireOpen(_ account: AccountRow, _ request: ProvenRequest) async throws {
        guard account.lockedAt != nil else { return }
        let now = clock()
        try await database.write { transaction in
            try note(
                .recoveryRefused, account: account.id,
                EventDetails(request.address, reason: ProblemCode.accountLocked.rawValue), at: now, in: transaction)
        }
        tell(.recoveryRefused, account: account.id)
        throw Problem(.accountLocked)
    }

    /// Notes a code that was refused. A row is written whether or not the code's selector belongs to an account, because the time
    /// that the answer takes would tell. A row without an account is forgotten within minutes, so that it does not fill the disk.
    private func refuse(
        of account: AccountID?, _ request: ProvenRequest, counting limited: [Limited],
        at now: Timestamp
    ) async throws -> Never {
        let mark = random.publicBytes(count: 32)
        let limits = configuration.limits
        try await database.decide { transaction -> Result<Void, Problem> in
            if let problem = try limits.take(limited, at: now, in: transaction) { return .failure(problem) }
            if let account {
                try note(.recoveryRefused, account: account, EventDetails(request.address), at: now, in: transaction)
            } else {
                _ = try ReplayCache.spend(mark, until: now, in: transaction)
            }
            return .success(())
        }
        tell(.recoveryRefused, account: account)
        throw Problem(.recoveryRefused)
    }

    /// Uses the code up, and ends every session there is: whoever had the devices is out.
    func recover(
        _ account: AccountID, with selector: [UInt8], at now: Timestamp, in transaction: any Transaction
    ) throws {
        // A sign-in that is under way is over before its session is looked for, or begins after this.
        guard try Accounts.holdForSignIn(account, in: transaction) != .locked else { throw Problem(.accountLocked) }
        guard try RecoveryCodes.use(selector, at: now, in: transaction) else {
            throw Problem(.recoveryRefused)
        }
        _ = try Sessions.revoke(
            account: account, except: nil, at: now,
            reason: RefreshFamily.RevocationReason.accountRecovered.rawValue, in: transaction)
    }
}
