internal import AuthAPI
internal import SQLStore
internal import Secrets

/// Answers probes of readiness: the server is ready while its store takes a write.
struct StoreReadiness: Sendable {
    let readiness: Readiness
    let database: any Database
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// Requires that the store takes a write.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/unavailable``.
    func require() async throws {
        let isReady = await readiness.isReady {
            // Forgotten within a minute, like every value that is spent.
            let (mark, now) = (random.publicBytes(count: 32), clock())
            _ = try await database.write { try ReplayCache.spend(mark, until: now, in: $0) }
        }
        guard isReady else { throw Problem(.unavailable) }
    }
}
