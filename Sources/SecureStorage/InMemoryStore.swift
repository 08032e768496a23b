public import Secrets

/// A store in memory that ends with the process: a double for tests.
///
/// It models the failures of a real store: it honours only the accessibility levels that it is given, and has the
/// limits of other stores.
public actor InMemoryStore: SecretStore {
    private final class Entry {
        let secret: SecretBytes
        let attributes: ItemAttributes
        init(_ secret: consuming SecretBytes, _ attributes: ItemAttributes) {
            self.secret = secret
            self.attributes = attributes
        }
    }

    public nonisolated let backend = StoreBackend.memory
    private var entries: [ItemName: Entry] = [:]
    private let honoured: Set<Accessibility>

    @available(*, deprecated, message: "keeps nothing beyond this process: use VaultFile, or the platform's store")
    public init() { honoured = Set(Accessibility.allCases) }

    /// - Parameter honoured: the levels to honour; others are refused.
    package init(forTestingHonouring honoured: Set<Accessibility>) { self.honoured = honoured }

    public func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) throws(SecureStorageError) {
        guard honoured.contains(attributes.accessibility) else { throw .notHonoured(attributes.accessibility) }
        guard (1...Limits.itemSize).contains(secret.count) else { throw .outsideLimits(.itemSize) }
        guard entries[name] != nil || entries.count < Limits.itemCount else { throw .outsideLimits(.itemCount) }
        entries[name] = Entry(secret.clone(), attributes)
    }

    public func load(_ name: ItemName) -> SecretBytes? {
        guard let entry = entries[name] else { return nil }
        return entry.secret.clone()
    }

    public func attributes(of name: ItemName) -> ItemAttributes? { entries[name]?.attributes }

    @discardableResult
    public func delete(_ name: ItemName) -> Bool { entries.removeValue(forKey: name) != nil }

    public func names(in service: String?) -> [ItemName] {
        entries.keys.filter { service == nil || $0.service == service }.sorted()
    }

    public func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }

    public func close() {}
}
