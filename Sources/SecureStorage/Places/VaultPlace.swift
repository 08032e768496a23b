internal import Files
internal import Foundation
public import Secrets

/// A vault file as a place: `NAME.vault`, and `NAME.seen` with its last generation.
public struct VaultPlace: StorePlace {
    /// The path of the vault file.
    public let path: String
    private let seen: String
    private let device: (any DeviceSealer)?
    private let counter: NotedCounter?

    /// Creates the value. Changes nothing on the disk.
    ///
    /// - Parameters:
    ///   - stem: the path without `.vault`.
    ///   - device: the chip that the passphrase needs; nil for a passphrase alone.
    ///   - counter: the counter in a chip; nil for a file of generations beside the vault.
    public init(stem: String, device: (any DeviceSealer)? = nil, counter: (any RollbackGuard)? = nil) {
        path = "\(stem).vault"
        seen = "\(stem).seen"
        self.device = device
        let folder = (try? FileLocation(path).folder) ?? "."
        self.counter = counter.map { NotedCounter(counter: $0, journal: CounterJournal(in: folder)) }
    }

    public var backend: StoreBackend { device?.backend ?? .vault }
    public var needsPassphrase: Bool { true }

    private var freshness: Freshness {
        if let counter { .guarded(by: counter) } else { .guarded(by: GenerationFolder(at: seen)) }
    }

    public func presence() -> StorePresence {
        if FolderCreation.isOccupied(path) { return .present }
        return hasSeen ? .missing : .absent
    }

