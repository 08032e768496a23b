internal import AuditLog
public import AuthSettings
internal import Encoding
internal import Files
internal import Secrets
internal import ServerAudit

/// The operator's commands about the audit log.
public enum AuditOperations {
    /// A new pair of keys for the reader of an audit log.
    public struct ReaderKeyReport: Equatable, Sendable {
        /// The file with the private key.
        public let path: String
        /// The public key in hexadecimal digits: the setting `audit.reader`.
        public let publicKey: String
    }

    /// Makes the keys of an audit log's reader. The private key goes to a file that only its owner can read; the server
    /// needs only the public key.
    ///
    /// - Parameter path: an absolute path where no file exists.
    /// - Throws: ``OperationFailure``; nothing is at the path then that was not there before.
    public static func makeReaderKey(at path: String) throws -> ReaderKeyReport {
        let secret = SecretBytes(count: 32, from: SystemRandom())
        var text = secret.withUnsafeBytes { Self.digits($0) } + [UInt8(ascii: "\n")]
        defer { text.withUnsafeMutableBytes { wipe($0) } }
        let key = try ReaderKey(secret)
        do { try AtomicFile.create(text, at: path, for: .owner) } catch { throw OperationFailure(error, newFile: path) }
        return ReaderKeyReport(path: path, publicKey: Hex.encode(key.publicKey))
    }

    /// Returns hexadecimal digits, without a table that the cache would reveal.
    private static func digits(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        bytes.flatMap { byte in
            [byte >> 4, byte & 15].map { $0 + UInt8(ascii: "0") + (($0 &+ 6) >> 4) * 39 }
        }
    }

    /// The last checkpoint of a server's audit log.
    public struct CheckpointReport: Equatable, Sendable {
        /// The signed note (C2SP tlog-checkpoint), with its last line ending.
        public let note: String
        /// The number of entries.
        public let entries: UInt64
    }

    /// Returns the last checkpoint that the server has signed and kept.
    ///
    /// - Throws: `StartupError.noAuditLog`, `StartupError.noCheckpoint`, `StartupError.auditLog`.
    public static func lastCheckpoint(
        _ configuration: ServerConfiguration, home: ServerHome
    ) throws -> CheckpointReport {
        guard let places = AuditPlaces(configuration.audit, home: home) else { throw StartupError.noAuditLog }
        do {
            guard home.hasFile(places.checkpointFolder), let note = try places.checkpoints().last(of: places.name)
            else { throw StartupError.noCheckpoint }
            guard let checkpoint = try? Checkpoint(parsing: note.text) else {
                throw AuditLogError.portFailed(.checkpoints)
            }
            return CheckpointReport(
                note: String(decoding: note.encoded, as: UTF8.self), entries: checkpoint.size)
        } catch let error as AuditLogError {
            throw StartupError.auditLog(folder: places.checkpointFolder, AuditFault(error))
        }
    }
}

extension OperationFailure {
    /// Creates a failure about a file that was to be made.
    fileprivate init(_ error: FileError, newFile path: String) {
        switch error {
        case .alreadyExists: self.init(StartupError.fileExists(path))
        case .notFound: self.init(.missing, "not_found", "\(path): the folder does not exist")
        case .diskFull: self.init(.unwritable, "disk_full", "\(path): the disk is full")
        default: self.init(.permissions, "not_permitted", "\(path): the system does not permit to make the file")
        }
    }
}
