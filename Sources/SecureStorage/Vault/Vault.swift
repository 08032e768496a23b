internal import Crypto
internal import Encoding
internal import Files
package import Secrets

/// An opened vault as a value: the master key and the contents. It does no input or output.
package struct Vault: ~Copyable {
    /// The state that a write changes. A separate value, so that a failed write leaves the vault as it was.
    struct State: Equatable, Sendable {
        var generation: UInt64
        var slots: [Slot]
        var items: [ItemName: SealedItem]
    }

    package let id: VaultID
    /// The device that counts the generations; nil for none.
    let anchor: StoreBackend?
    /// The number of the slot whose passphrase opened the vault.
    let openedBy: UInt8
    let masterKey: SecretBytes
    var state: State

    /// Creates a vault with a new master key and one passphrase, at generation 0: the first write makes it 1.
    ///
    /// - Parameters:
    ///   - device: the device that the passphrase is to need; nil for none.
    ///   - anchor: the device that counts the generations; nil for none.
    package init(
        passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil, anchor: StoreBackend? = nil,
        stretching: Stretching = .standard, by stretcher: Stretcher = .real, random: some RandomSource
    ) throws(SecureStorageError) {
        try self.init(
            passphrase: passphrase, form: .normalised, device: device, anchor: anchor, stretching: stretching,
            by: stretcher, random: random)
    }

    /// Creates a vault like ``init(passphrase:device:anchor:stretching:by:random:)``; with the given form it is one of
    /// older software.
    ///
    /// - Parameter id: the identity, which was drawn for this vault; nil to draw one.
    init(
        _ id: VaultID? = nil, passphrase: borrowing SecretBytes, form: PassphraseForm, device: (any DeviceSealer)?,
        anchor: StoreBackend?, stretching: Stretching, by stretcher: Stretcher, random: some RandomSource
    ) throws(SecureStorageError) {
        try Self.check(passphrase)
        let id = id ?? VaultID(from: random)
        let masterKey = SecretBytes(count: Sealing.keySize, from: random)
        let slot = try Slot(
            number: 1, wrapping: masterKey, of: id, for: passphrase, device: device, stretching: stretching,
            form: form, by: stretcher, random: random)
        self.id = id
        self.anchor = anchor
        self.masterKey = masterKey
        openedBy = slot.number
        state = State(generation: 0, slots: [slot], items: [:])
    }

    /// Opens the bytes of a vault file, and checks all of them.
    ///
    /// - Parameter device: the device that a slot may need.
    /// - Throws: ``BackendFault/required`` if a slot needs a device that was not given, and the device's errors.
    package init(
        opening bytes: [UInt8], passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil,
        by stretcher: Stretcher = .real
    ) throws(SecureStorageError) {
        let image = try VaultImage(decoding: bytes)
        try Self.check(passphrase)
        var openedBy: UInt8 = 0
        let masterKey = try Self.unwrap(image, with: passphrase, device: device, by: stretcher, openedBy: &openedBy)
        try self.init(image, masterKey: masterKey, openedBy: openedBy)
    }

    private static func unwrap(
        _ image: VaultImage, with passphrase: borrowing SecretBytes, device: (any DeviceSealer)?,
        by stretcher: Stretcher, openedBy: inout UInt8
    ) throws(SecureStorageError) -> SecretBytes {
        var missing: StoreBackend?
        // A device counts wrong passphrases, so it is asked last: the passphrase may be that of another slot.
        for slot in image.slots.filter({ $0.binding == nil }) + image.slots.filter({ $0.binding != nil }) {
            if let needed = slot.binding?.backend, needed != device?.backend {
                missing = needed
                continue
            }
            openedBy = slot.number
            if let masterKey = try slot.unwrap(of: image.id, with: passphrase, device: device, by: stretcher) {
                return masterKey
            }
        }
        if let missing { throw .backend(missing, .required) }
        throw .wrongPassphrase
    }

    private init(
        _ image: VaultImage, masterKey: consuming SecretBytes, openedBy: UInt8
    ) throws(SecureStorageError) {
        // The MAC comes first: it also commits the file to one master key, which AES-GCM alone does not.
        let mac = Sealing.authenticationCode(of: image.header, key: Self.headerKey(masterKey, of: image.id))
        guard constantTimeEquals(mac, image.mac) else { throw .tampered(.header) }
        let indexKey = Sealing.key(from: masterKey, salt: image.indexSalt, purpose: Purpose.index)
        let context = Self.indexContext(image.id, image.generation)
        guard let sealedIndex = Sealing.open(image.sealedIndex, key: indexKey, bindingTo: context)
        else { throw .tampered(.index) }
        let index = sealedIndex.withUnsafeBytes { try? VaultIndex(decoding: $0, upTo: image.generation) }
        guard let index else { throw .tampered(.index) }
        let items = try Self.place(image.items, by: index)
        id = image.id
        anchor = image.anchor
        state = State(generation: image.generation, slots: image.slots, items: items)
        self.masterKey = masterKey
        self.openedBy = openedBy
    }

    /// Splits the items and checks that each belongs to its entry.
    private static func place(
        _ bytes: [UInt8], by index: VaultIndex
    ) throws(SecureStorageError) -> [ItemName: SealedItem] {
        var rest = bytes[...]
        var items: [ItemName: SealedItem] = [:]
        for entry in index.entries {
            let sealed = [UInt8](rest.prefix(entry.sealedSize))
            rest = rest.dropFirst(entry.sealedSize)
            let digest = Sealing.digest(of: sealed)
            guard digest == entry.digest else {
                throw index.entries.contains { $0.digest == digest } ? .itemSwapped : .tampered(.item)
            }
            items[entry.name] = SealedItem(
                name: entry.name, attributes: entry.attributes, generation: entry.generation, salt: entry.salt,
                sealed: sealed)
        }
        guard rest.isEmpty else { throw .tampered(.item) }
        return items
    }

    private static func check(_ passphrase: borrowing SecretBytes) throws(SecureStorageError) {
        guard (1...SecretFile.longestPassphrase).contains(passphrase.count) else { throw .outsideLimits(.passphrase) }
    }

    private static func headerKey(_ masterKey: borrowing SecretBytes, of id: VaultID) -> SymmetricKey {
        Sealing.key(from: masterKey, salt: id.bytes, purpose: Purpose.header)
    }

    private static func indexContext(_ id: VaultID, _ generation: UInt64) -> [UInt8] {
        id.bytes + generation.bigEndianBytes
    }
}

