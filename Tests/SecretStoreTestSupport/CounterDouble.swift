public import SecureStorage
internal import Synchronization

/// A counter in a chip, for the tests of one vault: it only counts up.
public final class CounterDouble: RollbackGuard {
    private let state: Mutex<(count: UInt64, fault: BackendFault?)>

    /// - Parameter count: where the counter begins.
    public init(at count: UInt64) { state = Mutex((count, nil)) }

    /// The count.
    public var count: UInt64 { state.withLock { $0.count } }

    /// Makes every call fail, until it is set to nil.
    public func fail(with fault: BackendFault?) { state.withLock { $0.fault = fault } }

    public var anchor: StoreBackend? { .tpm }

    public func firstGeneration(of vault: VaultID) throws(SecureStorageError) -> UInt64? { try checked() + 1 }

    public func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64? { try checked() }

    public func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
        _ = try checked()
        state.withLock { $0.count = max($0.count, generation) }
    }

    private func checked() throws(SecureStorageError) -> UInt64 {
        let (count, fault) = state.withLock { $0 }
        if let fault { throw .backend(.tpm, fault) }
        return count
    }
}
