package import Files
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
    /// The device that opened the vault, or may be added to it.
    private let device: (any DeviceSealer)?
    /// The slot whose passphrase opened the vault; nil once that slot was removed.
    private var openedBy: UInt8?
    private var vault: Vault?
    private var lock: FileLock?

    /// The identity of the vault.
    public nonisolated let id: VaultID
    public nonisolated let backend = StoreBackend.vault

    private init(
        _ vault: consuming Vault, at location: FileLocation, lock: FileLock?,
        freshness: Freshness, random: some RandomSource, device: (any DeviceSealer)?, stretcher: Stretcher
    ) {
        id = vault.id
        openedBy = vault.openedBy
        self.vault = consume vault
        self.location = location
        self.lock = lock
        self.freshness = freshness
        self.random = random
        self.device = device
        self.stretcher = stretcher
    }
}

// MARK: Opening and closing

extension VaultFile {
    /// Makes a new vault in a file, and opens it for writing.
    ///
    /// - Parameters:
    ///   - path: the path of the new file; its folder exists.
    ///   - passphrase: 1...1024 bytes. ``PassphraseText`` tells whether the same words will open the vault.
    ///   - freshness: how this and later writes are recorded.
    ///   - device: the device that the passphrase is to need; nil for a passphrase alone.
    /// - Throws: ``SecureStorageError/alreadyExists`` if the path is taken, the device's errors, and the errors of writing.
    public static func create(
        at path: String, passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, freshness: Freshness,
        random: some RandomSource
    ) throws(SecureStorageError) -> VaultFile {
        try create(
            at: path, passphrase: passphrase, device: device, freshness: freshness, random: random,
            stretching: .standard)
    }

    package static func create(
        at path: String, passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, freshness: Freshness,
        random: some RandomSource, stretching: Stretching = .standard, stretcher: Stretcher = .real
    ) throws(SecureStorageError) -> VaultFile {
        let location = try onDisk(FileLocation(path))
        let folder = try onDisk(Folder(at: location.folder))
        let lock = try onDisk(FileLock(on: path))
        guard !folder.contains(location.name) else { throw .alreadyExists }
        try onDisk(folder.remove(AtomicFile.temporaryName(of: location.name)))
        var vault = try Vault(
            passphrase: passphrase, device: device, anchor: freshness.anchor, stretching: stretching, by: stretcher,
            random: random)
        let id = vault.id
        do throws(SecureStorageError) {
            vault.state.generation = try freshness.firstGeneration(of: id)
            let bytes = try vault.encoded(vault.state, random: random)
            try onDisk(
                AtomicFile.write(bytes, to: location.name, in: folder, holding: lock, replacing: .refused))
        } catch {
            // The counter of a vault that does not exist would stay in its chip for ever.
            freshness.forget(id)
            throw error
        }
        try freshness.record(vault.state.generation, of: id)
        return VaultFile(
            vault, at: location, lock: lock, freshness: freshness, random: random, device: device, stretcher: stretcher)
    }

    /// Opens a vault for reading and writing. No other opener can write until this one is closed or dropped.
    ///
    /// The remains of an interrupted write are removed. A passphrase slot of older software is rewritten if a newer one
    /// protects it better, or opens with the same text in other bytes.
    ///
    /// - Parameters:
    ///   - device: the device that the passphrase may need. It is not used unless a slot needs it.
    ///   - freshness: the record with which the vault's generation is compared.
    /// - Throws: ``SecureStorageError/lockedByAnother(processID:)``, ``SecureStorageError/wrongPassphrase``,
    ///   ``SecureStorageError/backend(_:_:)``, ``SecureStorageError/rolledBack(found:expected:)``,
    ///   ``SecureStorageError/insecureFile``, and whatever is wrong with the file.
    public static func open(
        at path: String, passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, freshness: Freshness,
        random: some RandomSource
    ) throws(SecureStorageError) -> VaultFile {
        try open(
            at: path, passphrase: passphrase, device: device, freshness: freshness, random: random, stretcher: .real)
    }

