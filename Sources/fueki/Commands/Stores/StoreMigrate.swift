internal import ArgumentParser
internal import DeviceStores
internal import Exchange
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

            A store with a TPM opens with a PIN, whose wrong attempts the TPM counts, and with a recovery passphrase, for \
            the day when the TPM is cleared or broken. It is bound to the state of Secure Boot (register 7): after a change \
            of it, 'fueki store reseal' seals the store anew. Without the TPM, '--lost-chip' takes the credentials out.

            EXAMPLES
              fueki store migrate --from vault --to secret-service
              fueki store migrate --from vault --to tpm
              fueki store migrate --from tpm --to vault --lost-chip
              fueki store migrate --confirm
            """)

    @Option(help: ArgumentHelp("The store that the credentials are in.", valueName: "store"))
    var from: MovableStore?

    @Option(help: ArgumentHelp("The store to move them to.", valueName: "store"))
    var to: MovableStore?

    @Flag(help: "Delete the old items. There is no way back afterwards.")
    var confirm = false

    @Flag(help: "Return to the old store, and delete the copies.")
    var undo = false

    @Flag(help: "The TPM of the old store is cleared or broken: open it with the recovery passphrase.")
    var lostChip = false

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
        guard !lostChip || from != nil else { throw ValidationError("--lost-chip goes with --from and --to") }
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
            try await MachineStores.ofThisMachine.require(from)
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
                migration, passphrases: passphrases, isChipLost: lostChip, random: SystemRandom()
            ) { step in output.progress(step.text) }
        } catch { throw error.failure }
        let view = MigrationView(.moved, migration, items: count)
        try output.result(view) { view.text }
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

    private func confirm(_ store: StoreHome, _ migration: StoreMigration, _ output: Output) async throws(Failure) {
        if !yes {
            let from = migration.sourceBackend.subject.english
            let about = Wrapped.text("The old items in \(from) are deleted. There is no way back.")
            guard try Confirmation.ask("Delete them?", about: about, insteadUse: "--yes") else { throw .cancelled() }
        }
        let isSeen = try await attempt { () async throws(SecureStorageError) in
            try await store.confirm(migration) { step in output.progress(step.text) }
        }
        if !isSeen {
            let from = migration.sourceBackend.subject.english
            output.note(
                "warning: \(from) showed no old items; if it is another keyring now, they are still in the old one")
        }
        let view = MigrationView(.confirmed, migration, items: nil)
        try output.result(view) { view.text }
    }

    private func undo(_ store: StoreHome, _ migration: StoreMigration, _ output: Output) async throws(Failure) {
        let isMoved = try attempt { () throws(SecureStorageError) in try store.isMoved(migration) }
        let (from, to) = (try place(of: migration.source), try place(of: migration.destination))
        let source = isMoved && from.needsPassphrase ? try passphrase.existing(from.backend.question) : .unused
        let destination = isMoved && to.needsPassphrase ? try secrets.existing(to.backend.question) : .unused
        let passphrases = StoreHome.Passphrases(source: source, destination: destination)
        do throws(SecureStorageError) {
            try await store.undo(migration, passphrases: passphrases, random: SystemRandom()) { step in
                output.progress(step.text)
            }
        } catch { throw error.failure }
        let view = MigrationView(.undone, migration, items: nil)
        try output.result(view) { view.text }
    }
}
