/// The name of a stored value, with the class of its data as a type: an app declares each one once, and the compiler
/// then refuses every storage that is too weak for it.
///
/// ```swift
/// let balances = try DataKey<SensitiveData>("portfolio", "balances")
/// try await file.set(bytes, for: balances)   // a SealedFile; a PlainFile does not compile
/// ```
public struct DataKey<Class: Classification>: Hashable, Sendable {
    /// The full name.
    public let name: ItemName
    /// The maximum size of the value in bytes.
    public let limit: Int

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - service: the namespace: 1...255 printable ASCII characters.
    ///   - account: the value within it: 1...255 printable ASCII characters.
    ///   - limit: the maximum size of the value: 1 byte to 1 MiB.
    /// - Throws: ``SecureStorageError/outsideLimits(_:)``.
    public init(_ service: String, _ account: String, limit: Int = 64 << 10) throws(SecureStorageError) {
        guard (1...Limits.itemSize).contains(limit) else { throw .outsideLimits(.itemSize) }
        name = try ItemName(service: service, account: account)
        self.limit = limit
    }
}
