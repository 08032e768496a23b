#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Readings of the system's three clocks, for apps. Tests make ``Moment`` values of their own.
public struct SystemMoments: Sendable {
    private let start = ContinuousClock.now
    private let awakeStart = SuspendingClock.now

    /// Starts to count.
    public init() {}

    /// Reads the clocks.
    public func now() -> Moment {
        Moment(
            sinceStart: ContinuousClock.now - start, awake: SuspendingClock.now - awakeStart,
            wall: .seconds(Date().timeIntervalSince1970))
    }
}
