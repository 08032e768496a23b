internal import Encoding
internal import Files

/// A rollback guard that keeps one small file for each vault in a folder of its own, such as the system's state folder.
///
/// It notices a vault file that was replaced by an older copy. It notices nothing if the folder is set back or emptied
/// as well: a program that can write to both can do that, and so does restoring a whole disk from a backup. The file
/// needs no authentication: forging a lower generation gains no more than restoring an old file, and a higher one only
/// makes the vault unusable.
public struct GenerationFolder: RollbackGuard {
    private static let magic = [UInt8]("FuekiGen".utf8)
    private static let version: UInt8 = 1
    static let fileSize = 8 + 1 + VaultID.size + 8

    private let path: String

    /// Creates a guard that keeps its files in the folder at `path`.
    ///
    /// - Parameter path: an existing folder, best not the one of the vault, and not on the same medium.
    public init(at path: String) { self.path = path }

    public func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
        let bytes: [UInt8]
        do {
            bytes = try onDisk(AtomicFile.read(file(of: vault), limit: Self.fileSize, access: .ownerOnly))
        } catch .notFound {
            // A missing file means that nothing was seen yet; a missing folder is an error.
            _ = try onDisk(Folder(at: path))
            return nil
        }
        guard let seen = try? Self.decode(bytes, of: vault) else { throw .damaged }
        return seen
    }

    public func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
        // Opening an up-to-date vault writes nothing; and the recorded generation never decreases.
        if let seen = try lastSeen(of: vault), seen >= generation { return }
        try onDisk(AtomicFile.write(Self.encode(generation, of: vault), to: file(of: vault), replacing: .allowed))
    }

    public func forget(_ vault: VaultID) throws(SecureStorageError) {
        if FolderCreation.isOccupied(file(of: vault)) { try onDisk(FolderCreation.removeFile(file(of: vault))) }
    }

    private func file(of vault: VaultID) -> String { "\(path)/\(vault).generation" }

    static func encode(_ generation: UInt64, of vault: VaultID) -> [UInt8] {
        magic + [version] + vault.bytes + generation.bigEndianBytes
    }

    static func decode(_ bytes: [UInt8], of vault: VaultID) throws(EncodingError) -> UInt64 {
        var reader = try ByteReader(bytes, limit: fileSize)
        guard try reader.bytes(magic.count).elementsEqual(magic), try reader.uint8() == version,
            try reader.bytes(VaultID.size).elementsEqual(vault.bytes)
        else { throw .unsupported }
        let generation = try reader.bigEndian(UInt64.self)
        try reader.finish()
        return generation
    }
}
