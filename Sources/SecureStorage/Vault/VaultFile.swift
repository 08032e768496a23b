public import Secrets

/// A vault in one file, opened with a passphrase: the store for machines without a keychain, and the form of share
/// files.
///
/// Every write replaces the whole file at once: when the call returns, it is durable and complete, or it did not
/// happen. One opener at a time can write; any number can read. `docs/formats/vault.md` describes the bytes.
///
/// It honours ``Accessibility/afterFirstUnlockThisDeviceOnly`` and ``Accessibility/afterFirstUnlock``, where opening
/// the vault is the unlock, and refuses the levels that depend on a device's screen lock.
///
/// - Warning: "this device only" binds the store, which never copies an item elsewhere. It cannot prevent other
///   programs from copying the file, which then is as safe as its passphrase is hard to guess.
public actor VaultFile: SecretStore {
    private let location: FileLocation
    private let freshness: Freshness
    private let random: any RandomSource
    private let stretcher: Stretcher
    /// The slot whose passphrase opened the vault; nil once that slot was removed.
    private var openedBy: UInt8?
    private var vault: Vault?
    private var lock: FileLock?

    /// The identity of the vault.
    public nonisolated let id: VaultID

    private init(
        _ vault: consuming Vault, at location: FileLocation, lock: FileLock?,
        freshness: Freshness, random: some RandomSource, stretcher: Stretcher
    ) {
        id = vault.id
        openedBy = vault.openedBy
        self.vault = consume vault
        self.location = location
        self.lock = lock
        self.freshness = freshness
        self.random = random
        self.stretcher = stretcher
    }
}

// MARK: Opening and closing

extension VaultFile {
    /// Makes a new vault in a file, and opens it for writing.
    ///
    /// - Parameters:
    ///   - path: the path of the new file; its folder exists.
    ///   - passphrase: 1...1024 bytes.
    ///   - freshness: how this and later writes are recorded.
    /// - Throws: ``SecureStorageError/alreadyExists`` if the path is taken, and the errors of writing.
    public static func create(
        at path: String, passphrase: borrowing SecretBytes, freshness: Freshness, random: some RandomSource
    ) throws(SecureStorageError) -> VaultFile {
        try create(at: path, passphrase: passphrase, freshness: freshness, random: random, stretching: .standard)
    }

    package static func create(
        at path: String, passphrase: borrowing SecretBytes, freshness: Freshness, random: some RandomSource,
        stretching: Stretching = .standard, stretcher: Stretcher = .real
    ) throws(SecureStorageError) -> VaultFile {
        let location = try FileLocation(path)
        let folder = try Folder(at: location.folder)
        let lock = try FileLock(of: location.name, in: try Folder(at: location.folder))
        guard !folder.contains(location.name) else { throw .alreadyExists }
        try folder.remove(AtomicFile.temporaryName(of: location.name))
        var vault = try Vault(
            passphrase: passphrase, stretching: stretching, by: stretcher, random: random)
        vault.state = vault.state.next
        try AtomicFile.write(
            try vault.encoded(vault.state, random: random), to: location.name, in: folder, holding: lock,
            replacing: .refused)
        try freshness.record(vault.state.generation, of: vault.id)
        return VaultFile(
            vault, at: location, lock: lock, freshness: freshness, random: random, stretcher: stretcher)
    }

    /// Opens a vault for reading and writing. No other opener can write until this one is closed or dropped.
    ///
    /// The remains of an interrupted write are removed. A passphrase slot of older software is rewritten.
    ///
    /// - Parameter freshness: the record with which the vault's generation is compared.
    /// - Throws: ``SecureStorageError/lockedByAnother(processID:)``, ``SecureStorageError/wrongPassphrase``,
    ///   ``SecureStorageError/rolledBack(found:expected:)``, ``SecureStorageError/insecureFile``, and whatever is wrong with the file.
    public static func open(
        at path: String, passphrase: borrowing SecretBytes, freshness: Freshness, random: some RandomSource
    ) throws(SecureStorageError) -> VaultFile {
        try open(at: path, passphrase: passphrase, freshness: freshness, random: random, stretcher: .real)
    }

