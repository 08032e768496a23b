/// What keeps the server from starting and is no fault of a file or a connection.
public enum StartupError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The certificate or its key cannot be read.
    case certificateFile(String)
    /// The certificate and its key do not belong together.
    case otherCertificateKey
    /// A file with certificates of makers, or the metadata, cannot be read.
    case attestationFile(String)
    /// The metadata are older than some that a server of this store has read.
    case olderMetadata(path: String, number: Int64, seen: Int64)
    /// The store's keys are sealed under another master key.
    case otherMasterKey
    /// There is a store, and no vault that opens it: to make one would be of no use.
    case vaultIsMissing(String)
    /// The store is not SQLite.
    case noSQLite
    /// There is no store in that place.
    case noStore(String)
    /// There is no account of that id.
    case noSuchAccount
    /// The account has no passkey of that id.
    case noSuchPasskey
    /// The tables are an older version's.
    case olderTables
    /// A setting that the relying party of WebAuthn does not take.
    case relyingParty

    public var description: String {
        switch self {
        case .certificateFile(let path): "tls: \(path): cannot be read as PEM"
        case .otherCertificateKey: "tls: the key is not the certificate's"
        case .attestationFile(let path): "\(path): cannot be read as certificates or metadata"
        case .olderMetadata(let path, let number, let seen):
            "\(path): these metadata have the number \(number), and newer ones were read before, with the number \(seen)"
        case .otherMasterKey: "the store belongs to another master key"
        case .vaultIsMissing(let path): "\(path): is missing, and the store is sealed with it"
        case .noSQLite: "this is for a store of SQLite; PostgreSQL has pg_dump and pg_basebackup"
        case .noStore(let path): "\(path): there is no store"
        case .noSuchAccount: "there is no such account"
        case .noSuchPasskey: "the account has no such passkey"
        case .olderTables: "the store's tables are an older version's"
        case .relyingParty: "relying_party: the id or an origin is not one that browsers take"
        }
    }
}
