internal import AuthStore
internal import Logging
internal import SQLStore
internal import ServerHTTP
internal import ServiceLifecycle
internal import Time

/// Recurring work: it checks the keys each minute and removes expired rows. Any number of replicas may run it.
struct Maintenance: Service {
    let database: any Database
    let keys: KeyRing
    let rotation: KeyRotation
    let clock: @Sendable () -> Timestamp
    let logger: Logger

    private static let interval = Duration.seconds(60)

    func run() async throws {
        var part: UInt8 = 0
        // When the server is stopped, the sleep ends, and so does this loop.
        while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: Self.interval) })) != nil {
            do {
                try await maintain(part: part)
                part &+= 1
            } catch StoreError.unknownSealingKey(let number) {
                logger.error(
                    "restart this server with the newest master.vault",
                    metadata: .of([.reason: "the store is sealed with master key \(number), which came after its start"]
                    ))
            } catch {
                // The store does not answer: the known keys continue to work, and the next minute tries again.
                logger.warning(
                    "maintenance failed", metadata: .of([.reason: "\(ProblemMapping.reason(of: error))"]))
            }
        }
    }

    /// Runs the work of one minute.
    ///
    /// - Parameter part: the part of the rate limits to check: one of 256 each time.
    func maintain(part: UInt8) async throws {
        keys.replace(with: try await rotation.keys(at: clock()))
        try await forget(part: part)
    }

    /// Removes expired rows: those that can no longer be used, and those that were kept for people to see.
    ///
    /// - Parameter part: the part of the rate limits to check: one of 256 each time.
    func forget(part: UInt8) async throws {
        let now = clock()
        let monthAgo = now.adding(.days(-30))
        try await repeated { try ReplayCache.prune(expiredBefore: now, in: $0) }
        try await repeated { try Invitations.prune(expiredBefore: now, in: $0) }
        try await repeated { try RevokedAccessTokens.prune(expiredBefore: now, in: $0) }
        // Sessions are kept for a month, so that a token of an ended session is still recognised.
        try await repeated { try Sessions.prune(expiredBefore: monthAgo, in: $0) }
        try await repeated { try SecurityEvents.prune(before: now.adding(.days(-400)), in: $0) }
        try await repeated { try RateLimits.prune(unusedSince: now.adding(.days(-1)), part: part, in: $0) }
        // A write-ahead log without writes is never reset, and keeps rows that were deleted since.
        database.forgetDeleted()
    }

    /// Repeats a removal in short transactions until nothing is left.
    private func repeated(_ prune: @escaping @Sendable (any Transaction) throws -> Int) async throws {
        while try await database.write(prune) >= 500 {}
    }
}

extension Maintenance: CustomStringConvertible {
    /// Replaces the configuration in log lines: the library that runs services logs them, and the configuration may
    /// contain a password.
    var description: String { "maintenance" }
}