    /// Opens a vault with an access mode and a key derivation of the caller's.
    ///
    /// - Parameter access: the required access mode. A share file may be on a stick without owners.
    package static func open(
        at path: String, passphrase: borrowing SecretBytes, freshness: Freshness, random: some RandomSource,
        access: AtomicFile.Access = .ownerOnly, stretcher: Stretcher
    ) throws(SecureStorageError) -> VaultFile {
        let location = try FileLocation(path)
        let folder = try Folder(at: location.folder)
        guard folder.contains(location.name) else { throw .notFound }
        let lock = try FileLock(of: location.name, in: try Folder(at: location.folder))
        try folder.remove(AtomicFile.temporaryName(of: location.name))
        let bytes = try AtomicFile.read(location.name, in: folder, limit: Limits.fileSize, access: access)
        var vault = try Vault(opening: bytes, passphrase: passphrase, by: stretcher)
        try freshness.check(vault.state.generation, of: vault.id)
        if vault.opensByLegacySlot {
            vault.state = try vault.settingPassphrase(passphrase, ofSlot: vault.openedBy, by: stretcher, random: random)
            try AtomicFile.write(
                try vault.encoded(vault.state, random: random), to: location.name, in: folder, holding: lock)
        }
        try freshness.record(vault.state.generation, of: vault.id)
        return VaultFile(
            vault, at: location, lock: lock, freshness: freshness, random: random,
            stretcher: stretcher)
    }

    /// Opens a vault only for reading. It takes no lock and writes nothing, so the file may be on a read-only medium,
    /// and may have any owner and mode.
    public static func openReadOnly(
        at path: String, passphrase: borrowing SecretBytes, freshness: Freshness
    ) throws(SecureStorageError) -> VaultFile {
        try openReadOnly(at: path, passphrase: passphrase, freshness: freshness, stretcher: .real)
    }

    package static func openReadOnly(
        at path: String, passphrase: borrowing SecretBytes, freshness: Freshness, stretcher: Stretcher
    ) throws(SecureStorageError) -> VaultFile {
        let location = try FileLocation(path)
        let bytes = try AtomicFile.read(path, limit: Limits.fileSize, access: .anyone)
        let vault = try Vault(opening: bytes, passphrase: passphrase, by: stretcher)
        try freshness.check(vault.state.generation, of: vault.id)
        return VaultFile(
            vault, at: location, lock: nil, freshness: freshness, random: SystemRandom(),
            stretcher: stretcher)
    }

    /// Writes one secret to a new vault file of its own, in a single step: a share file for a backup.
    ///
    /// Nothing but the file is left in the folder. Read it with ``openReadOnly(at:passphrase:freshness:)``.
    ///
    /// - Throws: ``SecureStorageError/alreadyExists`` if the path is taken, and the errors of writing.
    public static func seal(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes, at path: String,
        passphrase: borrowing SecretBytes, random: some RandomSource
    ) throws(SecureStorageError) {
        try honour(attributes)
        let vault = try Vault(passphrase: passphrase, random: random)
        let state = try vault.saving(secret, as: name, attributes: attributes, random: random)
        try AtomicFile.write(try vault.encoded(state, random: random), to: path, replacing: .refused)
    }

    /// Wipes the master key and releases the lock. The vault cannot be used afterwards; closing it again does nothing.
    public func close() {
        vault = nil
        lock = nil
    }
}

// MARK: Items

