internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Crypto
internal import SQLStore
internal import ServerHTTP
internal import Time

/// The subjects of the limits in the store, which all replicas share, and the configured bucket of each. The store
/// contains only a hash of the subject.
enum Limited: Sendable {
    /// Requests of an address without a session.
    case address(ClientAddress)
    /// Sign-ins to an account, and step-ups. Only a holder of one of its passkeys can use up this limit.
    case account(AccountID)
    /// Requests of a session. Each session has its own limit: a thief's session must not be able to delay the owner,
    /// who wants to end it.
    case session(SessionID)
    /// Refused sign-ins to an account, and refused step-ups, separate from the accepted ones: otherwise an attacker who has seen the id of a
    /// passkey could lock out its owner.
    case refused(AccountID)
    /// Refreshes of a session, named by a refresh token that this server made. The key in the proof is not the subject:
    /// a client can make any number of keys, and each would be a row.
    case refresh(SessionID)
    /// Refused recovery codes: of an address, of a selector, and of all.
    case recoveryFrom(ClientAddress)
    case recoveryOf(selector: [UInt8])
    case allRecoveries
    /// New accounts: of an address, or an IPv6 /48, and of all.
    case signUpFrom(ClientAddress)
    case allSignUps
    /// Exports of an account.
    case export(AccountID)
    /// Passkeys and recovery codes that are added to an account, by a caller who used a passkey lately.
    case change(AccountID)
    /// Attestations of an account's devices. They need no passkey, so that they have a limit of their own: a stolen
    /// session must not delay the owner who replaces codes or passkeys.
    case attestation(AccountID)

    /// The kind of the limit, as named in the log and the metrics.
    var kind: String {
        switch self {
        case .address: "address"
        case .account: "account"
        case .session: "session"
        case .refused: "refused"
        case .refresh: "refresh"
        case .recoveryFrom: "recovery"
        case .recoveryOf: "recovery_code"
        case .allRecoveries: "all_recoveries"
        case .signUpFrom: "sign_up"
        case .allSignUps: "all_sign_ups"
        case .export: "export"
        case .change: "change"
        case .attestation: "attestation"
        }
    }

    /// All kinds of limits, including those that are counted in memory.
    static let allKinds = [
        "address", "network", "account", "session", "refused", "refresh", "retries", "proofs", "recovery",
        "recovery_code", "all_recoveries", "sign_up", "all_sign_ups", "export", "change", "attestation", "checkpoints",
    ]

    var bucket: [UInt8] {
        let subject: [UInt8] =
            switch self {
            case .address(let address), .recoveryFrom(let address): Array(address.description.utf8)
            case .account(let account), .refused(let account), .export(let account), .change(let account),
                .attestation(let account):
                account.bytes
            case .session(let session), .refresh(let session): session.bytes
            case .recoveryOf(let selector): selector
            case .signUpFrom(let address): Array(address.customer.utf8)
            case .allRecoveries, .allSignUps: []
            }
        return Array(SHA256.hash(data: Array("fuekid limit \(kind)\0".utf8) + subject))
    }

    func rate(_ settings: ServerConfiguration.LimitSettings) -> TokenBucket.Rate {
        let bucket =
            switch self {
            case .address: settings.address
            case .account, .session, .refused: settings.account
            case .refresh: settings.device
            case .recoveryFrom, .recoveryOf: settings.recovery
            case .allRecoveries: settings.allRecoveries
            case .signUpFrom: settings.allSignUps.divided(by: Limits.signUpShare)
            case .allSignUps: settings.allSignUps
            case .export: Limits.exports
            case .change, .attestation: Limits.accountChanges
            }
        return bucket.rate
    }
}

extension TokenBucket.Outcome {
    /// Returns the problem to answer with; nil if the request was allowed.
    func problem(of limited: Limited) -> Problem? {
        wait.map { Problem(.rateLimited, retryAfter: $0.wholeSeconds, limit: limited.kind) }
    }
}

extension ServerConfiguration.LimitSettings {
    /// Takes a token from each bucket. Returns nil if each had one, or the problem to answer with. Tokens that were
    /// taken stay taken if the caller returns the problem from its transaction and does not throw it.
    func take(
        _ limited: [Limited], at now: Timestamp, in transaction: any Transaction
    ) throws(StoreError) -> Problem? {
        for one in limited {
            let outcome = try RateLimits.take(from: one.bucket, one.rate(self), at: now, in: transaction)
            if let problem = outcome.problem(of: one) { return problem }
        }
        return nil
    }

    /// Returns the problem to answer with if one of the buckets is empty now. Takes nothing.
    func wait(
        for limited: [Limited], at now: Timestamp, in transaction: any Transaction
    ) throws(StoreError) -> Problem? {
        for one in limited {
            if let wait = try RateLimits.wait(for: one.bucket, one.rate(self), at: now, in: transaction) {
                return Problem(.rateLimited, retryAfter: wait.wholeSeconds, limit: one.kind)
            }
        }
        return nil
    }
}
