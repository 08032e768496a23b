internal import Foundation
internal import SecureStorage

/// Remembers the book that this machine has seen, and how new it was: neither an older copy, nor another book, nor none at all
/// is taken for it.
struct BookRollbackGuard: RollbackGuard {
    let path: String
    private var generations: GenerationFolder { GenerationFolder(at: path) }

    /// Whether a book was seen.
    var hasSeen: Bool {
        get throws(SecureStorageError) {
            guard FolderCreation.isOccupied(path) else { return false }
            do {
                return try FileManager.default.contentsOfDirectory(atPath: path).contains {
                    $0.hasSuffix(".generation")
                }
            } catch { throw .insecureFile }
        }
    }

    /// - Throws: ``SecureStorageError/alreadyExists`` if another book was seen.
    func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
        if let seen = try generations.lastSeen(of: vault) { return seen }
        guard try !hasSeen else { throw .alreadyExists }
        return nil
    }

    func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
        try generations.record(generation, of: vault)
    }
}
