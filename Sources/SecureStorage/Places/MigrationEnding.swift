internal import Files
public import Secrets

/// The result of confirming or undoing a migration.
public enum MigrationEnding: Equatable, Sendable {
    /// The migration is ended. `sawOldItems` is false if the store that was left showed no items before they were deleted.
    case ended(sawOldItems: Bool)
    /// Nothing was changed: these items have a copy that would be deleted, and no proof that it is not the last one.
    case undecided([UndecidedItem])
}

/// An item of which one store has a copy, and the other one no equal copy, although no command has changed it since.
public struct UndecidedItem: Equatable, Sendable {
    /// The state of the item in the store that stays.
    public enum State: String, Equatable, Sendable {
        /// The store does not show the item: it has lost it, or hides it.
        case missing
        /// The store has other bytes or attributes.
        case different
        /// The store shows the item, and does not give it.
        case unreadable
        /// The item was saved since the migration, and neither store shows it.
        case lost
    }

    /// The name of the item.
    public let name: ItemName
    /// Its state in the store that stays.
    public let state: State
}

/// The user's decisions about items without a proof, each by its name.
public struct MigrationDecisions: Sendable {
    let keeping: Set<ItemName>
    let dropping: Set<ItemName>

    /// Creates the value. An item that needs no decision is not affected.
    ///
    /// - Parameters:
    ///   - keeping: the items whose copy in the store to be left counts: the store that stays gets it.
    ///   - dropping: the items whose copy in the store to be left is deleted, although it may be the last one.
    public init(keeping: Set<ItemName> = [], dropping: Set<ItemName> = []) {
        self.keeping = keeping
        self.dropping = dropping.subtracting(keeping)
    }
}

extension StoreHome {
    /// Returns whether moving the items takes the passphrases of the places. A source that was never made has none.
    public func passphrasesNeeded(
        toMove migration: StoreMigration
    ) async throws(SecureStorageError) -> (source: Bool, destination: Bool) {
        let (from, to) = (try places(migration.source), try places(migration.destination))
        return (try await from.presence() != .absent && from.needsPassphrase, to.needsPassphrase)
    }

    /// Returns whether ending a migration takes the passphrases of the places. It opens every store whose items it compares.
    public func passphrasesNeeded(
        by migration: StoreMigration, confirming: Bool
    ) async throws(SecureStorageError) -> (source: Bool, destination: Bool) {
        let (from, to) = (try places(migration.source), try places(migration.destination))
        let hasSource = try await from.presence() == .present
        let opensSource = hasSource && from.needsPassphrase
        if try isMoved(migration) { return (opensSource, (hasSource || !confirming) && to.needsPassphrase) }
        guard !confirming, try await to.presence() != .absent else { return (false, false) }
        return (opensSource, !opensSource && to.needsPassphrase)
    }

    /// Deletes the items in the place that was left. There is no way back afterwards.
    ///
    /// Both stores are opened. An old item is deleted if the new store gives an equal one, or if a command has changed or
    /// deleted it there since; every other item needs a decision of the user.
    ///
    /// - Parameters:
    ///   - planned: the migration that the user saw.
    ///   - isChipLost: whether the chip of the old place is cleared or broken. Its passphrase is then the recovery
    ///     passphrase.
    /// - Throws: ``SecureStorageError/migration(_:)`` without this migration, or while its items are not all copied; the
    ///   errors of both places: nothing is deleted then.
    public func confirm(
        _ planned: StoreMigration, passphrases: borrowing Passphrases, deciding decisions: MigrationDecisions,
        isChipLost: Bool = false, random: any RandomSource, progress: (Step) -> Void
    ) async throws(SecureStorageError) -> MigrationEnding {
        let lock = try onDisk(FileLock(on: "\(path)/\(name).moving"))
        defer { _ = consume lock }
        let migration = try pending(planned)
        guard try isMoved(migration) else { throw .migration(.unfinished) }
        let (from, to) = (try places(migration.source), try places(migration.destination))
        try await to.requireIntact()
        let presence = try await from.presence()
        if presence == .present {
            let current = try await to.open(passphrase: passphrases.destination, random: random)
            do throws(SecureStorageError) {
                let old = try await openReadOnly(from, passphrases.source, isChipLost: isChipLost)
                do throws(SecureStorageError) {
                    progress(.comparing)
                    let undecided = try await save(
                        from: old, to: current, changes(since: migration), decisions)
                    await old.close()
                    if !undecided.isEmpty {
                        await current.close()
                        return .undecided(undecided)
                    }
                } catch {
                    await old.close()
                    throw error
                }
                progress(.deleting)
                // The lock of the current store keeps its items as they were compared.
                try await from.destroy()
            } catch {
                await current.close()
                throw error
            }
            await current.close()
        } else if presence == .missing {
            try await from.destroy()
        }
        try end()
        return .ended(sawOldItems: presence != .absent)
    }

