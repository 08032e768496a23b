internal import ArgumentParser
internal import DeviceStores
internal import ErrorTexts
internal import ExchangeCredentials
internal import Presentation
internal import Secrets
internal import SecureStorage
internal import Terminal
internal import Texts

struct StoreMigrate: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Move the credentials to another store, and back until you confirm.",
        discussion: """
            Copies every item, reads each one back, and then makes the new store the current one. The old items stay until \
            '--confirm'; '--undo' returns, with every change that was made since. After an interruption, the same command \
            goes on.

            '--confirm' and '--undo' open both stores. If one of them does not show an item that the other one has, and no \
            command has deleted it, they change nothing and name it: a store can lose or hide an item. Decide then with \
            '--keep' or '--drop'.

            A store with a TPM opens with a PIN, whose wrong attempts the TPM counts, and with a recovery passphrase, for \
            the day when the TPM is cleared or broken. It is bound to the state of Secure Boot (register 7): after a change \
            of it, 'fueki store reseal' seals the store anew. Without the TPM, '--lost-chip' takes the credentials out.

            EXAMPLES
              fueki store migrate --from vault --to secret-service
              fueki store migrate --from vault --to tpm
              fueki store migrate --from tpm --to vault --lost-chip
              fueki store migrate --confirm
              fueki store migrate --undo --keep fueki.exchange.kraken/key/main
            """)

    @Option(help: ArgumentHelp("The store that the credentials are in.", valueName: "store"))
    var from: MovableStore?

    @Option(help: ArgumentHelp("The store to move them to.", valueName: "store"))
    var to: MovableStore?

    @Flag(help: "Delete the old items. There is no way back afterwards.")
    var confirm = false

    @Flag(help: "Return to the old store, and delete the copies.")
    var undo = false

    @Option(
        help: ArgumentHelp(
            "With --confirm or --undo: this item is kept, from the store that would be deleted. May be repeated.",
            valueName: "item"))
    var keep: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --confirm or --undo: this item is not needed, although its last copy is deleted. May be repeated.",
            valueName: "item"))
    var drop: [String] = []

    @Flag(help: "The TPM of the old store is cleared or broken: open it with the recovery passphrase.")
    var lostChip = false

    @Flag(help: "With --lost-chip: take the file although it is older than the TPM's counter says.")
    var acceptOlder = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var secrets: NewStoreSecrets
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard [confirm, undo, from != nil || to != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("give '--from STORE --to STORE', or '--confirm', or '--undo'")
        }
        guard (from == nil) == (to == nil) else { throw ValidationError("give both --from and --to") }
        guard !lostChip || !undo else {
            throw ValidationError("--lost-chip goes with --from and --to, or with --confirm")
        }
        guard !acceptOlder || lostChip && from != nil else {
            throw ValidationError("--accept-older goes with --lost-chip")
        }
        guard from == nil || (keep + drop).isEmpty else {
            throw ValidationError("--keep and --drop go with --confirm or --undo")
        }
        guard Set(keep).isDisjoint(with: drop) else { throw ValidationError("an item is kept or dropped, not both") }
        _ = try decisions()
        let files = [passphrase.passphraseFile, secrets.newPassphraseFile, secrets.recoveryFile]
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("only one file can be standard input")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let store = global.exchangeHome.store
        if let from, let to { return try await move(store, from.backend, to.backend, output) }
        guard let migration = try attempt({ () throws(SecureStorageError) in try store.migration() }) else {
            throw SecureStorageError.migration(.nothingPending).failure
        }
        try await confirm ? confirm(store, migration, output) : undo(store, migration, output)
    }

    private func move(
        _ store: StoreHome, _ from: StoreBackend, _ to: StoreBackend, _ output: Output
    ) async throws(Failure) {
        let migration = try attempt { () throws(SecureStorageError) in
            try store.plan(from: from, to: to, random: SystemRandom())
        }
        try await MachineStores.ofThisMachine.require(to)
        if !lostChip {
            try await MachineStores.ofThisMachine.requireToLeave(from)
        } else if !yes {
            try Confirmation.askIsNewest(because: "The counter of the TPM is not read")
        }
        let source = try await sourceSecret(of: migration)
        let destination = try destinationSecret(of: migration, output)
        let passphrases =
            to.needsChip
            ? StoreHome.Passphrases(
                source: source, destination: destination, recovery: try secrets.newRecovery(output))
            : StoreHome.Passphrases(source: source, destination: destination)
        let count: Int
        do throws(SecureStorageError) {
            count = try await store.move(
                migration, passphrases: passphrases, isChipLost: lostChip, acceptingOlder: acceptOlder,
                random: SystemRandom()
            ) { step in output.progress(step.text) }
        } catch { throw error.failure }
        let view = MigrationView(.moved, migration, items: count)
        try output.receipt(view) { view.text }
    }

    /// Returns the passphrase of the store that is left; a placeholder if it takes none, or does not exist yet.
    private func sourceSecret(of migration: StoreMigration) async throws(Failure) -> SecretBytes {
        let place = try place(of: migration.source)
        let presence = try await attempt { () async throws(SecureStorageError) in try await place.presence() }
        guard place.needsPassphrase, presence != .absent else { return .unused }
        return try passphrase.existing(lostChip ? "Recovery passphrase of the store: " : place.backend.question)
    }

    private func destinationSecret(of migration: StoreMigration, _ output: Output) throws(Failure) -> SecretBytes {
        let place = try place(of: migration.destination)
        guard place.needsPassphrase else { return .unused }
        return try secrets.new(
            place.backend == .vault ? "New passphrase of the vault file: " : "New PIN of the store: ", output)
    }

    private func place(of record: StoreRecord?) throws(Failure) -> any StorePlace {
        try attempt { () throws(SecureStorageError) in
            try MachineStores.ofThisMachine.place(of: record, at: "\(global.exchangeHome.path)/keys")
        }
    }

    private func decisions() throws(ValidationError) -> MigrationDecisions {
        func names(_ texts: [String]) throws(ValidationError) -> Set<ItemName> {
            var names: Set<ItemName> = []
            for text in texts {
                guard let name = try? ItemName(text) else {
                    throw ValidationError("not the name of an item: '\(text)'")
                }
                names.insert(name)
            }
            return names
        }
        return MigrationDecisions(keeping: try names(keep), dropping: try names(drop))
    }

    private func confirm(_ store: StoreHome, _ migration: StoreMigration, _ output: Output) async throws(Failure) {
        if !yes {
            let from = migration.sourceBackend.subject
            let about = Wrapped.text("The old items in \(from) are deleted. There is no way back.")
            guard try Confirmation.ask("Delete them?", about: about, insteadUse: "--yes") else { throw .cancelled() }
        }
        let passphrases = try await bothSecrets(of: migration, in: store, confirming: true)
        let ending: MigrationEnding
        do throws(SecureStorageError) {
            ending = try await store.confirm(
                migration, passphrases: passphrases, deciding: (try? decisions()) ?? MigrationDecisions(),
                isChipLost: lostChip, random: SystemRandom()
            ) { step in output.progress(step.text) }
        } catch { throw error.failure }
        if try !sawOldItems(ending, output) {
            let from = migration.sourceBackend.subject
            output.note(
                "warning: \(from) showed no old items; if it is another keyring now, they are still in the old one")
        }
        let view = MigrationView(.confirmed, migration, items: nil)
        try output.receipt(view) { view.text }
    }

    private func undo(_ store: StoreHome, _ migration: StoreMigration, _ output: Output) async throws(Failure) {
        let passphrases = try await bothSecrets(of: migration, in: store, confirming: false)
        let ending: MigrationEnding
        do throws(SecureStorageError) {
            ending = try await store.undo(
                migration, passphrases: passphrases, deciding: (try? decisions()) ?? MigrationDecisions(),
                random: SystemRandom()
            ) { step in output.progress(step.text) }
        } catch { throw error.failure }
        _ = try sawOldItems(ending, output)
        let view = MigrationView(.undone, migration, items: nil)
        try output.receipt(view) { view.text }
    }

    /// Asks for the passphrases of the stores that are compared.
    private func bothSecrets(
        of migration: StoreMigration, in store: StoreHome, confirming: Bool
    ) async throws(Failure) -> StoreHome.Passphrases {
        let needed = try await attempt { () async throws(SecureStorageError) in
            try await store.passphrasesNeeded(by: migration, confirming: confirming)
        }
        let from = lostChip ? "Recovery passphrase of the old store: " : migration.sourceBackend.question
        return StoreHome.Passphrases(
            source: needed.source ? try passphrase.existing(from) : .unused,
            destination: needed.destination ? try secrets.existing(migration.destination.backend.question) : .unused)
    }

    private func sawOldItems(_ ending: MigrationEnding, _ output: Output) throws(Failure) -> Bool {
        switch ending {
        case .ended(let sawOldItems): return sawOldItems
        case .undecided(let items):
            for item in items { output.note(item.text) }
            let names = items.map(\.name.description).joined(separator: ", ")
            throw Failure(
                code: .refused, name: "undecided",
                message: "nothing was changed: the last copy of \(names) would be deleted",
                hint: "bring the store's items back, or decide about each: --keep ITEM, or --drop ITEM")
        }
    }
}
