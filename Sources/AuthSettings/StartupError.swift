public import ServerAudit

/// An error that keeps the server from starting, other than a failure of a file or a connection.
public enum StartupError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file with certificates of makers, or a metadata file, cannot be read.
    case attestationFile(String)
    /// The file cannot be the logo of the pages: its path, and the reason.
    case pageLogo(String, String)
    /// The metadata are older than metadata that a server of this store has read.
    case olderMetadata(path: String, number: Int64, seen: Int64)
    /// The store's keys are sealed under another master key.
    case otherMasterKey
    /// A store exists without the vault that opens it: a new vault would not open it.
    case vaultIsMissing(String)
    /// The store is not SQLite.
    case noSQLite
    /// No store exists at that path.
    case noStore(String)
    /// No account has that id.
    case noSuchAccount
    /// The account has no passkey of that id.
    case noSuchPasskey
    /// The tables have an older version.
    case olderTables
    /// The audit log in the folder cannot be used.
    case auditLog(folder: String, AuditFault)
    /// The file with the keys of witnessed logs cannot be read: its path, and the reason.
    case witnessedLogs(String, String)
    /// The file exists, and is not replaced.
    case fileExists(String)
    /// The settings name no reader of an audit log.
    case noAuditLog
    /// The audit log has no checkpoint yet.
    case noCheckpoint
    /// WebAuthn's relying party does not accept a setting.
    case relyingParty

    public var description: String {
        switch self {
        case .attestationFile(let path): "\(path): cannot be read as certificates or metadata"
        case .pageLogo(let path, let reason): "page.logo: \(path): \(reason)"
        case .olderMetadata(let path, let number, let seen):
            "\(path): these metadata have the number \(number), and newer ones were read before, with the number \(seen)"
        case .otherMasterKey: "the store belongs to another master key"
        case .vaultIsMissing(let path): "\(path): is missing, and the store is sealed with it"
        case .noSQLite: "this is for a store of SQLite; PostgreSQL has pg_dump and pg_basebackup"
        case .noStore(let path): "\(path): the store does not exist"
        case .noSuchAccount: "the account does not exist"
        case .noSuchPasskey: "the account does not have this passkey"
        case .olderTables: "the store's tables are an older version's"
        case .auditLog(let folder, let fault): "\(folder): \(fault.text)"
        case .witnessedLogs(let path, let reason): "witnessed_logs: \(path): \(reason)"
        case .fileExists(let path): "\(path): is there already, and is left as it is"
        case .noAuditLog: "the settings name no reader of an audit log"
        case .noCheckpoint: "the audit log has no checkpoint yet"
        case .relyingParty: "relying_party: the id or an origin is not one that browsers take"
        }
    }
}
