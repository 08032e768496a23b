internal import AuthAPI
internal import Crypto

/// What is limited, and by which bucket of the configuration. The store sees only a hash of it.
enum Limited: Sendable {
    case address(ClientAddress)
    /// Sign-ins to an account. Nobody counts against it who has no passkey of it.
    case account(AccountID)
    /// Requests of a session. Each session has its own: one that is a thief's must not be able to make the owner wait, who
    /// wants to end it.
    case session(SessionID)
    /// Sign-ins to an account that were refused, apart from the others: whoever has seen the id of a passkey could keep its
    /// owner out.
    case refused(AccountID)
    /// RFC 7638 thumbprint.
    case device([UInt8])
    /// Attempts with recovery codes, from an address.
    case recovery(ClientAddress)

    var bucket: [UInt8] {
        let (kind, subject): (String, [UInt8]) =
            switch self {
            case .address(let address): ("address", Array(address.description.utf8))
            case .account(let account): ("account", account.bytes)
            case .session(let session): ("session", session.bytes)
            case .refused(let account): ("refused", account.bytes)
            case .device(let thumbprint): ("device", thumbprint)
            case .recovery(let address): ("recovery", Array(address.description.utf8))
            }
        return Array(SHA256.hash(data: Array("fuekid limit \(kind)\0".utf8) + subject))
    }

    func rate(_ settings: ServerConfiguration.LimitSettings) -> RateLimits.Rate {
        let bucket =
            switch self {
            case .address: settings.address
            case .account, .session, .refused: settings.account
            case .device: settings.device
            case .recovery: settings.recovery
            }
        return RateLimits.Rate(
            burst: Int64(bucket.burst), every: Timestamp.Span(milliseconds: max(1, 60_000 / Int64(bucket.perMinute))))
    }
}

extension ServerConfiguration.LimitSettings {
    /// Takes one out of each bucket. Nil if all had one; else what to answer. What was taken stays taken, if the caller
    /// returns the problem from its transaction and does not throw it.
    func take(
        _ limited: [Limited], at now: Timestamp, in transaction: any Transaction
    ) throws(StoreError) -> Problem? {
        for one in limited {
            switch try RateLimits.take(from: one.bucket, one.rate(self), at: now, in: transaction) {
            case .granted: continue
            case .refused(let wait):
                return Problem(.rateLimited, retryAfter: Int(clamping: (wait.milliseconds + 999) / 1000))
            }
        }
        return nil
    }
}
