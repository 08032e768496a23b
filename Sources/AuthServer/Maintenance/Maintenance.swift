internal import AuthAPI
internal import Logging
internal import SQLStore
internal import ServiceLifecycle

/// What has to be done from time to time: the keys are looked at each minute, and what is over is forgotten. Any number of
/// replicas may do it.
struct Maintenance: Service {
    let database: any Database
    let keys: KeyRing
    let rotation: KeyRotation
    let clock: @Sendable () -> Timestamp
    let logger: Logger

    private static let interval = Duration.seconds(60)

    func run() async throws {
        var part: UInt8 = 0
        // The sleep ends when the server is to stop, and with it this.
        while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: Self.interval) })) != nil {
            do {
                try await maintain(part: part)
                part &+= 1
            } catch StoreError.unknownSealingKey(let number) {
                logger.error(
                    "restart this server with the newest master.vault",
                    metadata: ["reason": "the store is sealed with master key \(number), which came after its start"])
            } catch {
                // The store is away: the keys that are known go on working, and the next minute tries again.
                logger.warning(
                    "maintenance failed", metadata: ["reason": "\(ProblemMapping.reason(of: error))"])
            }
        }
    }

    /// What is done every minute.
    ///
    /// - Parameter part: of the limits, of which one part in 256 is looked at each time.
    func maintain(part: UInt8) async throws {
        keys.replace(with: try await rotation.keys(at: clock()))
        try await forget(part: part)
    }

    /// Removes what is over: what can no longer be used, and what was kept to be seen.
    ///
    /// - Parameter part: of the limits, of which one part in 256 is looked at each time.
    func forget(part: UInt8) async throws {
        let now = clock()
        let monthAgo = now.adding(.days(-30))
        try await repeated { try ReplayCache.prune(expiredBefore: now, in: $0) }
        try await repeated { try Invitations.prune(expiredBefore: now, in: $0) }
        try await repeated { try RevokedAccessTokens.prune(expiredBefore: now, in: $0) }
        // Kept for a month, so that a token of an ended session is still known as one.
        try await repeated { try Sessions.prune(expiredBefore: monthAgo, in: $0) }
        try await repeated { try SecurityEvents.prune(before: now.adding(.days(-400)), in: $0) }
        try await repeated { try RateLimits.prune(unusedSince: now.adding(.days(-1)), part: part, in: $0) }
        // A log that nothing is written to is never begun anew by itself, and keeps what was deleted since.
        database.forgetDeleted()
    }

    /// Until there is nothing left, in transactions that are short.
    private func repeated(_ prune: @escaping @Sendable (any Transaction) throws -> Int) async throws {
        while try await database.write(prune) >= 500 {}
    }
}

extension Maintenance: CustomStringConvertible {
    /// Hides the configuration, which may have a password: the library that runs services logs them.
    var description: String { "maintenance" }
}
