public import SecureStorage

/// A backend for the suite: it opens stores on one and the same place, and brings that place into failure states.
public protocol StoreRig: Sendable {
    /// Opens the place as a new process would. The first time it is empty.
    func open() async throws(SecureStorageError) -> any SecretStore

    /// Brings the place into a state.
    ///
    /// - Parameter store: the store that is open.
    /// - Returns: what calls must do in that state; nil if this backend has no such state.
    func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation?

    /// Leaves the state, as the user or the administrator would.
    func leave(_ state: FailureState) async throws
}

/// What calls must do in a failure state.
public struct Expectation: Sendable {
    /// The errors that loading may give; empty if it must return the item.
    public var loading: [SecureStorageError]
    /// The errors that saving and deleting may give; empty if both must work.
    public var saving: [SecureStorageError]
    /// Whether the state is a store that does not open. The errors are then those of opening.
    public var opens: Bool
    /// Whether the items are there again after the state. False only where the loss is what the backend promises.
    public var keepsItems: Bool

    /// Creates an expectation.
    public init(
        loading: [SecureStorageError], saving: [SecureStorageError], opens: Bool = true, keepsItems: Bool = true
    ) {
        self.loading = loading
        self.saving = saving
        self.opens = opens
        self.keepsItems = keepsItems
    }

    /// Every call fails with one of these faults of the backend.
    public static func all(_ backend: StoreBackend, _ faults: BackendFault..., opens: Bool = true) -> Expectation {
        let errors = faults.map { SecureStorageError.backend(backend, $0) }
        return Expectation(loading: errors, saving: errors, opens: opens)
    }
}