extension VaultFile {
    public func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) throws(SecureStorageError) {
        try Self.honour(attributes)
        guard let next = try vault?.saving(secret, as: name, attributes: attributes, random: random)
        else { throw .closed }
        try commit(next)
    }

    /// Removes some items and stores others in one write of the file: after a crash the vault has either all of these
    /// changes or none. Writes nothing if there is nothing to change.
    ///
    /// - Parameters:
    ///   - items: each replaces the item of its name. Of two with the same name the later one is stored.
    ///   - names: the items to remove first. An absent item is not an error.
    /// - Throws: ``SecureStorageError/notHonoured(_:)``, ``SecureStorageError/outsideLimits(_:)``, and the errors of
    ///   writing: the vault is then unchanged.
    public func saveAll(
        _ items: [UnsavedItem], deleting names: [ItemName] = []
    ) throws(SecureStorageError) {
        for item in items { try Self.honour(item.attributes) }
        let present = try state.items
        guard !items.isEmpty || names.contains(where: { present[$0] != nil }) else { return }
        guard let next = try vault?.saving(items, deleting: names, random: random) else { throw .closed }
        try commit(next)
    }

    public func load(_ name: ItemName) throws(SecureStorageError) -> SecretBytes? {
        _ = try state
        return try vault?.load(name)
    }

    public func attributes(of name: ItemName) throws(SecureStorageError) -> ItemAttributes? {
        try state.items[name]?.attributes
    }

    @discardableResult
    public func delete(_ name: ItemName) throws(SecureStorageError) -> Bool {
        var next = try state.next
        guard next.items.removeValue(forKey: name) != nil else { return false }
        try commit(next)
        return true
    }

    public func names(in service: String?) throws(SecureStorageError) -> [ItemName] {
        try state.items.keys.filter { service == nil || $0.service == service }.sorted()
    }

    /// The number of times that the vault was written: the number to keep for ``Freshness/atLeast(_:)``.
    public var generation: UInt64 {
        get throws(SecureStorageError) { try state.generation }
    }

    private static func honour(_ attributes: ItemAttributes) throws(SecureStorageError) {
        switch attributes.accessibility {
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: return
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
            throw .notHonoured(attributes.accessibility)
        }
    }

    private var state: Vault.State {
        get throws(SecureStorageError) {
            guard let state = vault?.state else { throw .closed }
            return state
        }
    }

    /// Makes the next state durable, and then adopts it.
    private func commit(_ next: Vault.State) throws(SecureStorageError) {
        guard let bytes = try vault?.encoded(next, random: random) else { throw .closed }
        guard let lock else { throw .notWritable }
        try AtomicFile.write(bytes, to: location.name, in: try Folder(at: location.folder), holding: lock)
        vault?.state = next
        try freshness.record(next.generation, of: id)
    }
}

// MARK: Passphrases

extension VaultFile {
    /// The numbers of the passphrase slots, in order.
    public var slots: [UInt8] {
        get throws(SecureStorageError) { try state.slots.map(\.number) }
    }

    /// Replaces the passphrase that opened the vault.
    ///
    /// - Warning: The master key stays. An earlier copy of the file still opens with the old passphrase.
    public func changePassphrase(to passphrase: borrowing SecretBytes) throws(SecureStorageError) {
        guard let openedBy else { throw .slotNotRemovable }
        try set(passphrase, ofSlot: openedBy)
    }

    /// Adds a passphrase beside the others. - Returns: the number of its slot.
    @discardableResult
    public func addPassphrase(_ passphrase: borrowing SecretBytes) throws(SecureStorageError) -> UInt8 {
        let taken = try slots
        guard taken.count < Limits.slotCount, let number = (1...UInt8.max).first(where: { !taken.contains($0) })
        else { throw .outsideLimits(.slotCount) }
        try set(passphrase, ofSlot: number)
        return number
    }

    /// Removes a passphrase. - Throws: ``SecureStorageError/slotNotRemovable`` for the last one, or one that does not
    /// exist.
    public func removePassphrase(inSlot number: UInt8) throws(SecureStorageError) {
        var next = try state.next
        next.slots.removeAll { $0.number == number }
        guard !next.slots.isEmpty, next.slots.count < (try slots.count) else { throw .slotNotRemovable }
        try commit(next)
        if number == openedBy { openedBy = nil }
    }

    private func set(_ passphrase: borrowing SecretBytes, ofSlot number: UInt8) throws(SecureStorageError) {
        guard lock != nil else { throw .notWritable }
        guard
            let next = try vault?.settingPassphrase(
                passphrase, ofSlot: number, by: stretcher, random: random)
        else { throw .closed }
        try commit(next)
    }
}
