internal import Secrets
public import SecureStorage
public import Time

/// The credentials of exchanges in a secret store: one namespace for each exchange, `fueki.exchange.binance` and
/// `fueki.exchange.kraken`.
///
/// A key that was revoked leaves a tombstone. It is written before the secret is deleted, so that an interrupted
/// revocation never leaves a usable key, and it refuses the same key for ever.
public struct Keyring: Sendable {
    private let store: any SecretStore

    /// Creates a keyring in a store.
    public init(in store: any SecretStore) { self.store = store }

    // MARK: Storing

    /// Stores a credential under a new label.
    ///
    /// - Throws: ``CredentialError/labelTaken``, ``CredentialError/revoked`` for a key that was revoked here before, and
    ///   the store's errors.
    public func add(_ credential: borrowing ExchangeCredential, as label: KeyLabel) async throws(CredentialError) {
        guard try await attributes(of: name(.key, label.text, credential.key.venue)) == nil else { throw .labelTaken }
        try await save(credential, as: label)
    }

    /// Replaces the credential of a label: a rotation. The old secret is gone when it returns; the key still has to be
    /// deleted at the exchange.
    ///
    /// - Throws: ``CredentialError/noKey``, ``CredentialError/revoked``, and the store's errors.
    public func replace(with credential: borrowing ExchangeCredential, as label: KeyLabel) async throws(CredentialError)
    {
        guard try await attributes(of: name(.key, label.text, credential.key.venue)) != nil else { throw .noKey }
        try await save(credential, as: label)
    }

    private func save(_ credential: borrowing ExchangeCredential, as label: KeyLabel) async throws(CredentialError) {
        let venue = credential.key.venue
        guard try await tombstone(of: credential.key.fingerprint, at: venue) == nil else { throw .revoked }
        let name = try name(.key, label.text, venue)
        // In this file the encoded credential exists only in guarded memory.
        let encoded = credential.encoded
        do throws(SecureStorageError) {
            try await store.save(encoded, as: name, attributes: .sensitive(.credential))
        } catch { throw .store(error) }
    }

