/// A counter in a chip that notes the identity of each new vault until its file is durable.
struct NotedCounter: RollbackGuard {
    let counter: any RollbackGuard
    let journal: CounterJournal

    var anchor: StoreBackend? { counter.anchor }

    func firstGeneration(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
        try journal.note(vault)
        return try counter.firstGeneration(of: vault)
    }

    func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64? { try counter.lastSeen(of: vault) }

    func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
        try counter.record(generation, of: vault)
        try journal.settle(vault)
    }

    func forget(_ vault: VaultID) throws(SecureStorageError) {
        try counter.forget(vault)
        try journal.settle(vault)
    }

    /// Removes the counters that interrupted programs have left. The caller holds the lock of the folder, so that no other
    /// process is between making a counter and writing its vault.
    ///
    /// Nothing is removed while a vault file in the folder cannot be read.
    /// - Throws: the errors of the chip; the notes stay.
    func removeUnnamed() throws(SecureStorageError) {
        guard let unnamed = try? journal.unnamed() else { return }
        for vault in unnamed { try forget(vault) }
        for vault in try journal.noted() where !unnamed.contains(vault) { try journal.settle(vault) }
    }
}
