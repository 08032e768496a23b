internal import AuthAPI
internal import Encoding
internal import Logging
internal import SQLStore
internal import Secrets

/// The security events of the server, written into the store in the transaction of what they are about, and counted and logged after it.
struct SecurityEventLog: Sendable {
    let sealer: ColumnSealer
    let random: any RandomSource
    /// The metrics and the log that are told of events; nil in a command of the operator, which has neither.
    let reporting: Reporting?

    struct Reporting: Sendable {
        let metrics: Metrics
        let logger: Logger
    }

    /// Notes an event in the transaction of what it is about.
    ///
    /// - Parameter account: nil for an event of no account.
    func note(
        _ event: SecurityEvent, account: AccountID?, _ details: EventDetails, at now: Timestamp,
        in transaction: any Transaction
    ) throws(StoreError) {
        try SecurityEvents.add(
            SecurityEventRow(
                id: random.publicBytes(count: 16), account: account, kind: event.rawValue, at: now,
                details: details.json.encoded),
            sealer: sealer, in: transaction)
    }

    /// Counts an event, and tells the log of it, after the transaction: not twice if that ran twice.
    func tell(_ event: SecurityEvent, account: AccountID? = nil) {
        guard let reporting else { return }
        reporting.metrics.count(event: event.rawValue)
        var metadata: Logger.Metadata = ["event": "\(event.rawValue)"]
        if let account { metadata["account"] = "\(account)" }
        if let id = RequestScope.id { metadata["request_id"] = "\(id)" }
        reporting.logger.notice("security event", metadata: metadata)
    }
}
