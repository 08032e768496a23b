public import Secrets
public import SecureStorage

/// One of the entries that the Secret Service has under a name.
public struct StoredCopy: Equatable, Sendable {
    /// The content of an entry.
    public enum Content: Equatable, Sendable {
        /// A valid item.
        case item(ItemAttributes)
        /// Bytes that this library did not write, or that were changed since. The reason why they do not open.
        case unreadable(SecureStorageError)
    }

    /// The content of the entry.
    public let content: Content
    /// The time of the last change by the service's clock, in seconds since 1970.
    public let modified: UInt64
    /// The path of the object on the bus.
    let path: String
}

/// The repair of a name that has several different entries, or an entry of another program.
extension SecretServiceStore {
    /// Returns the entries under a name, the latest first.
    ///
    /// - Throws: the store's errors, and `SecureStorageError.outsideLimits` for more than 16 entries.
    public func copies(of name: ItemName) async throws(SecureStorageError) -> [StoredCopy] {
        try await perform { session throws(ServiceFault) in
            _ = try session.unlockedCollection()
            let paths = try session.items(named: name)
            guard paths.count <= Limits.copies else { throw .failed(.outsideLimits(.itemCount)) }
            var copies: [StoredCopy] = []
            for path in paths {
                let content: StoredCopy.Content
                do throws(ServiceFault) {
                    content = .item(try session.open(path, as: name).attributes)
                } catch {
                    guard case .failed(let reason) = error else { throw error }
                    content = .unreadable(reason)
                }
                copies.append(StoredCopy(content: content, modified: try session.modified(path), path: path))
            }
            return copies.sorted { ($1.modified, $0.path) < ($0.modified, $1.path) }
        }
    }

    /// Returns the secret of one entry, to compare it with others; nil if the entry is no longer there.
    public func load(_ copy: StoredCopy, of name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        try await perform { session throws(ServiceFault) -> SecretBytes? in
            _ = try session.unlockedCollection()
            guard try session.items(named: name).contains(copy.path) else { return nil }
            return try session.open(copy.path, as: name).opened()
        }
    }

    /// Removes one entry under a name, also one that this library did not write.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public func discard(_ copy: StoredCopy, of name: ItemName) async throws(SecureStorageError) -> Bool {
        try await perform { session throws(ServiceFault) in
            _ = try session.unlockedCollection()
            guard try session.items(named: name).contains(copy.path) else { return false }
            try session.remove(copy.path)
            guard try !session.items(named: name).contains(copy.path) else { throw .backend(.malformedAnswer) }
            return true
        }
    }
}
