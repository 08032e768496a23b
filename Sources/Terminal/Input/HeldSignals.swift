#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Delays signals that end the process until a step is complete.
///
/// Neither an impatient control-C nor the end of a service interrupts a step that takes seconds and must be completed.
/// After the step, the signal ends the process.
package struct HeldSignals: Sendable {
    package init() {}

    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// The delayed signal; 0 without one. The value is in manually allocated memory because a signal handler must not
    /// access memory that Swift manages.
    nonisolated(unsafe) private static let pending: UnsafeMutablePointer<Int32> = {
        let pending = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        pending.initialize(to: 0)
        return pending
    }()

    /// Whether a signal that ends the process has arrived.
    package static var isPending: Bool { pending.pointee != 0 }

    /// Runs `body`, which ends soon after ``isPending`` is true. The caller ends the process with ``end(by:)`` once its
    /// own work is done.
    ///
    /// - Returns: the value, and the last signal that arrived; 0 without one.
    package func runUntilSignal<Value: Sendable, Problem>(
        _ body: @Sendable () async throws(Problem) -> Value
    ) async throws(Problem) -> (value: Value, signal: Int32) {
        Self.pending.pointee = 0
        let before = SavedHandlers(of: Self.signals)
        for number in Self.signals { signal(number) { HeldSignals.pending.pointee = $0 } }
        defer { before.restore() }
        let value = try await body()
        return (value, Self.pending.pointee)
    }

    /// Sends a signal to this process: it ends as if the signal had not been delayed. Does nothing for 0.
    package static func end(by signal: Int32) {
        if signal != 0 { kill(getpid(), signal) }
    }

    /// Runs `body`. Then sends the last signal that arrived meanwhile to this process.
    package func run<Value: Sendable, Problem>(
        _ body: @Sendable () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        defer { Self.end(by: Self.pending.pointee) }
        return try await runUntilSignal(body).value
    }
}
