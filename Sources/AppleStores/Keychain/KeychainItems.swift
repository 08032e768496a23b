public import Secrets

/// The system's keychain, as far as ``KeychainStore`` uses it: the port that `SystemKeychain` conforms to on Apple's
/// systems.
///
/// Every conformer keeps to these rules:
///
/// - All items are generic passwords of the data-protection keychain that are not synchronised. A conformer says so in
///   each call, also in queries.
/// - A query matches on the given attributes only. It never matches on the accessibility: a query with another
///   accessibility does not find the item, while adding it reports a duplicate.
/// - The calls block. ``KeychainStore`` limits their time.
///
/// The port has no update. The system asks the user before it updates an item with access control, and an update with
/// another accessibility fails, or is ignored. ``KeychainStore`` adds a second item instead and then removes the first.
public protocol KeychainItems: Sendable {
    /// Adds an item, without showing a prompt.
    ///
    /// - Throws: ``KeychainStatus/duplicateItem`` if an item has the same service, account and access group.
    func add(_ item: KeychainAddition, value: borrowing SecretBytes) throws(KeychainStatus)

    /// Returns the attributes of all matching items, without decrypting a value or showing a prompt.
    ///
    /// A conformer lets the system fail where it needs the user. It must not let the system skip the item, because a
    /// skipped item looks absent.
    ///
    /// - Throws: ``KeychainStatus/itemNotFound`` if no item matches.
    func list(_ query: KeychainQuery) throws(KeychainStatus) -> [KeychainFinding]

    /// Returns the value of one item.
    func value(of key: KeychainKey, prompt: KeychainPrompt) throws(KeychainStatus) -> SecretBytes

    /// Deletes one item, without showing a prompt.
    ///
    /// - Throws: ``KeychainStatus/itemNotFound`` if the item does not exist.
    func delete(_ key: KeychainKey) throws(KeychainStatus)
}

/// Whether reading a value may show the system's prompt.
public enum KeychainPrompt: Equatable, Sendable {
    /// The system must fail instead of showing a prompt.
    case refused
    /// The system may show a prompt with this reason.
    case allowed(reason: String)
}
