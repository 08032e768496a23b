/// A time in whole milliseconds since 1970-01-01 00:00:00 UTC, without leap seconds: the form in which the stores keep
/// times.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// The latest time, in the year 275,760, as in ECMAScript: so adding a lifetime to a time cannot overflow.
    public static let limit: Int64 = 8_640_000_000_000_000

    /// The number of milliseconds, in -``limit``...``limit``.
    public let milliseconds: Int64

    /// Creates a time.
    ///
    /// - Parameter milliseconds: since 1970; a value outside the limits becomes the limit.
    public init(milliseconds: Int64) { self.milliseconds = min(max(milliseconds, -Self.limit), Self.limit) }

    /// Creates a time in whole seconds since 1970-01-01 00:00:00 UTC.
    ///
    /// - Parameter seconds: since 1970, as in JWTs (RFC 7519 section 2, `NumericDate`); a value outside the limits
    ///   becomes the limit.
    public init(seconds: Int64) {
        self.init(milliseconds: min(max(seconds, -Self.limit / 1000), Self.limit / 1000) * 1000)
    }

    /// The number of whole seconds since 1970, rounded down.
    public var seconds: Int64 { milliseconds.dividedDown(by: 1000).quotient }

    /// Returns the time later by the span, or earlier if the span is negative.
    public func adding(_ span: Span) -> Timestamp {
        Timestamp(milliseconds: milliseconds + span.milliseconds)
    }

    /// Returns the span from `other` to this time; negative if this is earlier.
    public func since(_ other: Timestamp) -> Span { Span(milliseconds: milliseconds - other.milliseconds) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// A length of time in whole milliseconds.
    public struct Span: Hashable, Comparable, Sendable {
        /// No time.
        public static let zero = Span(milliseconds: 0)

        /// The number of milliseconds, at most twice the limit of a time.
        public let milliseconds: Int64

        /// Creates a span, limited to the range of the type.
        public init(milliseconds: Int64) {
            self.milliseconds = min(max(milliseconds, -2 * Timestamp.limit), 2 * Timestamp.limit)
        }

        /// Creates a span of the standard library's type: the whole milliseconds, towards zero.
        public init(_ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            self = .seconds(seconds) + Span(milliseconds: attoseconds / 1_000_000_000_000_000)
        }

        /// Returns a span of whole seconds.
        ///
        /// - Parameter seconds: a value outside the limits becomes the limit.
        public static func seconds(_ seconds: Int64) -> Span {
            Span(milliseconds: min(max(seconds, -Timestamp.limit / 500), Timestamp.limit / 500) * 1000)
        }

        /// Returns a span of minutes.
        public static func minutes(_ minutes: Int64) -> Span { seconds(min(max(minutes, -1 << 40), 1 << 40) * 60) }
        /// Returns a span of hours.
        public static func hours(_ hours: Int64) -> Span { minutes(min(max(hours, -1 << 36), 1 << 36) * 60) }
        /// Returns a span of days, of 24 hours each.
        public static func days(_ days: Int64) -> Span { hours(min(max(days, -1 << 32), 1 << 32) * 24) }

        /// Returns the sum, limited to the range of the type.
        public static func + (left: Span, right: Span) -> Span {
            Span(milliseconds: left.milliseconds + right.milliseconds)
        }
        /// Returns the difference, limited to the range of the type.
        public static func - (left: Span, right: Span) -> Span {
            Span(milliseconds: left.milliseconds - right.milliseconds)
        }

        /// The span as the standard library's type.
        public var duration: Duration { .milliseconds(milliseconds) }

        public static func < (left: Span, right: Span) -> Bool { left.milliseconds < right.milliseconds }
    }
}
