/// The time that tests wait for events that come on any machine, however busy: only a missing event takes so long.
public enum Patience {
    /// Ten minutes.
    public static let seconds = 600

    /// The error of a wait in vain.
    public struct Exhausted: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
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
            guard .now < end else { throw Exhausted(description: "waited for \(seconds) s in vain: \(what)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
