package import AuditLog
package import Logging
package import SQLStore
package import Secrets
package import ServerHTTP
package import ServiceLifecycle
package import Time

/// The audit log of a running server, with its parts.
package struct ServerAuditLog: Sendable {
    let gate: AuditGate
    package let outbox: AuditOutbox
    let copying: AuditCopying
    package let published: PublishedCheckpoint
    private let copyingService: AuditService

    /// Composes the parts. The log is opened by ``start()``.
    ///
    /// - Parameter signer: the key of the log; its name is that of the places.
    package init(
        _ places: AuditPlaces, database: any Database, sealer: ColumnSealer, signer: Ed25519Signer,
        clock: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Timestamp.Span,
        random: any RandomSource, logger: Logger, opening: @escaping AuditOpening = AuditPlaces.opening
    ) throws(AuditLogError) {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        gate = AuditGate(uptime: uptime)
        outbox = AuditOutbox(to: AuditOutbox.number(of: places.name), gate: gate, wakes: wake)
        published = PublishedCheckpoint()
        copying = AuditCopying(
            AuditCopying.Context(
                database: database, sealer: sealer, places: places,
                signer: signer, gate: gate, outbox: outbox, published: published, clock: clock, uptime: uptime,
                random: random, logger: logger, opening: opening))
        copyingService = AuditService(copying: copying, wakes: wakes, wake: wake)
    }

    /// Copies events into the log until the server ends, and closes the log.
    package var service: any Service { copyingService }

    /// The reason why the server refuses changes now; nil while the log takes events.
    package var fault: AuditFault? { gate.fault }

    /// The number of rows in the store's queue that no server can read.
    package var unreadable: Int { gate.unreadable }

    /// Opens the log, and copies the events that wait for it. With a full disk the server starts, and refuses changes
    /// until there is space: tokens are verified and refreshed meanwhile.
    ///
    /// - Throws: ``AuditFault`` if the log cannot be opened or written, and ``StoreError``.
    package func start() async throws {
        do { try await copying.start() } catch AuditFault.diskFull { await copying.fail(.diskFull) }
    }

    /// Registers the numbers of the log with the metrics.
    package func register(in metrics: Metrics) {
        let (gate, published) = (gate, published)
        metrics.gauge(
            "fuekid_audit_accepting", "Whether the audit log takes events: 1, or 0 while changes are refused."
        ) {
            gate.fault == nil ? 1 : 0
        }
        metrics.gauge("fuekid_audit_fault", "Why the audit log takes no events: 1 at the reason.", label: "reason") {
            let fault = gate.fault
            return Dictionary(uniqueKeysWithValues: AuditFault.allCases.map { ($0.rawValue, $0 == fault ? 1 : 0) })
        }
        metrics.gauge("fuekid_audit_waiting", "Events that wait for the audit log.") { Double(gate.waiting.count) }
        metrics.gauge("fuekid_audit_unreadable", "Events in the store's queue that no server can read: set aside.") {
            Double(gate.unreadable)
        }
        metrics.gauge("fuekid_audit_waiting_seconds", "How long the first of them has waited.") {
            Double(gate.waiting.time.milliseconds) / 1_000
        }
        metrics.gauge("fuekid_audit_checkpoint_entries", "Entries in the last checkpoint of the audit log.") {
            published.size.map { Double($0) }
        }
        metrics.counter(
            "fuekid_audit_refusals_omitted_total", "Refused attempts that the audit log has only as a number."
        ) { Double(gate.omittedSinceStart) }
    }
}
