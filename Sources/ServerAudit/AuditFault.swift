/// The reason why an audit log does not take events. While there is one, the server refuses every change that it would
/// have to log. The texts are stable.
public enum AuditFault: String, Error, CaseIterable, Sendable {
    /// The disk of the log is full.
    case diskFull = "disk_full"
    /// The system cannot read or write the log.
    case unwritable
    /// Too many events wait for the log.
    case backlog
    /// An event has waited too long for the log.
    case delay
    /// The log is shorter than before, or its entries are not those that were written.
    case changed
    /// The log belongs to another name or another reader.
    case otherLog = "other_log"
    /// Another key signed the log's last checkpoint.
    case otherKey = "other_key"
    /// Another program has the log open.
    case inUse = "in_use"
    /// Another server of the same store writes a log of the same name.
    case otherServer = "other_server"
    /// The secret of the current epoch is missing, or older than the log.
    case secretMissing = "secret_missing"
    /// The folders of the log, of its secret and of its checkpoints lie in one another.
    case keyBesideLog = "key_beside_log"
    /// The checkpoints or the secret cannot be read or written.
    case portFailed = "port_failed"
    /// An event that waited in the store was changed or removed there.
    case queueChanged = "queue_changed"
    /// The log has a later format than this program knows, or a setting is outside the limits.
    case unsupported
}

extension AuditFault {
    /// The fault of the log in a folder, for the operator.
    package var text: String {
        switch self {
        case .diskFull: "the disk of the audit log is full"
        case .unwritable: "the audit log cannot be read or written"
        case .backlog: "too many events wait for the audit log"
        case .delay: "an event has waited too long for the audit log"
        case .changed: "the audit log is missing, was cut, or was changed: it had other entries before"
        case .otherLog: "the audit log has another name or another reader than the settings"
        case .otherKey: "another key has signed the last checkpoint of the audit log"
        case .inUse: "another process has the audit log open"
        case .otherServer: "another server of this store writes an audit log of the same name"
        case .secretMissing: "the secret of the audit log is missing, or older than the log"
        case .keyBesideLog: "the folder of the audit log lies in that of its secret or its checkpoints, or around it"
        case .portFailed: "the checkpoints or the secret of the audit log cannot be read or written"
        case .queueChanged: "an event that waited for the audit log was changed or removed in the store"
        case .unsupported: "the audit log has a later format than this program knows, or its reader's key is not valid"
        }
    }

    /// The step that the operator can take; nil if the text says it all.
    package var hint: String? {
        switch self {
        case .changed:
            "find out who did it; put the newest copy of the folder back, or begin a new log with another audit.name"
        case .otherLog, .otherKey: "a new log begins with another audit.name; keep the old one"
        case .queueChanged: "the log has the event; find out who can write to the store, and restart the server"
        case .otherServer: "give each server an audit.name of its own"
        case .secretMissing: "put the file back, or set audit.replace_lost_secret once"
        case .keyBesideLog: "see audit.folder, audit.secret_folder and audit.checkpoint_folder"
        case .diskFull, .unwritable, .backlog, .delay, .inUse, .portFailed, .unsupported: nil
        }
    }
}
