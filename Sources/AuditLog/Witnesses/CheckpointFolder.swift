internal import Encoding
internal import Files

/// Checkpoints in a folder, one file for each size of each log.
///
/// The folder must not be the log's, nor be set back together with it: on a server it is another disk, on a device
/// the folder of the vault's rollback guard. A program that can change both can hide a rollback; only a witness on
/// another machine prevents that.
public struct CheckpointFolder: CheckpointStore {
    private let path: String

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - path: the folder, which is made if it is missing.
    ///   - log: the folder of the log whose checkpoints these are, if it is on this machine.
    /// - Throws: ``AuditLogError/keyBesideLog`` if one of the folders is in the other.
    public init(at path: String, apartFrom log: String?) throws(AuditLogError) {
        do { try FolderCreation.make(path) } catch { throw AuditLogError(error) }
        if let log, FolderRelation.areNested(path, log) { throw .keyBesideLog }
        self.path = path
    }

    public func last(of origin: String) throws(AuditLogError) -> SignedNote? {
        do {
            let bytes = try AtomicFile.read(
                folder(of: origin) + "/last", limit: AuditLimits.note, access: .ownerOnly)
            guard let note = try? SignedNote(decoding: bytes) else { throw AuditLogError.portFailed(.checkpoints) }
            return note
        } catch FileError.notFound {
            return nil
        } catch {
            throw .portFailed(.checkpoints)
        }
    }

    public func keep(_ note: SignedNote, of checkpoint: Checkpoint) throws(AuditLogError) {
        let folder = folder(of: checkpoint.origin)
        // A note that cannot be read would stop the log, or the witness.
        guard (try? SignedNote(decoding: note.encoded)) == note else { throw .portFailed(.checkpoints) }
        // A cosignature of an older checkpoint can come late. It must not hide a newer one.
        let last = try last(of: checkpoint.origin).flatMap { try? Checkpoint(parsing: $0.text) }
        do {
            try FolderCreation.make(folder)
            // Two notes of one size differ only in their cosignatures; a second root of one size is kept beside the
            // first, because it proves that the log has forked.
            let name = "\(checkpoint.size)-\(Hex.encode(checkpoint.root.bytes.prefix(8)))"
            try AtomicFile.write(note.encoded, to: "\(folder)/\(name)", replacing: .allowed)
            guard last?.size ?? 0 <= checkpoint.size else { return }
            try AtomicFile.write(note.encoded, to: folder + "/last", replacing: .allowed)
        } catch {
            throw .portFailed(.checkpoints)
        }
    }

    /// Returns the number of checkpoints of an origin.
    package func count(of origin: String) throws(AuditLogError) -> Int {
        let files: DiskFiles
        do { files = try DiskFiles(at: folder(of: origin), isWritable: false) } catch .notFound { return 0 }
        // The others are the last one again, a lock, and the remains of an interrupted write.
        return try files.names().filter { $0.first?.isNumber == true }.count
    }

    /// The origin is hashed because it may contain `/`.
    private func folder(of origin: String) -> String {
        "\(path)/\(Hex.encode(TreeHash.plain([UInt8](origin.utf8)).bytes))"
    }
}
