public import Time

/// The lifetimes of a family, and the window in which a lost response can be repeated.
public struct RefreshPolicy: Sendable, Equatable {
    /// The window from the first use of a token in which the same device gets the same successor again.
    public let window: Timestamp.Span
    /// The family expires after this time without a rotation.
    public let idle: Timestamp.Span
    /// The family expires this time after the sign-in in any case (ASVS 10.4.8).
    public let absolute: Timestamp.Span

    /// Creates a policy; nil unless window <= idle <= absolute, and none is negative.
    public init?(window: Timestamp.Span, idle: Timestamp.Span, absolute: Timestamp.Span) {
        guard window.milliseconds >= 0, window <= idle, idle <= absolute else { return nil }
        self.window = window
        self.idle = idle
        self.absolute = absolute
    }

    private init(checked window: Timestamp.Span, idle: Timestamp.Span, absolute: Timestamp.Span) {
        self.window = window
        self.idle = idle
        self.absolute = absolute
    }

    /// The usual policy: 60 seconds, 7 days, 30 days.
    public static let usual = RefreshPolicy(checked: .seconds(60), idle: .days(7), absolute: .days(30))
}
