internal import AuthAPI
internal import Crypto
internal import SQLStore

/// What is limited in the store, where all replicas count together, and by which bucket of the configuration. The store sees
/// only a hash of it.
enum Limited: Sendable {
    /// Requests without a session, of an address.
    case address(ClientAddress)
    /// Sign-ins to an account. Nobody counts against it who has no passkey of it.
    case account(AccountID)
    /// Requests of a session. Each session has its own: one that is a thief's must not be able to make the owner wait, who
    /// wants to end it.
    case session(SessionID)
    /// Sign-ins to an account that were refused, apart from the others: whoever has seen the id of a passkey could keep its
    /// owner out.
    case refused(AccountID)
    /// Refreshes of a session, which a refresh token names that this server made. Not by the key in the proof: of keys anybody has
    /// as many as he likes, and each would be a row.
    case refresh(SessionID)
    /// Recovery codes that were refused: of an address, of a selector, and of all there are.
    case recoveryFrom(ClientAddress)
    case recoveryOf(selector: [UInt8])
    case allRecoveries
    /// New accounts: of an address, or a /48 of IPv6, and of all there are.
    case signUpFrom(ClientAddress)
    case allSignUps
    /// Exports of an account.
    case export(AccountID)

    /// The kind of the limit, as the log and the metrics name it.
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
        }
    }

    /// All kinds of limits there are, also those that are counted in memory.
    static let allKinds = [
        "address", "network", "account", "session", "refused", "refresh", "retries", "proofs", "recovery",
        "recovery_code", "all_recoveries", "sign_up", "all_sign_ups", "export",
    ]

    var bucket: [UInt8] {
        let subject: [UInt8] =
            switch self {
            case .address(let address), .recoveryFrom(let address): Array(address.description.utf8)
            case .account(let account), .refused(let account), .export(let account): account.bytes
            case .session(let session), .refresh(let session): session.bytes
            case .recoveryOf(let selector): selector
            case .signUpFrom(let address): Array(address.customer.utf8)
            case .allRecoveries, .allSignUps: []
            }
        return Array(SHA256.hash(data: Array("fuekid limit \(kind)\0".utf8) + subject))
    }

    func rate(_ settings: ServerConfiguration.LimitSettings) -> RateLimits.Rate {
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
            }
        return bucket.rate
    }
}

extension RateLimits.Outcome {
    /// What to answer; nil if it was granted.
    func problem(of limited: Limited) -> Problem? {
        wait.map { Problem(.rateLimited, retryAfter: $0.wholeSeconds, limit: limited.kind) }
    }
}

extension ServerConfiguration.LimitSettings {
    /// Takes one out of each bucket. Nil if all had one; else what to answer. What was taken stays taken, if the caller
    /// returns the problem from its transaction and does not throw it.
    func take(
        _ limited: [Limited], at now: Timestamp, in transaction: any Transaction
    ) throws(StoreError) -> Problem? {
        for one in limited {
            let outcome = try RateLimits.take(from: one.bucket, one.rate(self), at: now, in: transaction)
            if let problem = outcome.problem(of: one) { return problem }
        }
        return nil
    }

    /// Returns what to answer if one of the buckets is empty now. Takes nothing.
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
