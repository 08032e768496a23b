internal import Secrets
internal import SecureStorage

/// The calls to the keychain that write. All of them block.
///
/// A name can have several values. The item is the value with the lowest revision, so that a new value does not count
/// until the old one is gone. A save does these steps:
///
/// 1. It proves that the keychain shows every record, and lists those of the name.
/// 2. It adds the new value under a new slot, with the next revision. The old value is still the item.
/// 3. It lists and reads the new value and compares it.
/// 4. It adds the witness, if the system can destroy the value on its own.
/// 5. It deletes the remains of interrupted saves, the latest first, and then the old value. With that deletion
///    the new value becomes the item.
/// 6. It deletes the old witnesses, and checks that all deleted records are gone.
///
/// A program that is killed between any two steps leaves the old value or the new value as the item, whole. Two
/// processes need no lock: a save deletes only records that it listed, and only while its own, later record exists;
/// therefore the latest record is never deleted without another one in its place.
struct KeychainSaving: Sendable {
    let records: KeychainRecords
    private var items: any KeychainItems { records.items }

    init(_ records: KeychainRecords) { self.records = records }

    /// Stores an item, and replaces an existing one, whatever its protection.
    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) throws(SecureStorageError) {
        for _ in 0..<AppleLimits.keychainRounds {
            if try replace(name, with: secret, attributes: attributes) { return }
            // Another process removed the new value before it counted.
        }
        throw .backend(.keychain, .malformedAnswer)
    }

    /// Does the steps once.
    ///
    /// - Returns: false if the new value vanished before it was compared. The item is then as it was, or as another
    ///   process saved it.
    private func replace(
        _ name: ItemName, with secret: borrowing SecretBytes, attributes: ItemAttributes
    ) throws(SecureStorageError) -> Bool {
        let installation = try records.installation()
        let old = try records.provenState(of: name, for: installation)
        guard !old.isOnlyEarlier else { throw .backend(.keychain, .earlierInstallation) }
        if old.own.isEmpty { try checkRoom(for: name) }

        let revision = (old.own.map(\.header.revision).max() ?? 0) + 1
        guard Limits.generation.contains(revision) else { throw .backend(.keychain, .malformedAnswer) }
        let header = KeychainHeader(
            attributes: attributes, policy: records.policy, revision: revision, installation: installation.current)
        let slot = records.random.publicBytes(count: 8).reduce(0) { $0 << 8 | UInt64($1) }
        let place = KeychainPlace(name, slot: slot, role: .value)
        let envelope = try KeychainEnvelope.seal(secret, as: name, header: header)

        try add(place, header: header, protection: header.protection, value: envelope)
        do {
            guard let new = try compare(place, header: header, envelope: envelope, installation: installation)
            else { return false }
            if header.isFragile { try addWitness(of: new) }
            for record in old.values.reversed() { try delete(record) }
        } catch {
            withdraw(place, ifAnyRemainsOf: old, for: installation)
            throw error
        }
        for record in old.witnesses { try delete(record) }
        try checkDeleted(old.own, of: name)
        return true
    }

    /// Removes the records of an item. - Returns: whether there were any.
    func delete(_ name: ItemName) throws(SecureStorageError) -> Bool {
        let state = try records.provenState(of: name, for: try records.installation())
        guard !state.isOnlyEarlier else { throw .backend(.keychain, .earlierInstallation) }
        guard !state.own.isEmpty else { return false }
        // The witnesses go first: a witness without its value would report a loss.
        for record in state.witnesses + state.values.reversed() { try delete(record) }
        try checkDeleted(state.own, of: name)
        return true
    }

    private func checkRoom(for name: ItemName) throws(SecureStorageError) {
        let accounts = try records.listing(of: name.service).map { finding in
            KeychainPlace(service: name.service, decoding: finding.key.account)?.name.account ?? finding.key.account
        }
        guard Set(accounts).count < Limits.itemCount else { throw .outsideLimits(.itemCount) }
    }

    private func add(
        _ place: KeychainPlace, header: KeychainHeader, protection: KeychainProtection, value: borrowing SecretBytes
    ) throws(SecureStorageError) {
        do throws(KeychainStatus) {
            try items.add(
                KeychainAddition(
                    service: records.namespace.service(place.name.service), account: place.account,
                    accessGroup: records.accessGroup, header: header.encoded, protection: protection),
                value: value)
        } catch .notAvailable where protection.accessibility == .whenPasscodeSetThisDeviceOnly {
            throw .backend(.keychain, .unavailable(.noPasscode))
        } catch {
            throw error.error(withUser: header.policy != .none)
        }
    }

    /// Compares the new value with what was to be stored.
    ///
    /// - Returns: its record; nil if the keychain does not have it.
    private func compare(
        _ place: KeychainPlace, header: KeychainHeader, envelope: borrowing SecretBytes, installation: Installation
    ) throws(SecureStorageError) -> KeychainRecord? {
        let state = try records.state(of: place.name, for: installation)
        guard let new = state.values.first(where: { $0.place == place }) else { return nil }
        guard new.header == header else { throw .backend(.keychain, .malformedAnswer) }
        // Items behind access control may be listed without their accessibility, and cannot be read without the user.
        guard new.accessibility == header.attributes.accessibility || (new.asksUser && new.accessibility == nil) else {
            throw .notHonoured(header.attributes.accessibility)
        }
        guard !new.asksUser else { return new }
        let stored: SecretBytes
        do throws(KeychainStatus) {
            stored = try items.value(of: new.key, prompt: .refused)
        } catch .itemNotFound {
            return nil
        } catch {
            throw error.error(withUser: false)
        }
        guard stored.matches(envelope) else { throw .backend(.keychain, .malformedAnswer) }
        return new
    }

    private func addWitness(of record: KeychainRecord) throws(SecureStorageError) {
        // The value is not used; some systems refuse an empty one.
        try add(
            KeychainPlace(record.place.name, slot: record.place.slot, role: .witness), header: record.header,
            protection: .accessible(.afterFirstUnlockThisDeviceOnly), value: SecretBytes(count: 1) { _ in })
    }

    func delete(_ record: KeychainRecord) throws(SecureStorageError) {
        do throws(KeychainStatus) {
            try items.delete(record.key)
        } catch .itemNotFound {
            return
        } catch {
            throw error.error(withUser: record.asksUser)
        }
    }

    private func checkDeleted(_ deleted: [KeychainRecord], of name: ItemName) throws(SecureStorageError) {
        let keys = Set(deleted.map(\.key))
        guard try records.listing(of: name.service).allSatisfy({ !keys.contains($0.key) }) else {
            throw .backend(.keychain, .malformedAnswer)
        }
    }

    /// Removes the new value of a save that failed, unless it has become the only one: a deletion that reports an
    /// error may have been done. What remains, the next save removes.
    private func withdraw(
        _ place: KeychainPlace, ifAnyRemainsOf old: KeychainItemState, for installation: Installation
    ) {
        guard let state = try? records.state(of: place.name, for: installation) else { return }
        let oldKeys = Set(old.values.map(\.key))
        guard old.values.isEmpty || state.values.contains(where: { oldKeys.contains($0.key) }) else { return }
        for record in state.own where record.place.slot == place.slot { try? delete(record) }
    }
}
