internal import Files
public import Secrets

/// A folder whose credentials are in one of several places, and can be moved between them.
///
/// ```
/// keys.place       the place, unless it is the first vault file
/// keys.migration   a migration that was neither confirmed nor undone
/// keys.changes     the items that were saved or deleted since
/// ```
///
/// A migration copies every item, reads each one back, and only then records the new place: that one step is the change.
/// The old items stay until the user confirms. An item that the new place does not show counts as deleted only if a command
/// has deleted it: no copy of an item is destroyed without a proof that another one is readable and equal, or the user's
/// decision about it by name. Every step can be repeated after a crash.
public struct StoreHome: Sendable {
    /// The folder's path.
    public let path: String
    let name: String
    let places: Places

    /// Returns the place of a record; nil stands for the first vault file.
    public typealias Places = @Sendable (_ record: StoreRecord?) throws(SecureStorageError) -> any StorePlace

    /// Creates the value. Changes nothing on the disk.
    ///
    /// - Parameter name: the first part of the names of the files.
    public init(path: String, name: String, places: @escaping Places) {
        self.path = path
        self.name = name
        self.places = places
    }

    var recordPath: String { "\(path)/\(name).place" }
    var migrationPath: String { "\(path)/\(name).migration" }
    var changesPath: String { "\(path)/\(name).changes" }

    /// Returns the record of the current place; nil for the first vault file.
    public func record() throws(SecureStorageError) -> StoreRecord? {
        guard let bytes = try read(recordPath) else { return nil }
        return try StoreRecord(decoding: bytes)
    }

    /// Returns the backend of the current place.
    public func backend() throws(SecureStorageError) -> StoreBackend { try record().backend }

    /// Returns the current place. While a migration waits for its end, the place records every change.
    ///
    /// - Throws: ``SecureStorageError/migration(_:)`` if the record of the place was removed: the old place, which may
    ///   have items that were revoked since, does not take over silently.
    public func place() throws(SecureStorageError) -> any StorePlace {
        let record = try record()
        let place = try places(record)
        guard let migration = try migration() else { return place }
        if record == migration.destination {
            return RecordedPlace(
                place: place, changes: StoreChanges(path: changesPath, destination: migration.destination))
        }
        guard !migration.isSwitched else { throw .migration(.damagedRecord) }
        return place
    }

    /// Returns the migration that was begun and neither confirmed nor undone; nil without one.
    public func migration() throws(SecureStorageError) -> StoreMigration? {
        guard let bytes = try read(migrationPath) else { return nil }
        return try StoreMigration(decoding: bytes)
    }

    /// Whether the pending migration has reached its destination, and waits for confirmation.
    public func isMoved(_ migration: StoreMigration) throws(SecureStorageError) -> Bool {
        try record() == migration.destination
    }

    /// The number of counters that an interrupted program may have left in the chip: no vault file in the folder names
    /// them. The next migration to the chip removes them, and so does sealing for a new chip. Asks no chip.
    ///
    /// - Throws: an error if a vault file in the folder cannot be read.
    public func leftCounters() throws(SecureStorageError) -> Int { try CounterJournal(in: path).unnamed().count }

    private func read(_ path: String) throws(SecureStorageError) -> [UInt8]? {
        do throws(SecureStorageError) {
            return try onDisk(AtomicFile.read(path, limit: StoreRecord.fileSize, access: .ownerOnly))
        } catch .notFound { return nil }
    }
}

// MARK: - A chip

extension StoreHome {
    /// Seals the current store for its chip anew, after a change of what the chip had bound it to: a firmware update, or a
    /// chip that was cleared or replaced.
    ///
    /// - Parameters:
    ///   - recovery: the recovery passphrase.
    ///   - pin: the PIN from now on.
    ///   - isNewChip: whether the chip was cleared or replaced. Its counter is gone then, and an older copy of the vault
    ///     cannot be told from the newest: the caller asks the user whether the file is the newest one.
    ///   - acceptingOlder: whether the user has decided to take a file that is older than the chip's counter says. Another
    ///     program may have advanced the counter.
    /// - Throws: ``SecureStorageError/migration(_:)`` if the store needs no chip; the errors of the place. The store is
    ///   then as it was.
    public func reseal(
        recovery: borrowing SecretBytes, pin: borrowing SecretBytes, isNewChip: Bool, acceptingOlder: Bool = false,
        random: any RandomSource
    ) async throws(SecureStorageError) {
        let record = try record()
        guard record.backend.needsChip, let place = try places(record) as? VaultPlace else {
            throw .migration(.current(record.backend))
        }
        try Self.requireStrong(recovery, besides: pin)
        try await place.reseal(
            recovery: recovery, pin: pin, isNewChip: isNewChip, acceptingOlder: acceptingOlder, random: random)
    }

