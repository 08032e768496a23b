/// Records the last generation of a vault that was seen, in a place that is not rolled back together with the vault.
///
/// It protects only as well as that place. A guard on the same disk notices a vault file that was replaced by an old
/// copy; it does not notice a whole disk or machine that was set back.
public protocol RollbackGuard: Sendable {
    /// The device that counts; nil for a guard that a program can set back. A vault that was made with such a guard opens
    /// for writing only with it.
    var anchor: StoreBackend? { get }

    /// Begins to count for a new vault.
    ///
    /// - Returns: the vault's first generation; nil for 1.
    func firstGeneration(of vault: VaultID) throws(SecureStorageError) -> UInt64?

    /// Returns the last recorded generation of the vault; nil without one.
    func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64?

    /// Records a generation, once the vault is durable at it.
    func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError)

    /// Removes what is recorded about a vault that is deleted. A vault that is not known is not an error.
    func forget(_ vault: VaultID) throws(SecureStorageError)
}

extension RollbackGuard {
    public var anchor: StoreBackend? { nil }

    public func firstGeneration(of vault: VaultID) throws(SecureStorageError) -> UInt64? { nil }

    public func forget(_ vault: VaultID) throws(SecureStorageError) {}
}

/// How an opened vault is compared with earlier generations.
public enum Freshness: Sendable {
    /// The generation is not checked: for a copy that may be old, such as a backup.
    case unchecked
    /// The vault must be at this generation or a later one.
    case atLeast(UInt64)
    /// The vault must be at the generation that the guard saw last, or a later one. The guard trusts the first vault
    /// that it sees.
    case guarded(by: any RollbackGuard)

    func check(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
        let expected: UInt64
        switch self {
        case .unchecked: return
        case .atLeast(let least): expected = least
        case .guarded(by: let rollbackGuard): expected = try rollbackGuard.lastSeen(of: vault) ?? 0
        }
        guard generation >= expected else { throw .rolledBack(found: generation, expected: expected) }
    }

    /// The device that counts for the vault; nil for none.
    var anchor: StoreBackend? {
        if case .guarded(by: let rollbackGuard) = self { rollbackGuard.anchor } else { nil }
    }

    /// Refuses to write a vault that a device counts without that device: its generation would leave the counter behind.
    func requireAnchor(_ anchor: StoreBackend?) throws(SecureStorageError) {
        if let anchor, anchor != self.anchor { throw .backend(anchor, .required) }
    }

    func firstGeneration(of vault: VaultID) throws(SecureStorageError) -> UInt64 {
        guard case .guarded(by: let rollbackGuard) = self else { return 1 }
        let first = try rollbackGuard.firstGeneration(of: vault) ?? 1
        guard Limits.generation.contains(first) else { throw .outsideLimits(.generation) }
        return first
    }

    /// Removes what is recorded about a vault that could not be made.
    func forget(_ vault: VaultID) {
        if case .guarded(by: let rollbackGuard) = self { try? rollbackGuard.forget(vault) }
    }

    func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
        if case .guarded(by: let rollbackGuard) = self { try rollbackGuard.record(generation, of: vault) }
    }
}
