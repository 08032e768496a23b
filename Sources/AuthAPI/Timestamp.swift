/// A moment, in whole milliseconds since 1970-01-01 00:00:00 UTC, without leap seconds: the form in which the stores keep time.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Before the year 275,760, as in ECMAScript: so that adding a lifetime to a time cannot overflow.
    public static let limit: Int64 = 8_640_000_000_000_000

    /// -``limit``...``limit``.
    public let milliseconds: Int64

    /// Creates a moment, at most at the limits of the type.
    ///
    /// - Parameter milliseconds: since 1970; what is outside of the limits becomes the limit.
    public init(milliseconds: Int64) { self.milliseconds = min(max(milliseconds, -Self.limit), Self.limit) }

    /// Creates a moment in whole seconds since 1970-01-01 00:00:00 UTC.
    ///
    /// - Parameter seconds: since 1970, as in JWTs (RFC 7519 section 2, `NumericDate`); beyond the limits: the limit.
    public init(seconds: Int64) {
        self.init(milliseconds: min(max(seconds, -Self.limit / 1000), Self.limit / 1000) * 1000)
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000 }

    /// The moment that much later; earlier, if the span is negative.
    public func adding(_ span: Span) -> Timestamp {
        Timestamp(milliseconds: milliseconds + span.milliseconds)
    }

    /// How long after `other` this is; negative, if it is before.
    public func since(_ other: Timestamp) -> Span { Span(milliseconds: milliseconds - other.milliseconds) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// A length of time, in whole milliseconds.
    public struct Span: Hashable, Comparable, Sendable {
        /// Twice the limit of a timestamp, either way.
        public let milliseconds: Int64

        /// Creates a span, at most as long as the limits of the type.
        public init(milliseconds: Int64) {
            self.milliseconds = min(max(milliseconds, -2 * Timestamp.limit), 2 * Timestamp.limit)
        }

        /// Returns a span of whole seconds.
        ///
        /// - Parameter seconds: what is too long becomes the longest.
        public static func seconds(_ seconds: Int64) -> Span {
            Span(milliseconds: min(max(seconds, -Timestamp.limit / 500), Timestamp.limit / 500) * 1000)
        }

        /// Of 60 seconds each.
        public static func minutes(_ minutes: Int64) -> Span { seconds(min(max(minutes, -1 << 40), 1 << 40) * 60) }
        /// Of 60 minutes each.
        public static func hours(_ hours: Int64) -> Span { minutes(min(max(hours, -1 << 36), 1 << 36) * 60) }
        /// Of 24 hours each.
        public static func days(_ days: Int64) -> Span { hours(min(max(days, -1 << 32), 1 << 32) * 24) }

        public static func < (left: Span, right: Span) -> Bool { left.milliseconds < right.milliseconds }
    }
}
