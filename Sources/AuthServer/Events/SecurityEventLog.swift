internal import AuthAPI
internal import Encoding
internal import Logging
internal import SQLStore
internal import Secrets

/// The security events of the server. Each is written into the store in the transaction of the change that it reports,
/// and counted and logged after it.
struct SecurityEventLog: Sendable {
    let sealer: ColumnSealer
    let random: any RandomSource
    /// The metrics and the log that receive events; nil in a command of the operator, which has neither.
    let reporting: Reporting?

    struct Reporting: Sendable {
        let metrics: Metrics
        let logger: Logger
    }

    /// Records an event in the transaction of the change that it reports.
    ///
    /// - Parameter account: the account; nil for an event without an account.
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

    /// Counts and logs an event after the transaction, so that a transaction that ran twice counts once.
    func tell(_ event: SecurityEvent, account: AccountID? = nil) {
        guard let reporting else { return }
        reporting.metrics.count(event: event.rawValue)
        var metadata: [LogKey: Logger.MetadataValue] = [.event: "\(event.rawValue)"]
        if let account { metadata[.account] = "\(account)" }
        if let id = RequestScope.id { metadata[.requestID] = "\(id)" }
        reporting.logger.notice("security event", metadata: .of(metadata))
    }
}
