internal import AuthAPI
internal import AuthStore
internal import Secrets
internal import Time

/// A new recovery code: the text that is shown, and the row for the store.
struct MadeRecoveryCode: Sendable {
    let text: String
    let row: RecoveryCodeRow
}

/// Makes the recovery codes of an account.
struct RecoveryCodeGeneration: Sendable {
    let hashing: RecoveryHashing
    let random: any RandomSource

    /// Generates new codes. The caller stores them.
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