    /// Opens a vault with an access mode and a key derivation of the caller's.
    ///
    /// - Parameter access: the required access mode. A share file may be on a stick without owners.
    package static func open(
        at path: String, passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, freshness: Freshness,
        random: some RandomSource, access: AtomicFile.Access = .ownerOnly, stretcher: Stretcher
    ) throws(SecureStorageError) -> VaultFile {
        let location = try onDisk(FileLocation(path))
        let folder = try onDisk(Folder(at: location.folder))
        guard folder.contains(location.name) else { throw .notFound }
        let lock = try onDisk(FileLock(on: path))
        try onDisk(folder.remove(AtomicFile.temporaryName(of: location.name)))
        let bytes = try onDisk(AtomicFile.read(location.name, in: folder, limit: Limits.fileSize, access: access))
        var vault = try Vault(opening: bytes, passphrase: passphrase, device: device, by: stretcher)
        try freshness.requireAnchor(vault.anchor)
        try freshness.check(vault.state.generation, of: vault.id)
        if vault.opensByOutdatedSlot(passphrase) {
            vault.state = try vault.settingPassphrase(passphrase, ofSlot: vault.openedBy, by: stretcher, random: random)
            let bytes = try vault.encoded(vault.state, random: random)
            try onDisk(AtomicFile.write(bytes, to: location.name, in: folder, holding: lock))
        }
        try freshness.record(vault.state.generation, of: vault.id)
        return VaultFile(
            vault, at: location, lock: lock, freshness: freshness, random: random, device: device,
            stretcher: stretcher)
    }

    /// Opens a vault only for reading. It takes no lock and writes nothing, so the file may be on a read-only medium,
    /// and may have any owner and mode.
    public static func openReadOnly(
        at path: String, passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, freshness: Freshness
    ) throws(SecureStorageError) -> VaultFile {
        try openReadOnly(at: path, passphrase: passphrase, device: device, freshness: freshness, stretcher: .real)
    }

    package static func openReadOnly(
        at path: String, passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, freshness: Freshness,
        stretcher: Stretcher
    ) throws(SecureStorageError) -> VaultFile {
        let location = try onDisk(FileLocation(path))
        let bytes = try onDisk(AtomicFile.read(path, limit: Limits.fileSize, access: .anyone))
        let vault = try Vault(opening: bytes, passphrase: passphrase, device: device, by: stretcher)
        // A copy that may be old needs no counter.
        if case .unchecked = freshness {} else { try freshness.requireAnchor(vault.anchor) }
        try freshness.check(vault.state.generation, of: vault.id)
        return VaultFile(
            vault, at: location, lock: nil, freshness: freshness, random: SystemRandom(), device: device,
            stretcher: stretcher)
    }

    /// Writes one secret to a new vault file of its own, in a single step: a share file for a backup.
    ///
    /// Nothing but the file is left in the folder. Read it with ``openReadOnly(at:passphrase:device:freshness:)``.
    ///
    /// - Parameter device: the device that the passphrase is to need; nil for a passphrase alone.
    /// - Throws: ``SecureStorageError/alreadyExists`` if the path is taken, the device's errors, and the errors of writing.
    public static func seal(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes, at path: String,
        passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, random: some RandomSource
    ) throws(SecureStorageError) {
        try seal(
            secret, as: name, attributes: attributes, at: path, id: VaultID(from: random), passphrase: passphrase,
            device: device, random: random)
    }

    /// Writes one secret to a new vault file, whose id the caller has drawn for it and written down before.
    package static func seal(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes, at path: String, id: VaultID,
        passphrase: borrowing SecretBytes, device: (any DeviceSealer)?, random: some RandomSource
    ) throws(SecureStorageError) {
        try honour(attributes)
        let vault = try Vault(
            id, passphrase: passphrase, form: .normalised, device: device, anchor: nil, stretching: .standard,
            by: .real, random: random)
        let state = try vault.saving(secret, as: name, attributes: attributes, random: random)
        let bytes = try vault.encoded(state, random: random)
        try onDisk(AtomicFile.write(bytes, to: path, replacing: .refused))
    }

    /// Returns the id of a vault file without opening it. Only a passphrase shows that the file is what it claims.
    package static func id(ofFileAt path: String) throws(SecureStorageError) -> VaultID {
        try head(ofFileAt: path).id
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
        try write(bytes)
        vault?.state = next
        try freshness.record(next.generation, of: id)
    }

    private func write(_ bytes: [UInt8]) throws(SecureStorageError) {
        guard let lock else { throw .notWritable }
        try onDisk(AtomicFile.write(bytes, to: location.name, in: Folder(at: location.folder), holding: lock))
    }
}

// MARK: Passphrases

extension VaultFile {
    /// The numbers of the passphrase slots, in order.
    public var slots: [UInt8] {
        get throws(SecureStorageError) { try state.slots.map(\.number) }
    }

    /// Replaces the passphrase that opened the vault. A slot that needs the device needs it afterwards, too.
    ///
    /// - Warning: The master key stays. An earlier copy of the file still opens with the old passphrase.
    public func changePassphrase(to passphrase: borrowing SecretBytes) throws(SecureStorageError) {
        guard let openedBy, let slot = try state.slots.first(where: { $0.number == openedBy }) else {
            throw .slotNotRemovable
        }
        try set(passphrase, ofSlot: openedBy, device: slot.binding == nil ? nil : device)
    }

