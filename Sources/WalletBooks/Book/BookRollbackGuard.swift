internal import Files
internal import Foundation
internal import SecureStorage

/// Records which book this machine has seen, and its last generation. An older copy, another book, or a missing book is
/// then refused.
struct BookRollbackGuard: RollbackGuard {
    let path: String
    private var generations: GenerationFolder { GenerationFolder(at: path) }

    /// Whether this machine has seen a book.
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

    func makeFolder() throws(SecureStorageError) { try onDisk(FolderCreation.make(path)) }

    /// Returns the last generation of this book; nil if no book was seen.
    ///
    /// - Throws: `SecureStorageError.alreadyExists` if another book was seen.
    func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
        if let seen = try generations.lastSeen(of: vault) { return seen }
        guard try !hasSeen else { throw .alreadyExists }
        return nil
    }

    func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
        try generations.record(generation, of: vault)
    }
}
