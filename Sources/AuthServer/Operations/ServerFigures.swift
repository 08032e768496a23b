internal import AuthStore
internal import SQLStore
internal import ServerHTTP
internal import Time
internal import WebAuthn

/// The numbers that the parts of the server report about themselves. Names and units follow Prometheus' conventions;
/// `docs/operations.md` describes the alerts.
struct ServerFigures {
    let metrics: Metrics
    let database: any Database
    let connections: ConnectionTable
    let keys: KeyRing
    let certificateExpiry: Reading
    let attestationPolicies: Reloadable<AttestationPolicy>
    let clock: @Sendable () -> Timestamp

    /// Registers them with the metrics.
    func register() {
        metrics.begin(events: SecurityEvent.allCases.map(\.rawValue), limits: Limited.allKinds)
        let version = ServerVersion.text
        metrics.gauge("fuekid_build_info", "The version that runs.", label: "version") { () -> [String: Double] in
            [version: 1]
        }
        registerStore()
        registerConnections()
        registerHeldBytes()
        registerDates()
        ProcessFigures.register(in: metrics)
    }

    private func registerStore() {
        let database = database
        metrics.gauge(
            "fuekid_store_waiting",
            "Writes that wait for the writer of SQLite, or transactions that wait for a connection of PostgreSQL."
        ) { Double(database.load.waiting) }
        metrics.counter(
            "fuekid_store_waits_total", "Writes or transactions that have begun, and waited before, be it for no time."
        ) { Double(database.load.waits) }
        metrics.counter("fuekid_store_wait_seconds_total", "How long all of those waited together.") {
            let (seconds, attoseconds) = database.load.waited.components
            return Double(seconds) + Double(attoseconds) * 1e-18
        }
        guard database.load.logPages != nil else { return }
        metrics.gauge(
            "fuekid_store_log_pages", "Pages in the write-ahead log of SQLite as of the last commit, of 4,096 bytes."
        ) { database.load.logPages.map(Double.init) }
    }

    private func registerConnections() {
        let table = connections
        metrics.gauge("fuekid_connections", "Open connections, by what they are at.", label: "state") {
            let open = table.counts.open
            return Dictionary(
                uniqueKeysWithValues: ConnectionTable.Stage.allCases.map { ($0.rawValue, Double(open[$0] ?? 0)) })
        }
        metrics.counter(
            "fuekid_connections_refused_total", "Connections that were refused, by the reason.", label: "reason"
        ) {
            let refused = table.counts.refused
            return Dictionary(
                uniqueKeysWithValues: ConnectionTable.Refusal.allCases.map { ($0.rawValue, Double(refused[$0] ?? 0)) })
        }
        metrics.counter(
            "fuekid_connections_ended_total", "Connections that the server has closed, by the reason.", label: "reason"
        ) {
            let ended = table.counts.ended
            return Dictionary(
                uniqueKeysWithValues: ConnectionTable.Ending.allCases.map { ($0.rawValue, Double(ended[$0] ?? 0)) })
        }
    }

    private func registerHeldBytes() {
        let table = connections
        metrics.gauge(
            "fuekid_connections_held_bytes", "Bytes of answers and requests that are held for clients that do not read."
        ) { Double(table.counts.heldBytes) }
    }

    private func registerDates() {
        let (keys, clock) = (keys, clock)
        metrics.gauge(
            "fuekid_key_rotation_seconds",
            "Until the newest key of a purpose is to be followed. The next key is made a day before: less than that is late.",
            label: "purpose"
        ) {
            let now = clock()
            return Dictionary(
                uniqueKeysWithValues: keys.current.rotations.map {
                    ($0.key.rawValue, Double($0.value.since(now).milliseconds) / 1000)
                })
        }
        let expiry = certificateExpiry
        metrics.gauge(
            "fuekid_tls_certificate_expiry_seconds", "Until the certificate of this server expires. Absent without TLS."
        ) { expiry.value.map { $0 - Double(clock().milliseconds) / 1000 } }
        // SIGHUP replaces these values.
        let policies = attestationPolicies
        guard policies.current.metadata != nil else { return }
        metrics.gauge(
            "fuekid_metadata_next_update_seconds",
            "Until FIDO's metadata are to be replaced by newer ones. After a day below zero they count as out of date."
        ) { policies.current.metadata.map { Double($0.blob.nextUpdate - clock().milliseconds) / 1000 } }
        metrics.gauge("fuekid_metadata_number", "The number of FIDO's metadata.") {
            policies.current.metadata.map { Double($0.blob.number) }
        }
    }
}