    /// Removes a credential without a tombstone: for a key that is used elsewhere from now on.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ label: KeyLabel, at venue: Venue) async throws(CredentialError) -> Bool {
        let was = try await delete(name(.key, label.text, venue))
        try await delete(name(.use, label.text, venue))
        return was
    }

    /// Revokes a key on this machine: writes its tombstone, then wipes the credential.
    ///
    /// It does not revoke the key at the exchange: see ``EmergencyPlan``.
    ///
    /// - Throws: ``CredentialError/noKey``, and the store's errors.
    @discardableResult
    public func revoke(_ label: KeyLabel, at venue: Venue, now: Timestamp) async throws(CredentialError) -> Tombstone {
        guard let stored = try await stored(label, at: venue) else { throw .noKey }
        let tombstone =
            try await self.tombstone(of: stored.key.fingerprint, at: venue)
            ?? Tombstone(venue: venue, label: label, fingerprint: stored.key.fingerprint, revoked: now)
        try await save(tombstone.encoded, as: name(.revoked, tombstone.fingerprint, venue))
        try await remove(label, at: venue)
        return tombstone
    }

    /// Wipes the keys whose revocation was interrupted, and those of another label that were revoked as well.
    func finishRevocations() async throws(CredentialError) {
        for venue in Venue.allCases {
            for label in try await accounts(.key, at: venue) {
                guard let label = try? KeyLabel(label), await isRevoked(label, at: venue) else { continue }
                try await remove(label, at: venue)
            }
        }
    }

    /// Whether the stored key of a label was revoked. A key that this version cannot read is not used either, and must
    /// not keep the others from being changed.
    private func isRevoked(_ label: KeyLabel, at venue: Venue) async -> Bool {
        do throws(CredentialError) {
            guard let stored = try await stored(label, at: venue) else { return false }
            return try await load(name(.revoked, stored.key.fingerprint, venue)) != nil
        } catch { return false }
    }

    // MARK: Reading

    /// Returns the credential of a label.
    ///
    /// - Throws: ``CredentialError/noKey``; ``CredentialError/revoked`` if its revocation was interrupted, which is then
    ///   finished; the store's errors.
    public func credential(_ label: KeyLabel, at venue: Venue) async throws(CredentialError) -> ExchangeCredential {
        guard let credential = try await stored(label, at: venue) else { throw .noKey }
        if try await tombstone(of: credential.key.fingerprint, at: venue) != nil {
            // A store that is open only for reading cannot finish it; the next change of the keys does.
            _ = try? await remove(label, at: venue)
            throw .revoked
        }
        return credential
    }

    /// Returns the exchange whose key has a label.
    ///
    /// - Throws: ``CredentialError/noKey``; ``InputFault/severalVenues`` if keys of several exchanges have it; the store's
    ///   errors.
    public func venue(of label: KeyLabel) async throws(CredentialError) -> Venue {
        var found: [Venue] = []
        for venue in Venue.allCases where try await attributes(of: name(.key, label.text, venue)) != nil {
            found.append(venue)
        }
        guard let venue = found.first else { throw .noKey }
        guard found.count == 1 else { throw .invalid(.label, .severalVenues) }
        return venue
    }

    /// Returns the last revocation of a key that had this label, at any exchange; nil without one.
    public func tombstone(of label: KeyLabel) async throws(CredentialError) -> Tombstone? {
        var found: [Tombstone] = []
        for venue in Venue.allCases { found += try await tombstones(at: venue).filter { $0.label == label } }
        return found.max { $0.revoked < $1.revoked }
    }

    /// Returns the records of an exchange's keys, by label.
    public func records(at venue: Venue) async throws(CredentialError) -> [CredentialRecord] {
        var records: [CredentialRecord] = []
        for label in try await accounts(.key, at: venue) {
            guard let label = try? KeyLabel(label), let record = try await record(label, at: venue) else { continue }
            records.append(record)
        }
        return records
    }

    /// Returns the record of a key; nil if the key is not stored, or was revoked.
    public func record(_ label: KeyLabel, at venue: Venue) async throws(CredentialError) -> CredentialRecord? {
        guard let credential = try await stored(label, at: venue),
            try await tombstone(of: credential.key.fingerprint, at: venue) == nil
        else { return nil }
        let use = try await use(of: label, at: venue, fingerprint: credential.key.fingerprint)
        let hasPassphrase =
            switch credential.passphrase {
            case .some: true
            case .none: false
            }
        return CredentialRecord(
            venue: venue, label: label, method: credential.secret.method, hint: credential.key.hint,
            fingerprint: credential.key.fingerprint, hasPassphrase: hasPassphrase, created: credential.created,
            lastUsed: use.lastUsed, rights: use.probed == nil ? nil : use.rights, probed: use.probed)
    }

    /// Returns the keys that were revoked on this machine.
    public func tombstones(at venue: Venue) async throws(CredentialError) -> [Tombstone] {
        var tombstones: [Tombstone] = []
        for fingerprint in try await accounts(.revoked, at: venue) {
            if let tombstone = try await tombstone(of: fingerprint, at: venue) { tombstones.append(tombstone) }
        }
        return tombstones
    }

    // MARK: Use

    /// Notes that a key was used. It writes at most once an hour.
    package func noteUse(of label: KeyLabel, _ key: APIKey, now: Timestamp) async throws(CredentialError) {
        var use = try await use(of: label, at: key.venue, fingerprint: key.fingerprint)
        if let last = use.lastUsed, now.since(last) < CredentialLimits.usePrecision, now >= last { return }
        use.lastUsed = now
        try await save(use.encoded, as: name(.use, label.text, key.venue))
    }

    /// Notes the rights that a probe found.
    package func noteRights(_ rights: [KeyRight], of label: KeyLabel, _ key: APIKey, now: Timestamp)
        async throws(CredentialError)
    {
        var use = try await use(of: label, at: key.venue, fingerprint: key.fingerprint)
        use.rights = Array(rights.prefix(CredentialLimits.rights))
        use.probed = now
        use.lastUsed = now
        try await save(use.encoded, as: name(.use, label.text, key.venue))
    }

    private func use(
        of label: KeyLabel, at venue: Venue, fingerprint: String
    ) async throws(CredentialError) -> CredentialUse {
        guard let bytes = try await load(name(.use, label.text, venue)),
            let use = try? CredentialUse(decoding: bytes), use.fingerprint == fingerprint
        else { return CredentialUse(fingerprint: fingerprint) }
        return use
    }

    // MARK: The store

    fileprivate enum Part: String { case key, use, revoked }

    private func name(_ part: Part, _ text: String, _ venue: Venue) throws(CredentialError) -> ItemName {
        do throws(SecureStorageError) {
            return try ItemName(service: Self.service(of: venue), account: "\(part.rawValue)/\(text)")
        } catch { throw .store(error) }
    }

    /// The namespace of an exchange.
    static func service(of venue: Venue) -> String { "fueki.exchange.\(venue.rawValue)" }

    private func stored(_ label: KeyLabel, at venue: Venue) async throws(CredentialError) -> ExchangeCredential? {
        let name = try name(.key, label.text, venue)
        guard let encoded = try await secret(name) else { return nil }
        let credential = try ExchangeCredential(decoding: encoded)
        guard credential.key.venue == venue else { throw .store(.wrongKind) }
        return credential
    }

    private func tombstone(of fingerprint: String, at venue: Venue) async throws(CredentialError) -> Tombstone? {
        guard let bytes = try await load(name(.revoked, fingerprint, venue)) else { return nil }
        // A tombstone that cannot be read still stands for a revoked key.
        guard let tombstone = try? Tombstone(decoding: bytes, venue: venue, fingerprint: fingerprint) else {
            throw .revoked
        }
        return tombstone
    }

    private func secret(_ name: ItemName) async throws(CredentialError) -> SecretBytes? {
        do throws(SecureStorageError) { return try await store.load(name) } catch { throw .store(error) }
    }

    private func load(_ name: ItemName) async throws(CredentialError) -> [UInt8]? {
        guard let item = try await secret(name) else { return nil }
        return item.withUnsafeBytes { Array($0) }
    }

    private func save(_ bytes: [UInt8], as name: ItemName) async throws(CredentialError) {
        let item = SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
        do throws(SecureStorageError) {
            try await store.save(item, as: name, attributes: .sensitive(.other))
        } catch { throw .store(error) }
    }

    private func attributes(of name: ItemName) async throws(CredentialError) -> ItemAttributes? {
        do throws(SecureStorageError) { return try await store.attributes(of: name) } catch { throw .store(error) }
    }

    @discardableResult
    private func delete(_ name: ItemName) async throws(CredentialError) -> Bool {
        do throws(SecureStorageError) { return try await store.delete(name) } catch { throw .store(error) }
    }

    /// Returns the accounts of a part, without the part's name.
    private func accounts(_ part: Part, at venue: Venue) async throws(CredentialError) -> [String] {
        let prefix = "\(part.rawValue)/"
        do throws(SecureStorageError) {
            return try await store.names(in: Self.service(of: venue)).map(\.account)
                .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        } catch { throw .store(error) }
    }
}

extension ItemName {
    /// Whether the item is a note about the use of a key.
    var isNote: Bool { account.hasPrefix("\(Keyring.Part.use.rawValue)/") }

    /// Whether the item is a note about a key that is stored.
    func isNote(ofKeyIn names: Set<ItemName>) -> Bool {
        guard isNote else { return false }
        let label = account.dropFirst("\(Keyring.Part.use.rawValue)/".count)
        return names.contains { $0.service == service && $0.account == "\(Keyring.Part.key.rawValue)/\(label)" }
    }
}
