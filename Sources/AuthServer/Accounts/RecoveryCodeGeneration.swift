internal import AuthAPI
internal import Secrets

/// A recovery code as it is shown, and the row that the store has of it.
struct MadeRecoveryCode: Sendable {
    let text: String
    let row: RecoveryCodeRow
}

/// Makes the recovery codes of an account.
struct RecoveryCodeGeneration: Sendable {
    let hashing: RecoveryHashing
    let random: any RandomSource

    /// Returns new codes, which are not yet stored.
    func generate(for account: AccountID, at now: Timestamp) async throws -> [MadeRecoveryCode] {
        var codes: [MadeRecoveryCode] = []
        for _ in 0..<Limits.recoveryCodes {
            let code = RecoveryCode(random: random)
            let salt = random.publicBytes(count: RecoveryCodeRow.saltSize)
            let hash = try await code.hash(salt: salt, old: hashing)
            codes.append(
                MadeRecoveryCode(
                    text: code.text,
                    row: RecoveryCodeRow(
                        selector: code.selector, account: account, salt: salt, hash: hash, createdAt: now)))
        }
        return codes
    }
}
