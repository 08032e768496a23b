package import AuthAPI
internal import AuthStore
internal import Encoding
internal import Logging
package import SQLStore
package import Secrets
package import ServerAudit
internal import ServerHTTP
package import Time

/// The security events of the server. Each is written into the store in the transaction of the change that it reports,
/// and counted and logged after it.
package struct SecurityEventLog: Sendable {
    let sealer: ColumnSealer
    let random: any RandomSource
    /// The metrics and the log that receive events; nil in a command of the operator, which has neither.
    let reporting: Reporting?
    /// The way to the audit log; nil for a server without one.
    var audit: AuditOutbox?

    /// Returns the security events of an operator's command.
    package static func ofOperator(
        sealer: ColumnSealer, random: any RandomSource, audit: AuditOutbox?
    ) -> SecurityEventLog {
        SecurityEventLog(sealer: sealer, random: random, reporting: nil, audit: audit)
    }

    struct Reporting: Sendable {
        let metrics: Metrics
        let logger: Logger
    }

    /// Records an event in the transaction of the change that it reports.
    ///
    /// - Parameter account: the account; nil for an event without an account.
    /// - Throws: ``StoreError``, and ``AuditFault`` if the audit log does not take events. The change must not be made.
    package func note(
        _ event: SecurityEvent, account: AccountID?, _ details: EventDetails, at now: Timestamp,
        in transaction: any Transaction
    ) throws {
        let id = random.publicBytes(count: 16)
        try audit?.add(event, id: id, account: account, details, at: now, sealer: sealer, in: transaction)
        try SecurityEvents.add(
            SecurityEventRow(
                id: id, account: account, kind: event.rawValue, at: now, details: details.json.encoded),
            sealer: sealer, in: transaction)
    }

    /// Checks that the audit log takes events, before work that a later refusal of ``note(_:account:_:at:in:)`` would not
    /// undo.
    func require() throws(AuditFault) { try audit?.require() }

    /// Logs why a new passkey was not registered. It is not an event of the account, in which nothing has changed.
    ///
    /// - Parameter reason: the server's word for the check, without text of a client.
    func tellUnregistered(_ purpose: CeremonyPurpose, account: AccountID, reason: String) {
        // A new account has no name that another line has.
        log("a new passkey was refused", account: purpose == .signUp ? nil : account, reason: reason)
    }

    /// Counts and logs an event after the transaction, so that a transaction that ran twice counts once.
    ///
    /// - Parameter reason: the server's word for the reason, without text of a client.
    func tell(_ event: SecurityEvent, account: AccountID? = nil, reason: String? = nil) {
        audit?.wake()
        reporting?.metrics.count(event: event.rawValue)
        log("security event", event, account: account, reason: reason)
    }

    private func log(
        _ message: Logger.Message, _ event: SecurityEvent? = nil, account: AccountID?, reason: String?
    ) {
        guard let reporting else { return }
        var metadata: [LogKey: Logger.MetadataValue] = [:]
        if let event { metadata[.event] = "\(event.rawValue)" }
        if let account { metadata[.account] = "\(account)" }
        if let reason { metadata[.reason] = "\(reason)" }
        if let id = RequestScope.id { metadata[.requestID] = "\(id)" }
        reporting.logger.notice(message, metadata: .of(metadata))
    }
}
