internal import AuthAPI
internal import SQLStore
internal import Secrets

/// Answers readiness probes: the server is ready while its store accepts a write.
struct StoreReadiness: Sendable {
    let readiness: Readiness
    let database: any Database
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// Checks that the store accepts a write.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/unavailable``.
    func require() async throws {
        let isReady = await readiness.isReady {
            // The row is deleted within a minute, like every spent value.
            let (mark, now) = (random.publicBytes(count: 32), clock())
            _ = try await database.write { try ReplayCache.spend(mark, until: now, in: $0) }
        }
        guard isReady else { throw Problem(.unavailable) }
    }
}