    static func requireStrong(
        _ recovery: borrowing SecretBytes, besides pin: borrowing SecretBytes
    ) throws(SecureStorageError) {
        guard Limits.pin.contains(pin.count) else { throw .migration(.weakPIN) }
        guard RecoveryPassphrase.isStrong(recovery, besides: pin) else { throw .migration(.weakRecovery) }
    }
}

// MARK: - Migration

extension StoreHome {
    /// The passphrases or PINs of the two places. A place that needs none does not look at its own.
    public struct Passphrases: ~Copyable, Sendable {
        let source: SecretBytes
        let destination: SecretBytes
        let recovery: SecretBytes?

        func requireStrongRecovery() throws(SecureStorageError) {
            switch recovery {
            case .none: throw .migration(.weakRecovery)
            case .some(let recovery): try StoreHome.requireStrong(recovery, besides: destination)
            }
        }

        /// Creates the value.
        ///
        /// - Parameter recovery: a passphrase that opens the destination without its chip: for the day when the chip is
        ///   cleared or broken. Only a destination with a chip needs and gets it.
        public init(
            source: consuming SecretBytes, destination: consuming SecretBytes, recovery: consuming SecretBytes? = nil
        ) {
            self.source = source
            self.destination = destination
            self.recovery = recovery
        }
    }

    /// A step of a migration, for messages about progress.
    public enum Step: Equatable, Sendable {
        /// So many of so many items are copied and read back.
        case copied(Int, of: Int)
        /// Every item is compared again.
        case comparing
        /// The items in the place that is left are deleted.
        case deleting
    }

    /// Returns the migration to a backend: the one that was begun, or a new one. Changes nothing.
    ///
    /// - Throws: ``SecureStorageError/migration(_:)`` if another migration was begun, or the places do not fit;
    ///   ``BackendFault/sessionOnly`` for a place that forgets.
    public func plan(
        from source: StoreBackend, to destination: StoreBackend, random: some RandomSource
    ) throws(SecureStorageError) -> StoreMigration {
        let record = try record()
        if let migration = try migration() {
            guard try !isMoved(migration) else { throw .migration(.unconfirmed) }
            guard migration.destination.backend == destination, migration.sourceBackend == source else {
                throw .migration(.unfinished)
            }
            return migration
        }
        guard record.backend == source else { throw .migration(.current(record.backend)) }
        guard destination != source else { throw .migration(.samePlace) }
        switch destination {
        case .vault, .tpm, .secretService, .keychain, .secureEnclave: break
        case .kernelKeyring, .memory: throw .backend(destination, .sessionOnly)
        case .software: throw .backend(destination, .unsupported)
        }
        return StoreMigration(
            source: record, destination: StoreRecord(destination, namespace: StoreNamespace(from: random)))
    }

    /// Copies every item to the destination, reads each back, and makes the destination the current place. Run again
    /// after a failure or a crash, it goes on.
    ///
    /// - Parameter isChipLost: whether the chip of the source is cleared or broken. The source's passphrase is then the
    ///   recovery passphrase. A counter that still answers is asked whether the file is the newest one; without it, the
    ///   caller asks the user.
    /// - Parameter acceptingOlder: whether the user has decided to take a file that is older than that counter says.
    /// - Returns: the number of items.
    /// - Throws: ``SecureStorageError/migration(_:)`` for a chip without a good recovery passphrase, and the errors of both
    ///   places. The source is unchanged, and is still the current place.
    public func move(
        _ migration: StoreMigration, passphrases: borrowing Passphrases, isChipLost: Bool = false,
        acceptingOlder: Bool = false, random: any RandomSource, progress: (Step) -> Void
    ) async throws(SecureStorageError) -> Int {
        try onDisk(FolderCreation.make(path))
        let lock = try onDisk(FileLock(on: "\(path)/\(name).moving"))
        defer { _ = consume lock }
        // Another process may have moved the store while this one asked for passphrases.
        guard try record() == migration.source, try self.migration().map({ $0 == migration }) ?? true else {
            throw .migration(.changed)
        }
        if migration.destination.backend.needsChip { try passphrases.requireStrongRecovery() }
        let (from, to) = (try places(migration.source), try places(migration.destination))
        if isChipLost, !acceptingOlder { try (from as? VaultPlace)?.requireNewestForCounter() }
        let source = try await source(
            of: migration, at: from, passphrases.source, isChipLost: isChipLost, random: random)
        do throws(SecureStorageError) {
            // A migration that cannot begin leaves no trace.
            try onDisk(AtomicFile.write(migration.encoded, to: migrationPath, replacing: .allowed))
            let count = try await fill(to, from: source, migration, passphrases, random, progress)
            await source?.close()
            return count
        } catch {
            await source?.close()
            throw error
        }
    }

    /// Opens the place that is left; nil if the app has stored nothing yet, and only chooses its place.
    private func source(
        of migration: StoreMigration, at place: any StorePlace, _ passphrase: borrowing SecretBytes, isChipLost: Bool,
        random: any RandomSource
    ) async throws(SecureStorageError) -> (any SecretStore)? {
        switch try await place.presence() {
        case .present: return try await open(place, passphrase, isChipLost: isChipLost, random)
        // Only a folder without a record can be empty: a recorded store that is not seen is missing.
        case .absent where migration.source == nil: return nil
        case .absent, .missing: throw .migration(.sourceMissing)
        }
    }

