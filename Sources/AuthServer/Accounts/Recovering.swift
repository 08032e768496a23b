internal import AuthAPI
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
            let salt = random.publicBytes(count: Argon2id.saltSize)
            let hash = try await recoveryHashing.hash(code, salt: salt)
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
    func account(of code: RecoveryCode, _ request: ProvenRequest) async throws -> AccountID {
        let now = clock()
        try await admit(request, also: [.recovery(request.address)])
        let row = try await database.read { try RecoveryCodes.find(code.selector, in: $0) }
        let salt = row?.salt ?? [UInt8](repeating: 0, count: Argon2id.saltSize)
        let matches = try await recoveryHashing.matches(
            code, salt: salt, hash: row?.hash ?? [UInt8](repeating: 0, count: 32))
        guard matches, let row, row.usedAt == nil else {
            // Somebody's or nobody's: something is written. How long it takes would tell which selectors there are. Of nobody's
            // what is written is forgotten within minutes: it would be a way to fill the disk.
            let mark = random.publicBytes(count: 32)
            try await database.write { transaction in
                if let row {
                    try note(
                        .recoveryRefused, account: row.account, EventDetails(request.address), at: now, in: transaction)
                } else {
                    _ = try SpentValues.spend(mark, until: now, in: transaction)
                }
            }
            tell(.recoveryRefused, account: row?.account)
            throw Problem(.recoveryRefused)
        }
        return row.account
    }

    /// Uses the code up, and ends every session there is: whoever had the devices is out.
    func recover(
        _ account: AccountID, with selector: [UInt8], at now: Timestamp, in transaction: any Transaction
    ) throws {
        // A sign-in that is under way is over before its session is looked for, or begins after this.
        try Accounts.hold(account, in: transaction)
        guard try RecoveryCodes.use(selector, at: now, in: transaction) else {
            throw Problem(.recoveryRefused)
        }
        _ = try Sessions.revoke(
            account: account, except: nil, at: now,
            reason: RefreshFamily.RevocationReason.accountRecovered.rawValue, in: transaction)
    }
}
