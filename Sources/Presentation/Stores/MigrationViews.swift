package import SecureStorage
package import Texts

/// The result of `fueki store migrate`.
package struct MigrationView: ResultView {
    /// What was done.
    package enum State: String, Encodable, Sendable {
        /// Every item is in the new place, and the old ones are still there.
        case moved
        /// The old items are deleted.
        case confirmed
        /// The credentials are in the old place again.
        case undone
    }

    let state: State
    let from: String
    let to: String
    /// The number of items; omitted after a confirmation.
    let items: Int?

    package init(_ state: State, _ migration: StoreMigration, items: Int?) {
        self.state = state
        from = migration.sourceBackend.rawValue
        to = migration.destination.backend.rawValue
        self.items = items
    }

    package var text: String {
        switch state {
        case .moved where items == 0:
            "there are no credentials yet; new ones will be kept in \(Self.name(to))\n"
                + "next: 'fueki store migrate --confirm', or '--undo'"
        case .moved:
            "\(items ?? 0) \(items == 1 ? "item is" : "items are") in \(Self.name(to)) now, and each was read back\n"
                + (to == StoreBackend.tpm.rawValue ? "write the recovery passphrase down, and keep it apart\n" : "")
                + "next: check that all is there; then 'fueki store migrate --confirm' deletes the old items, and '--undo' returns"
        case .confirmed: "the old items in \(Self.name(from)) are deleted; the credentials are in \(Self.name(to))"
        case .undone: "the credentials are in \(Self.name(from)) again; the copies in \(Self.name(to)) are deleted"
        }
    }
}

extension MigrationView {
    private static func name(_ backend: String) -> String {
        switch StoreBackend(rawValue: backend) {
        case .tpm: "the vault with the TPM"
        case let backend?: backend.subject
        case nil: backend
        }
    }
}

extension UndecidedItem {
    /// The line about the item.
    package var text: String {
        switch state {
        case .missing: "\(name): the store that stays does not show it, and no command has deleted it"
        case .different: "\(name): the store that stays has another value, which no command has written"
        case .unreadable: "\(name): the store that stays shows it, and cannot read it"
        case .lost: "\(name): it was saved after the move, and neither store shows it"
        }
    }
}

extension Failure {
    /// The failure of ending a migration that would delete the last copies of these items.
    package static func undecided(_ items: [UndecidedItem]) -> Failure {
        let names = items.map(\.name.description).joined(separator: ", ")
        return Failure(
            code: .refused, name: "undecided",
            message: "nothing was changed: the last copy of \(names) would be deleted",
            hint: "bring the store's items back, or decide about each: --keep ITEM, or --drop ITEM")
    }
}

/// The result of `fueki store reseal`.
package struct ResealedView: ResultView {
    let backend: String
    /// Whether the vault got a new counter, because its chip was cleared or replaced.
    let newChip: Bool

    enum CodingKeys: String, CodingKey {
        case backend
        case newChip = "new_chip"
    }

    package init(_ backend: StoreBackend, isNewChip: Bool) {
        self.backend = backend.rawValue
        newChip = isNewChip
    }

    package var text: String { "the store is sealed anew: it opens with the new PIN on this machine" }
}