    /// Returns to the place that was left, with every change that was made since, and deletes the copies.
    ///
    /// An item that the current place does not show is deleted in the old one only if a command has deleted it.
    ///
    /// - Parameter planned: the migration that the user saw.
    /// - Throws: ``SecureStorageError/migration(_:)`` without this migration, or if the old place is gone; the errors of
    ///   both places. The current place is then unchanged.
    public func undo(
        _ planned: StoreMigration, passphrases: borrowing Passphrases, deciding decisions: MigrationDecisions,
        random: any RandomSource, progress: (Step) -> Void
    ) async throws(SecureStorageError) -> MigrationEnding {
        let lock = try onDisk(FileLock(on: "\(path)/\(name).moving"))
        defer { _ = consume lock }
        let migration = try pending(planned)
        let to = try places(migration.destination)
        let undecided =
            try await isMoved(migration)
            ? bringBack(migration, from: to, passphrases, decisions, random, progress)
            : requireCovered(migration, passphrases, decisions, random)
        guard undecided.isEmpty else { return .undecided(undecided) }
        progress(.deleting)
        try await to.destroy()
        try end()
        return .ended(sawOldItems: true)
    }

    private func end() throws(SecureStorageError) {
        try onDisk(FolderCreation.removeForGood(migrationPath))
        try onDisk(FolderCreation.removeForGood(changesPath))
    }

    /// Returns the migration that is pending, if it is the one that the user saw.
    private func pending(_ planned: StoreMigration) throws(SecureStorageError) -> StoreMigration {
        guard let migration = try migration() else { throw .migration(.nothingPending) }
        guard migration.source == planned.source, migration.destination == planned.destination else {
            throw .migration(.changed)
        }
        return migration
    }

    private func openReadOnly(
        _ place: any StorePlace, _ passphrase: borrowing SecretBytes, isChipLost: Bool
    ) async throws(SecureStorageError) -> any SecretStore {
        guard isChipLost, let vault = place as? VaultPlace else {
            return try await place.openReadOnly(passphrase: passphrase)
        }
        return try vault.openWithoutChip(recovery: passphrase)
    }

    /// Makes the old place equal to the current one, and the current place again.
    ///
    /// - Returns: the items without a proof or a decision. Nothing was changed if there are any.
    private func bringBack(
        _ migration: StoreMigration, from current: any StorePlace, _ passphrases: borrowing Passphrases,
        _ decisions: MigrationDecisions, _ random: any RandomSource, _ progress: (Step) -> Void
    ) async throws(SecureStorageError) -> [UndecidedItem] {
        try await current.requireIntact()
        let old = try places(migration.source)
        let destination = try await current.open(passphrase: passphrases.destination, random: random)
        do throws(SecureStorageError) {
            switch try await old.presence() {
            case .present:
                let source = try await old.open(passphrase: passphrases.source, random: random)
                do throws(SecureStorageError) {
                    let names = try await destination.names(in: nil)
                    let changes = try changes(since: migration)
                    let found = try await Self.undecided(of: source, in: destination, changes)
                    let left = found.filter { !decisions.contain($0) }
                    if left.isEmpty {
                        let kept = decisions.keeping.intersection(found.map(\.name))
                        let unreadable = found.filter { $0.state == .unreadable }.map(\.name)
                        let deleted = changes.filter { $0.value == .deleted }.map(\.key)
                        // What was revoked or added since must not come back or be lost.
                        _ = try await Self.equalise(
                            destination, source, names: names.filter { !kept.contains($0) && !unreadable.contains($0) },
                            keeping: kept, deleting: decisions.dropping.intersection(found.map(\.name)).union(deleted),
                            progress)
                    }
                    await source.close()
                    if !left.isEmpty {
                        await destination.close()
                        return left
                    }
                } catch {
                    await source.close()
                    throw error
                }
            // Nothing was there, and nothing is to be brought back.
            case .absent where migration.source == nil:
                guard try await destination.names(in: nil).isEmpty else { throw .migration(.sourceMissing) }
            case .absent, .missing: throw .migration(.sourceMissing)
            }
            // From here on a missing record is not the loss of one.
            let copying = StoreMigration(source: migration.source, destination: migration.destination)
            try onDisk(AtomicFile.write(copying.encoded, to: migrationPath, replacing: .allowed))
            if let record = migration.source {
                try onDisk(AtomicFile.write(record.encoded, to: recordPath, replacing: .allowed))
            } else {
                try onDisk(FolderCreation.removeForGood(recordPath))
            }
        } catch {
            await destination.close()
            throw error
        }
        await destination.close()
        return []
    }

    /// Checks that the source of an unfinished migration still gives every item, before the copies are deleted.
    private func requireCovered(
        _ migration: StoreMigration, _ passphrases: borrowing Passphrases, _ decisions: MigrationDecisions,
        _ random: any RandomSource
    ) async throws(SecureStorageError) -> [UndecidedItem] {
        let (from, to) = (try places(migration.source), try places(migration.destination))
        guard try await to.presence() == .present else { return [] }
        guard try await from.presence() == .present else {
            guard migration.source == nil else { throw .migration(.sourceMissing) }
            try await Self.requireEmpty(to, passphrases.destination)
            return []
        }
        let source = try await from.open(passphrase: passphrases.source, random: random)
        do throws(SecureStorageError) {
            let undecided = try await covered(copiesIn: to, by: source, passphrases.destination, decisions)
            await source.close()
            return undecided
        } catch {
            await source.close()
            throw error
        }
    }

