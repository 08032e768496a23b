internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import Secrets
internal import ServerAudit
internal import ServerHTTP
internal import Time

/// Answers readiness probes: the server is ready while its store accepts a write, its master keys open the store, and its
/// audit log accepts an event.
struct StoreReadiness: Sendable {
    let readiness: Readiness
    let database: any Database
    let sealer: ColumnSealer
    /// Nil for a server without an audit log.
    let audit: ServerAuditLog?
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// What does not keep the server from working, but that the operator should look at; nil without it.
    var finding: String? {
        guard let count = audit?.unreadable, count > 0 else { return nil }
        return "\(count) audit events in the store cannot be read"
    }

    /// Checks that the store accepts a write, that the master keys open it, and that the audit log accepts an event.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/unavailable``.
    func require() async throws {
        guard audit?.fault == nil else { throw Problem(.unavailable) }
        let isReady = await readiness.isReady {
            // The row is deleted within a minute, like every spent value.
            let (mark, now) = (random.publicBytes(count: 32), clock())
            try await database.write { [sealer] transaction in
                try sealer.requireOpening(in: transaction)
                _ = try ReplayCache.spend(mark, until: now, in: transaction)
            }
        }
        guard isReady else { throw Problem(.unavailable) }
    }
}
