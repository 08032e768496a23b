package import AuthAPI
internal import ServerHTTP

extension AuditFault: ProblemConvertible {
    /// Nothing is done that cannot be logged. The log recovers, or the operator has to act.
    package var problem: Problem { Problem(.unavailable, retryAfter: ServerAuditLimits.retrySeconds) }

    package var logReason: String { rawValue }
}