    /// Returns the items of an interrupted attempt that the source no longer gives, and that need a decision.
    func covered(
        copiesIn place: any StorePlace, by source: any SecretStore, _ passphrase: borrowing SecretBytes,
        _ decisions: MigrationDecisions
    ) async throws(SecureStorageError) -> [UndecidedItem] {
        for name in try await source.names(in: nil) {
            guard try await source.load(name) != nil else { throw .unreadableItem(of: source.backend) }
        }
        // A vault file is whole or refused: what it does not have was deleted by someone with its passphrase.
        guard source.backend != .vault else { return [] }
        let copies = try await place.openReadOnly(passphrase: passphrase)
        do throws(SecureStorageError) {
            let undecided = try await save(from: copies, to: source, nil, decisions)
            await copies.close()
            return undecided
        } catch {
            await copies.close()
            throw error
        }
    }

    /// Checks that a place without a source has no items: they would be the last ones.
    static func requireEmpty(
        _ place: any StorePlace, _ passphrase: borrowing SecretBytes
    ) async throws(SecureStorageError) {
        let store = try await place.openReadOnly(passphrase: passphrase)
        let names = try await store.names(in: nil)
        await store.close()
        guard names.isEmpty else { throw .migration(.sourceMissing) }
    }

    /// Saves the items that the user keeps in the store that stays.
    ///
    /// - Returns: the items without a proof or a decision. Nothing was changed if there are any.
    private func save(
        from left: any SecretStore, to staying: any SecretStore, _ changes: [ItemName: StoreChanges.Change]?,
        _ decisions: MigrationDecisions
    ) async throws(SecureStorageError) -> [UndecidedItem] {
        let found = try await Self.undecided(of: left, in: staying, changes)
        let open = found.filter { !decisions.contain($0) }
        guard open.isEmpty else { return open }
        for item in found where decisions.keeping.contains(item.name) {
            guard let secret = try await left.load(item.name), let attributes = try await left.attributes(of: item.name)
            else { throw .unreadableItem(of: left.backend) }
            try await staying.save(secret, as: item.name, attributes: attributes)
            guard try await Self.holds(staying, secret, item.name, attributes) else {
                throw .backend(staying.backend, .malformedAnswer)
            }
        }
        return []
    }

    private func changes(
        since migration: StoreMigration
    ) throws(SecureStorageError) -> [ItemName: StoreChanges.Change] {
        try StoreChanges(path: changesPath, destination: migration.destination).changes()
    }

    /// Returns the items of a store whose absence or difference in another store no change explains.
    ///
    /// - Parameter changes: the last change of an item; nil if the other store is the current one, whose values count.
    private static func undecided(
        of old: any SecretStore, in current: any SecretStore, _ changes: [ItemName: StoreChanges.Change]?
    ) async throws(SecureStorageError) -> [UndecidedItem] {
        let shown = Set(try await current.names(in: nil))
        let names = try await old.names(in: nil)
        var undecided: [UndecidedItem] = []
        for name in names {
            guard let secret = try await old.load(name), let attributes = try await old.attributes(of: name) else {
                throw .unreadableItem(of: old.backend)
            }
            let change = changes?[name]
            guard shown.contains(name) else {
                if change != .deleted { undecided.append(UndecidedItem(name: name, state: .missing)) }
                continue
            }
            do throws(SecureStorageError) {
                guard let found = try await current.load(name),
                    let foundAttributes = try await current.attributes(of: name)
                else {
                    undecided.append(UndecidedItem(name: name, state: .unreadable))
                    continue
                }
                let isEqual = found.matches(secret) && foundAttributes == attributes
                if !isEqual, changes != nil, change != .saved {
                    undecided.append(UndecidedItem(name: name, state: .different))
                }
            } catch {
                switch error {
                case .backend(_, .damagedItem), .backend(_, .ambiguous), .wrongKind:
                    undecided.append(UndecidedItem(name: name, state: .unreadable))
                default: throw error
                }
            }
        }
        let known = shown.union(names)
        for (name, change) in changes ?? [:] where change == .saved && !known.contains(name) {
            undecided.append(UndecidedItem(name: name, state: .lost))
        }
        return undecided.sorted { $0.name < $1.name }
    }
}

extension MigrationDecisions {
    fileprivate func contain(_ item: UndecidedItem) -> Bool {
        dropping.contains(item.name) || keeping.contains(item.name) && item.state != .lost
    }
}

extension SecureStorageError {
    /// An item that a store lists and does not give.
    static func unreadableItem(of backend: StoreBackend) -> SecureStorageError {
        backend == .vault ? .damaged : .backend(backend, .damagedItem)
    }
}
