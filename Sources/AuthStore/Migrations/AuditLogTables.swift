internal import SQLStore

extension Migration {
    /// Creates the queue of events that wait for an audit log, and the table of states of logs.
    static let auditLog = Migration(
        name: "008 audit log",
        definitions: [
            """
            CREATE TABLE audit_queue (
                log \(.bytes) NOT NULL CHECK (length(log) = 32),
                number \(.integer) NOT NULL,
                event_id \(.bytes) NOT NULL CHECK (length(event_id) = 16),
                event_sealed \(.bytes) NOT NULL,
                PRIMARY KEY (log, number, event_id)
            ) \(.strictByKey)
            """,
            """
            CREATE TABLE log_states (
                log \(.bytes) NOT NULL PRIMARY KEY CHECK (length(log) = 32),
                size \(.integer) NOT NULL CHECK (size >= 0),
                root \(.bytes) NOT NULL CHECK (length(root) = 32),
                note \(.bytes)
            ) \(.strict)
            """,
        ])
}
