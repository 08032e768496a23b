/// The report that an app's maker receives if a person has agreed.
public struct UsageReport: Equatable, Sendable {
    /// The first day, in days since 1970.
    public let firstDay: UInt32
    /// The last day, in days since 1970.
    public let lastDay: UInt32
    /// The events that happened.
    public let counts: [UsageEvent: UsageRange]
}

/// The receiver of reports. A port: the app implements it, and decides when a report is sent.
public protocol UsageReceiver: Sendable {
    /// Sends a report.
    func receive(_ report: UsageReport) async throws
}
