internal import ArgumentParser
internal import DeviceStores
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

    @Option(help: .value("store", "The store that the credentials are in."))
    var from: MovableStore?

    @Option(help: .value("store", "The store to move them to."))
    var to: MovableStore?

    @Flag(help: "Delete the old items. There is no way back afterwards.")
    var confirm = false

    @Flag(help: "Return to the old store, and delete the copies.")
    var undo = false

    @Option(
        help: .value(
            "item",
            "With --confirm or --undo: this item is kept, from the store that would be deleted. May be repeated."))
    var keep: [String] = []

    @Option(
        help: .value(
            "item",
            "With --confirm or --undo: this item is not needed, although its last copy is deleted. May be repeated."))
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
        try SecretFiles.requireOneStandardInput([
            passphrase.passphraseFile, secrets.newPassphraseFile, secrets.recoveryFile,
        ])
    }

    func perform(_ output: Output) async throws(Failure) {
        let store = global.exchangeHome.store
        if let from, let to { return try await move(store, from.backend, to.backend, output) }
        guard let migration = try attempt({ () throws(SecureStorageError) in try store.migration() }) else {
            throw SecureStorageError.migration(.nothingPending).failure
        }
        try await end(migration, store, output)
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
        let needed = try await attempt { () async throws(SecureStorageError) in
            try await store.passphrasesNeeded(toMove: migration)
        }
        let passphrases = StoreHome.Passphrases(
            source: needed.source
                ? try passphrase.existing(lostChip ? "Recovery passphrase of the store: " : from.question) : .unused,
            destination: needed.destination ? try secrets.passphrase.new(to.newQuestion, output) : .unused,
            recovery: to.needsChip
                ? try secrets.recovery.new("New recovery passphrase: ", advice: Self.recoveryAdvice, output) : nil)
        let count: Int
        do throws(SecureStorageError) {
            count = try await store.move(
                migration, passphrases: passphrases, isChipLost: lostChip, acceptingOlder: acceptOlder,
                random: SystemRandom()
            ) { step in output.progress(step.text) }
        } catch { throw error.failure }
        try output.receipt(MigrationView(.moved, migration, items: count))
    }

    private static let recoveryAdvice =
        "Choose a recovery passphrase of several words: it opens the store without the TPM, if that is cleared or breaks. "
        + "No chip counts guesses of it. Write it down."

    private func decisions() throws(ValidationError) -> MigrationDecisions {
        func names(_ texts: [String]) throws(ValidationError) -> Set<ItemName> {
            Set(
                try texts.map { text throws(ValidationError) in
                    guard let name = try? ItemName(text) else {
                        throw ValidationError("not the name of an item: '\(text)'")
                    }
                    return name
                })
        }
        return MigrationDecisions(keeping: try names(keep), dropping: try names(drop))
    }

    /// Confirms or undoes a migration.
    private func end(_ migration: StoreMigration, _ store: StoreHome, _ output: Output) async throws(Failure) {
        let from = migration.sourceBackend
        if confirm, !yes {
            let about = Wrapped.text("The old items in \(from.subject) are deleted. There is no way back.")
            guard try Confirmation.ask("Delete them?", about: about, insteadUse: "--yes") else { throw .cancelled() }
        }
        let needed = try await attempt { () async throws(SecureStorageError) in
            try await store.passphrasesNeeded(by: migration, confirming: confirm)
        }
        let question = lostChip ? "Recovery passphrase of the old store: " : from.question
        let passphrases = StoreHome.Passphrases(
            source: needed.source ? try passphrase.existing(question) : .unused,
            destination: needed.destination
                ? try secrets.passphrase.existing(migration.destination.backend.question) : .unused)
        let decisions = (try? decisions()) ?? MigrationDecisions()
        func show(_ step: StoreHome.Step) { output.progress(step.text) }
        let ending: MigrationEnding
        do throws(SecureStorageError) {
            ending =
                try await confirm
                ? store.confirm(
                    migration, passphrases: passphrases, deciding: decisions, isChipLost: lostChip,
                    random: SystemRandom(), progress: show)
                : store.undo(
                    migration, passphrases: passphrases, deciding: decisions, random: SystemRandom(), progress: show)
        } catch { throw error.failure }
        switch ending {
        case .undecided(let items):
            for item in items { output.note(item.text) }
            throw .undecided(items)
        case .ended(let sawOldItems):
            if !sawOldItems {
                output.note(
                    "warning: \(from.subject) showed no old items; if it is another keyring now, they are still in the "
                        + "old one")
            }
        }
        try output.receipt(MigrationView(confirm ? .confirmed : .undone, migration, items: nil))
    }
}