// MARK: Reading and changing

extension Vault {
    /// Returns whether the slot that this passphrase opened is from older software, and is to be rewritten.
    borrowing func opensByOutdatedSlot(_ passphrase: borrowing SecretBytes) -> Bool {
        for slot in state.slots where slot.number == openedBy { return slot.isOutdated(for: passphrase) }
        return false
    }

    package borrowing func load(_ name: ItemName) throws(SecureStorageError) -> SecretBytes? {
        guard let item = state.items[name] else { return nil }
        return try item.open(under: masterKey, of: id)
    }

    /// Returns the state after storing an item. It takes effect when it is assigned.
    borrowing func saving(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes, random: some RandomSource
    ) throws(SecureStorageError) -> State {
        var next = state.next
        next.items[name] = try SealedItem(
            sealing: secret, as: name, attributes: attributes, generation: next.generation, under: masterKey, of: id,
            random: random)
        guard next.items.count <= Limits.itemCount else { throw .outsideLimits(.itemCount) }
        return next
    }

    /// Returns the state after removing some items and storing others, all of one generation. It takes effect when it
    /// is assigned.
    borrowing func saving(
        _ items: [UnsavedItem], deleting names: [ItemName], random: some RandomSource
    ) throws(SecureStorageError) -> State {
        var next = state.next
        for name in names { next.items[name] = nil }
        for item in items {
            next.items[item.name] = try SealedItem(
                sealing: item.content.secret, as: item.name, attributes: item.attributes, generation: next.generation,
                under: masterKey, of: id, random: random)
        }
        guard next.items.count <= Limits.itemCount else { throw .outsideLimits(.itemCount) }
        return next
    }

    /// Returns the state after setting the passphrase of a slot; a slot of a new number is added.
    ///
    /// Only the master key is wrapped again. An earlier copy of the file still opens with the old passphrase.
    ///
    /// - Parameters:
    ///   - device: the device that the passphrase is to need; nil for none.
    ///   - form: the form in which the passphrase is stretched; with the given one the slot is one of older software.
    borrowing func settingPassphrase(
        _ passphrase: borrowing SecretBytes, ofSlot number: UInt8, device: (any DeviceSealer)? = nil,
        stretching: Stretching = .standard, form: PassphraseForm = .normalised, by stretcher: Stretcher,
        random: some RandomSource
    ) throws(SecureStorageError) -> State {
        try Self.check(passphrase)
        var next = state.next
        next.slots.removeAll { $0.number == number }
        guard next.slots.count < Limits.slotCount else { throw .outsideLimits(.slotCount) }
        let slot = try Slot(
            number: number, wrapping: masterKey, of: id, for: passphrase, device: device, stretching: stretching,
            form: form, by: stretcher, random: random)
        next.slots.append(slot)
        next.slots.sort { $0.number < $1.number }
        return next
    }

    /// Returns the bytes of the file for a state of this vault.
    borrowing func encoded(_ state: State, random: some RandomSource) throws(SecureStorageError) -> [UInt8] {
        precondition(Limits.generation.contains(state.generation), "a state is written once it is a next state")
        let items = state.items.values.sorted { $0.name < $1.name }
        let salt = random.publicBytes(count: Sealing.saltSize)
        let indexKey = Sealing.key(from: masterKey, salt: salt, purpose: Purpose.index)
        let sealedIndex = VaultIndex(of: items).encoded.withUnsafeBytes { index in
            Sealing.seal(index, key: indexKey, bindingTo: Self.indexContext(id, state.generation))
        }
        var image = VaultImage(
            id: id, generation: state.generation, anchor: anchor, slots: state.slots, indexSalt: salt,
            sealedIndex: sealedIndex,
            items: items.flatMap(\.sealed))
        guard image.size <= Limits.fileSize else { throw .outsideLimits(.fileSize) }
        image.mac = Sealing.authenticationCode(of: image.header, key: Self.headerKey(masterKey, of: id))
        return image.encoded
    }
}

extension Vault.State {
    /// This state with the next generation.
    var next: Vault.State {
        var next = self
        next.generation += 1
        return next
    }
}
