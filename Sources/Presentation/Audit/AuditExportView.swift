internal import Texts

/// The result of exporting an audit log.
package struct AuditExportView: ResultView {
    /// The number of entries.
    let entries: UInt64
    /// The public key that signed the log's checkpoints, with which other programs verify the files.
    let logKey: String

    /// Creates a view.
    package init(entries: UInt64, logKey: String) {
        self.entries = entries
        self.logKey = logKey
    }

    package var text: String { "exported entries: \(entries)\nverify them with the key \(logKey)" }

    private enum CodingKeys: String, CodingKey {
        case entries
        case logKey = "log_key"
    }
}
