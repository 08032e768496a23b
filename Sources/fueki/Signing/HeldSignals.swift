internal import Custody
internal import Payments
internal import Terminal

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Has a signal that ends the process wait until a step is done.
///
/// A session of ECDSA that is killed stays counted in the share's file: it cannot be told from one that a cheater broke off. An
/// impatient control-C, or the end of a service, is kept from being counted by letting the session, which takes seconds, come to
/// its end. The process ends by the signal then.
struct HeldSignals: UninterruptedSteps {
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// The signal that waits; 0 if there is none. A handler may touch no memory that Swift keeps for itself.
    nonisolated(unsafe) private static let pending: UnsafeMutablePointer<Int32> = {
        let pending = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        pending.initialize(to: 0)
        return pending
    }()

    /// Runs `body`, and lets the signal take effect that came meanwhile.
    func run<Value: Sendable>(
        _ body: @Sendable () async throws(CustodyError) -> Value
    ) async throws(CustodyError) -> Value {
        Self.pending.pointee = 0
        let before = SavedHandlers(of: Self.signals)
        for number in Self.signals { signal(number) { HeldSignals.pending.pointee = $0 } }
        defer {
            before.restore()
            if Self.pending.pointee != 0 { kill(getpid(), Self.pending.pointee) }
        }
        return try await body()
    }
}