    /// Whether this machine has seen a vault here. A folder that cannot be read counts as one.
    private var hasSeen: Bool {
        guard FolderCreation.isOccupied(seen) else { return false }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: seen) else { return true }
        return names.contains { $0.hasSuffix(Self.mark) }
    }

    private static let mark = ".generation"

    /// Makes the folders of the vault and of its generations: one that is missing is not an old generation.
    private func makeFolder() throws(SecureStorageError) {
        try onDisk(FolderCreation.make(counter == nil ? seen : FileLocation(path).folder))
    }

    public func create(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) throws(SecureStorageError) -> any SecretStore {
        try makeFolder()
        let counters = try lockCounters()
        defer { _ = consume counters }
        try counter?.removeUnnamed()
        return try VaultFile.create(
            at: path, passphrase: passphrase, device: device, freshness: freshness, random: random)
    }

    /// Takes the right to make and remove counters of this folder's vaults; nil without a chip that counts.
    private func lockCounters() throws(SecureStorageError) -> FileLock? {
        guard let counter else { return nil }
        return try onDisk(FileLock(on: counter.journal.path))
    }

    public func open(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) throws(SecureStorageError) -> any SecretStore {
        try makeFolder()
        return try VaultFile.open(
            at: path, passphrase: passphrase, device: device, freshness: freshness, random: random)
    }

    public func openReadOnly(passphrase: borrowing SecretBytes) throws(SecureStorageError) -> any SecretStore {
        try makeFolder()
        return try VaultFile.openReadOnly(at: path, passphrase: passphrase, device: device, freshness: freshness)
    }

    public func requireIntact() throws(SecureStorageError) {
        let image = try image(at: path)
        let freshness = freshness
        try freshness.requireAnchor(image.anchor)
        try freshness.check(image.generation, of: image.id)
    }

    private func image(at path: String) throws(SecureStorageError) -> VaultImage {
        try VaultImage(decoding: onDisk(AtomicFile.read(path, limit: Limits.fileSize, access: .ownerOnly)))
    }

    public func destroy() throws(SecureStorageError) {
        for file in [freshPath, path] {
            do throws(SecureStorageError) { try forgetCounter(ofVaultAt: file) } catch {
                // A chip that is gone has no counter to remove.
                switch error {
                case .backend(_, .unavailable(.noDevice)), .backend(_, .bindingChanged): break
                default: throw error
                }
            }
        }
        try? removeUnnamedCounters()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: seen)) ?? [] where name.hasSuffix(Self.mark) {
            try onDisk(FolderCreation.removeFile("\(seen)/\(name)"))
        }
        // Also the remains of interrupted writes.
        try onDisk(FolderCreation.removeForGood(freshPath))
        try onDisk(FolderCreation.removeForGood(path))
        FolderCreation.removeIfEmpty(seen)
    }

    private func removeUnnamedCounters() throws(SecureStorageError) {
        let counters = try lockCounters()
        defer { _ = consume counters }
        try counter?.removeUnnamed()
    }

    private var freshPath: String { "\(path).new" }

    /// Opens the vault for reading with a passphrase that needs no chip, and without the chip's counter.
    func openWithoutChip(recovery: borrowing SecretBytes) throws(SecureStorageError) -> any SecretStore {
        do throws(SecureStorageError) {
            return try VaultFile.openReadOnly(at: path, passphrase: recovery, freshness: .unchecked)
        } catch .backend(_, .required) { throw .wrongPassphrase }
    }

    /// A chip that still counts for this file can tell that it is an old copy, whatever the user believes.
    func requireNewestForCounter() throws(SecureStorageError) {
        guard let counter, FolderCreation.isOccupied(path) else { return }
        let image = try image(at: path)
        if let seen = try? counter.lastSeen(of: image.id), seen > image.generation {
            throw .rolledBack(found: image.generation, expected: seen)
        }
    }

    /// Removes the counter of a vault file, which would stay in the chip for ever.
    private func forgetCounter(ofVaultAt path: String) throws(SecureStorageError) {
        guard let counter, let id = try? image(at: path).id else { return }
        try counter.forget(id)
    }

    /// Seals the vault for its chip anew. See ``StoreHome/reseal(recovery:pin:isNewChip:acceptingOlder:random:)``.
    func reseal(
        recovery: borrowing SecretBytes, pin: borrowing SecretBytes, isNewChip: Bool, acceptingOlder: Bool,
        random: any RandomSource
    ) async throws(SecureStorageError) {
        guard let device else { throw .slotNotRemovable }
        if isNewChip, !acceptingOlder { try requireNewestForCounter() }
        if isNewChip { return try await rewrite(recovery: recovery, pin: pin, device: device, random: random) }
        try makeFolder()
        let vault: VaultFile
        do throws(SecureStorageError) {
            // Without the chip, so that a wrong passphrase is not an attempt at the PIN.
            vault = try VaultFile.open(
                at: path, passphrase: recovery, device: nil, freshness: freshness, random: random)
        } catch .backend(_, .required) { throw .wrongPassphrase }
        do throws(SecureStorageError) {
            for slot in try await vault.slots where try await vault.device(ofSlot: slot) != nil {
                try await vault.reseal(slot: slot, passphrase: pin, device: device)
            }
        } catch {
            await vault.close()
            throw error
        }
        await vault.close()
    }

    /// Writes all items into a new vault, with a counter of its own, and puts it in place of the old one in one step.
    private func rewrite(
        recovery: borrowing SecretBytes, pin: borrowing SecretBytes, device: any DeviceSealer, random: any RandomSource
    ) async throws(SecureStorageError) {
        let lock = try onDisk(FileLock(on: path))
        defer { _ = consume lock }
        let counters = try lockCounters()
        defer { _ = consume counters }
        let image = try image(at: path)
        let old = try openWithoutChip(recovery: recovery)
        // An earlier attempt may have been interrupted, before its file took the place of this one or after it.
        if let remains = try? self.image(at: freshPath).id, remains != image.id { try counter?.forget(remains) }
        try onDisk(FolderCreation.removeForGood(freshPath))
        try counter?.removeUnnamed()
        let new = try VaultFile.create(
            at: freshPath, passphrase: pin, device: device, freshness: freshness, random: random)
        do throws(SecureStorageError) {
            try await new.addPassphrase(recovery)
            var items: [UnsavedItem] = []
            for name in try await old.names(in: nil) {
                guard let secret = try await old.load(name), let attributes = try await old.attributes(of: name) else {
                    throw .damaged
                }
                items.append(UnsavedItem(secret, as: name, attributes: attributes))
            }
            try await new.saveAll(items)
        } catch {
            await new.close()
            throw error
        }
        await new.close()
        await old.close()
        let bytes = try onDisk(AtomicFile.read(freshPath, limit: Limits.fileSize, access: .ownerOnly))
        let location = try onDisk(FileLocation(path))
        try counter?.journal.note(image.id)
        try onDisk(
            AtomicFile.write(
                bytes, to: location.name, in: Folder(at: location.folder), holding: lock))
        // The old counter goes last. If the chip no longer has it, there is nothing to remove.
        try? counter?.forget(image.id)
        try onDisk(FolderCreation.removeForGood(freshPath))
    }
}