    /// Seals the whole vault again under a new master key, with one passphrase: no earlier passphrase, and no master key
    /// from an earlier copy, opens anything of the file as it is from now on. A vault that needs the device needs it
    /// afterwards, too.
    ///
    /// It is one write of the file. After a crash the file is as before, or rekeyed.
    ///
    /// - Warning: All other passphrases of the vault are removed. An earlier copy of the file still opens with the
    ///   passphrase of its time.
    /// - Parameter passphrase: 1...1024 bytes. ``PassphraseText`` tells whether the same words will open the vault.
    /// - Throws: ``SecureStorageError/slotNotRemovable`` for a vault that has a passphrase with the device and one
    ///   without it, because one of them would be lost; the device's errors, and the errors of writing: the vault is
    ///   then unchanged.
    public func rekey(to passphrase: borrowing SecretBytes) throws(SecureStorageError) {
        let needsDevice = try state.slots.contains { $0.binding != nil }
        guard lock != nil else { throw .notWritable }
        guard
            let next = try vault?.rekeyed(
                to: passphrase, device: needsDevice ? device : nil, by: stretcher, random: random)
        else { throw .closed }
        try write(next.encoded(next.state, random: random))
        let generation = next.state.generation
        openedBy = next.openedBy
        vault = consume next
        try freshness.record(generation, of: id)
    }

    /// Adds a passphrase beside the others, which opens the vault without any device.
    ///
    /// - Returns: the number of its slot.
    @discardableResult
    public func addPassphrase(_ passphrase: borrowing SecretBytes) throws(SecureStorageError) -> UInt8 {
        try add(passphrase, device: nil)
    }

    /// Adds a passphrase that opens the vault only together with a device. A vault has one at most: a second one would
    /// cost an attempt of the first one's at each opening.
    ///
    /// - Throws: ``SecureStorageError/alreadyExists`` if the vault has one.
    /// - Returns: the number of its slot.
    @discardableResult
    public func addPassphrase(
        _ passphrase: borrowing SecretBytes, device: any DeviceSealer
    ) throws(SecureStorageError) -> UInt8 {
        guard try !state.slots.contains(where: { $0.binding != nil }) else { throw .alreadyExists }
        return try add(passphrase, device: device)
    }

    /// Seals a slot for a device anew, after a change of what the device had bound it to: other firmware, a new chip.
    ///
    /// - Throws: ``SecureStorageError/slotNotRemovable`` if the slot does not exist, or needs no device.
    public func reseal(
        slot number: UInt8, passphrase: borrowing SecretBytes, device: any DeviceSealer
    ) throws(SecureStorageError) {
        guard let slot = try state.slots.first(where: { $0.number == number }), slot.binding != nil else {
            throw .slotNotRemovable
        }
        try set(passphrase, ofSlot: number, device: device)
    }

    /// Adds a passphrase that needs no device, unless there is one.
    func requireRecovery(_ passphrase: borrowing SecretBytes?) throws(SecureStorageError) {
        guard try state.slots.allSatisfy({ $0.binding != nil }) else { return }
        switch passphrase {
        case .some(let passphrase): try addPassphrase(passphrase)
        case .none: throw .outsideLimits(.passphrase)
        }
    }

    /// Returns the device that a slot needs; nil for a passphrase alone, and for a slot that does not exist.
    public func device(ofSlot number: UInt8) throws(SecureStorageError) -> StoreBackend? {
        try state.slots.first { $0.number == number }?.binding?.backend
    }

    /// The device that counts the generations; nil for none.
    public var anchor: StoreBackend? { vault?.anchor }

    private func add(
        _ passphrase: borrowing SecretBytes, device: (any DeviceSealer)?
    ) throws(SecureStorageError) -> UInt8 {
        let taken = try slots
        guard taken.count < Limits.slotCount, let number = (1...UInt8.max).first(where: { !taken.contains($0) })
        else { throw .outsideLimits(.slotCount) }
        try set(passphrase, ofSlot: number, device: device)
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

    private func set(
        _ passphrase: borrowing SecretBytes, ofSlot number: UInt8, device: (any DeviceSealer)?
    ) throws(SecureStorageError) {
        guard lock != nil else { throw .notWritable }
        guard
            let next = try vault?.settingPassphrase(
                passphrase, ofSlot: number, device: device, by: stretcher, random: random)
        else { throw .closed }
        try commit(next)
    }
}
