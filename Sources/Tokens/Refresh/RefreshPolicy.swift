public import AuthAPI

/// How long a family lives, and how long a lost answer can be asked for again.
public struct RefreshPolicy: Sendable, Equatable {
    /// From the first use of a token: so long the same device gets the same successor again.
    public let window: Timestamp.Span
    /// Without a rotation for so long, the family is at its end.
    public let idle: Timestamp.Span
    /// From the sign-in on, whatever happens (ASVS 10.4.8).
    public let absolute: Timestamp.Span

    /// Nil, unless window <= idle <= absolute, and none is negative.
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

    /// 60 seconds, 7 days, 30 days.
    public static let usual = RefreshPolicy(checked: .seconds(60), idle: .days(7), absolute: .days(30))
}
