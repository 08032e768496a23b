internal import Synchronization

/// The latest time that both this device's clock and a pinned server agreed on, as seconds since 1970.
///
/// It decides about the expiry of pins. It only advances: a clock that is set back does not revive expired pins. It
/// never passes the device's clock, and never the time of a server whose pinned key was verified: neither of them alone
/// moves it, so a clock that is set forward does not end pins (``HostPins/AfterExpiry/connect``).
///
/// An app stores ``latest`` when it ends, and starts with it again; at its first start it begins with the time at which
/// it was built.
public final class PinTime: Sendable {
    private let time: Mutex<UInt64>

    /// Starts at a time.
    ///
    /// - Parameter latest: the stored time, or the time of the build.
    public init(latest: UInt64) { time = Mutex(latest) }

    /// The latest time.
    public var latest: UInt64 { time.withLock { $0 } }

    /// Tells that a server with a pinned key named a time.
    ///
    /// - Parameters:
    ///   - server: the server's time.
    ///   - clock: the device's time.
    func observe(server: UInt64, clock: UInt64) {
        time.withLock { $0 = max($0, min(server, clock)) }
    }
}
