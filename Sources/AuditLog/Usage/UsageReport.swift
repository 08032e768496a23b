/// What is sent to an app's maker, if a person has agreed.
public struct UsageReport: Equatable, Sendable {
    /// The first day, in days since 1970.
    public let firstDay: UInt32
    /// The last day, in days since 1970.
    public let lastDay: UInt32
    /// The events that happened.
    public let counts: [UsageEvent: UsageRange]
}

/// The receiver of reports. A port: this package has none, and sends nothing by itself.
public protocol UsageReceiver: Sendable {
    /// Sends a report.
    func receive(_ report: UsageReport) async throws
}