    /// Opens the place that is left.
    private func open(
        _ place: any StorePlace, _ passphrase: borrowing SecretBytes, isChipLost: Bool, _ random: any RandomSource
    ) async throws(SecureStorageError) -> any SecretStore {
        guard isChipLost, let vault = place as? VaultPlace else {
            return try await place.open(passphrase: passphrase, random: random)
        }
        return try vault.openWithoutChip(recovery: passphrase)
    }

    /// Copies the items into the destination, and makes it the current place.
    private func fill(
        _ place: any StorePlace, from source: (any SecretStore)?, _ migration: StoreMigration,
        _ passphrases: borrowing Passphrases, _ random: any RandomSource, _ progress: (Step) -> Void
    ) async throws(SecureStorageError) -> Int {
        // The remains of an interrupted attempt have the passphrases of that attempt.
        if try await place.presence() != .absent {
            if let source {
                let lost = try await covered(
                    copiesIn: place, by: source, passphrases.destination, MigrationDecisions())
                guard lost.isEmpty else { throw .migration(.lostItems) }
            } else {
                try await Self.requireEmpty(place, passphrases.destination)
            }
            try await place.destroy()
        }
        let destination = try await place.create(passphrase: passphrases.destination, random: random)
        do throws(SecureStorageError) {
            if let vault = destination as? VaultFile, passphrases.recovery != nil {
                try await vault.requireRecovery(passphrases.recovery)
            }
            var count = 0
            if let source {
                count = try await Self.equalise(
                    source, destination, names: try await source.names(in: nil), progress)
            }
            try onDisk(FolderCreation.removeForGood(changesPath))
            // From here on the destination counts.
            try onDisk(AtomicFile.write(migration.destination.encoded, to: recordPath, replacing: .allowed))
            try settle(migration)
            await destination.close()
            return count
        } catch {
            await destination.close()
            throw error
        }
    }

    /// Records that the destination counts. If the disk has no room for that, the old place counts again, or the error says
    /// that the items were moved.
    private func settle(_ migration: StoreMigration) throws(SecureStorageError) {
        do throws(SecureStorageError) {
            try onDisk(AtomicFile.write(migration.switched.encoded, to: migrationPath, replacing: .allowed))
        } catch {
            do throws(SecureStorageError) {
                if let source = migration.source {
                    try onDisk(AtomicFile.write(source.encoded, to: recordPath, replacing: .allowed))
                } else {
                    try onDisk(FolderCreation.removeForGood(recordPath))
                }
            } catch { throw .migration(.unconfirmed) }
            throw error
        }
    }

    /// Makes one store equal to another, and compares both at the end.
    ///
    /// - Parameters:
    ///   - names: the items of the source to copy.
    ///   - kept: the items of the copy that stay as they are.
    ///   - deletable: the items of the copy that are known to be deleted. Every other one stops it before it begins: the
    ///     source may hide an item for a moment.
    static func equalise(
        _ source: any SecretStore, _ copy: any SecretStore, names: [ItemName], keeping kept: Set<ItemName> = [],
        deleting deletable: Set<ItemName> = [], _ progress: (Step) -> Void
    ) async throws(SecureStorageError) -> Int {
        let known = kept.union(names)
        let superfluous = try await copy.names(in: nil).filter { !known.contains($0) }
        guard deletable.isSuperset(of: superfluous) else { throw .backend(source.backend, .absenceUnproven) }
        for (number, name) in names.enumerated() {
            guard let secret = try await source.load(name), let attributes = try await source.attributes(of: name)
            else { throw .unreadableItem(of: source.backend) }
            if try await !holds(copy, secret, name, attributes) {
                try await copy.save(secret, as: name, attributes: attributes)
                guard try await holds(copy, secret, name, attributes) else {
                    throw .backend(copy.backend, .malformedAnswer)
                }
            }
            progress(.copied(number + 1, of: names.count))
        }
        for name in superfluous { try await copy.delete(name) }
        progress(.comparing)
        guard Set(try await copy.names(in: nil)) == known else { throw .backend(copy.backend, .malformedAnswer) }
        for name in names {
            guard let secret = try await source.load(name), let attributes = try await source.attributes(of: name),
                try await holds(copy, secret, name, attributes)
            else { throw .backend(copy.backend, .malformedAnswer) }
        }
        return names.count
    }

    static func holds(
        _ store: any SecretStore, _ secret: borrowing SecretBytes, _ name: ItemName, _ attributes: ItemAttributes
    ) async throws(SecureStorageError) -> Bool {
        guard try await store.attributes(of: name) == attributes, let found = try await store.load(name) else {
            return false
        }
        return found.matches(secret)
    }
}
