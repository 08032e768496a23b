#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The time that tests wait for events that come on any machine, however busy: only a missing event takes so long.
///
/// This is the only place where tests sleep, between two checks of a condition: for events of other programs that give no
/// signal.
public enum Patience {
    /// Ten minutes.
    public static let seconds = 600

    /// The error of a wait in vain.
    public struct Exhausted: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }

        init(waitingFor what: String) { description = "waited for \(seconds) s in vain: \(what)" }
    }

    /// Waits until a condition holds, checking it every few milliseconds.
    ///
    /// - Parameter what: the name of the event, for the error.
    /// - Throws: ``Exhausted`` after ten minutes, and the errors of the condition.
    public static func wait(
        for what: String, isolation: isolated (any Actor)? = #isolation, until isMet: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try await !isMet() {
            guard .now < end else { throw Exhausted(waitingFor: what) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Does the same without giving up the thread: among many tests it may take minutes to get it back.
    public static func block(for what: String, until isMet: () throws -> Bool) throws {
        guard try poll(milliseconds: seconds * 1_000, until: isMet) else { throw Exhausted(waitingFor: what) }
    }

    /// Checks a condition every few milliseconds.
    ///
    /// - Returns: whether it held within the time.
    static func poll(milliseconds: Int, until isMet: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while try !isMet() {
            guard .now < end else { return false }
            usleep(2_000)
        }
        return true
    }
}
