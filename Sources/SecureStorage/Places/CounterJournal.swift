internal import Files
internal import Foundation

/// The identities of vaults whose counters a chip may have although no vault file names them, in the folder `counters`
/// beside the vault files.
///
/// An identity is noted before its counter is made, and before its vault file goes. So a program that ends between two
/// steps leaves no counter that nothing names, which would take up room in the chip for ever. Only these identities are
/// ever cleaned up: the label of a counter follows from the identity, so that no other program's index, and no counter of
/// another folder's vaults, can be meant.
struct CounterJournal: Sendable {
    /// The path of the folder with one empty file for each identity.
    let path: String
    /// The folder with the vault files.
    private let vaults: String

    /// - Parameter folder: the folder with the vault files.
    init(in folder: String) {
        path = "\(folder)/counters"
        vaults = folder
    }

    private static let ending = ".counter"
    /// The endings of vault files, also while one is written anew.
    private static let vaultEndings = [".vault", ".vault.new"]

    private func file(of vault: VaultID) -> String { "\(path)/\(vault)\(Self.ending)" }

    /// Notes an identity, durably.
    func note(_ vault: VaultID) throws(SecureStorageError) {
        try onDisk(FolderCreation.make(path))
        try onDisk(AtomicFile.write([], to: file(of: vault), replacing: .allowed))
    }

    /// Removes the note of a vault that has a file, or of a counter that the chip no longer has.
    func settle(_ vault: VaultID) throws(SecureStorageError) {
        guard FolderCreation.isOccupied(file(of: vault)) else { return }
        try onDisk(FolderCreation.removeForGood(file(of: vault)))
        FolderCreation.removeIfEmpty(path)
    }

    /// Returns the noted identities. Other files in the folder are left alone.
    func noted() throws(SecureStorageError) -> [VaultID] {
        try onDisk(FolderCreation.names(in: path, limit: Limits.itemCount)).sorted().compactMap { name in
            guard name.hasSuffix(Self.ending) else { return nil }
            return VaultID(String(name.dropLast(Self.ending.count)))
        }
    }

    /// Returns the noted identities that no vault file in the folder has.
    ///
    /// - Throws: an error if one of these files cannot be read: it may have any identity.
    func unnamed() throws(SecureStorageError) -> [VaultID] {
        let noted = try noted()
        guard !noted.isEmpty else { return [] }
        var named: Set<VaultID> = []
        for name in try onDisk(FolderCreation.names(in: vaults, limit: Limits.itemCount))
        where Self.vaultEndings.contains(where: { name.hasSuffix($0) }) {
            named.insert(try VaultFile.id(ofFileAt: "\(vaults)/\(name)"))
        }
        return noted.filter { !named.contains($0) }
    }
}
