internal import Files
public import Secrets
public import SecureStorage

/// The place of the current epoch's secret. It is not the folder of the log: a thief of the log alone can neither read
/// nor continue it.
public protocol EpochSecretStore: Sendable {
    /// Returns what was stored last; nil if nothing was.
    func load() async throws -> SecretBytes?

    /// Stores the secret durably, and erases the one before as well as the place can.
    ///
    /// - Throws: ``AuditLogError/diskFull`` for a full disk, which the log reports as such; any other error is a failure of
    ///   this store (``AuditLogError/portFailed(_:)``).
    func replace(with secret: borrowing SecretBytes) async throws
}

/// The secret in a file of its own, for servers, whose vault no person unlocks.
///
/// - Note: The file is replaced, not overwritten: blocks of the old one can remain on the disk until they are used
///   again. On a system with `systemd-creds` or a RAM disk, use those.
public struct EpochSecretFile: EpochSecretStore {
    private let path: String

    /// Creates a place for the secret of one log.
    ///
    /// - Throws: ``AuditLogError/keyBesideLog`` if the file would be in the log's folder, in a folder above it, or in
    ///   one below it.
    public init(at path: String, apartFrom log: String) throws(AuditLogError) {
        let folder = FolderRelation.folder(of: path)
        do { try FolderCreation.make(folder) } catch { throw AuditLogError(error) }
        guard !FolderRelation.areNested(folder, log) else { throw .keyBesideLog }
        self.path = path
    }

    public func load() throws(SecureStorageError) -> SecretBytes? {
        do {
            var bytes = try onDisk(AtomicFile.read(path, limit: EpochSecret.storedSize, access: .ownerOnly))
            return SecretBytes(moving: &bytes)
        } catch .notFound {
            return nil
        }
    }

    public func replace(with secret: borrowing SecretBytes) throws(SecureStorageError) {
        var bytes = secret.withUnsafeBytes { [UInt8]($0) }
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        try onDisk(AtomicFile.write(bytes, to: path, replacing: .allowed))
    }
}
