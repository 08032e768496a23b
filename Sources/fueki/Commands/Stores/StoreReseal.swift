internal import ArgumentParser
internal import DeviceStores
internal import ExchangeCredentials
internal import Presentation
internal import Secrets
internal import SecureStorage
internal import Terminal
internal import Texts

struct StoreReseal: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal", abstract: "Seal the store for the TPM anew, after an update of the firmware.",
        discussion: """
            A store with a TPM is bound to the state of Secure Boot. After a change of it, the PIN alone no longer opens the \
            store: give the recovery passphrase and a PIN here.

            With --new-chip the store also gets a new counter, after the TPM was cleared or the disk was moved to another \
            machine. The counter was the proof that the file is the newest one: be sure that it is not an old copy, in which \
            revoked keys would work again. A TPM that still has the counter refuses an old copy. If another program has \
            advanced the counter, and the file is the newest one, --accept-older takes it.

            EXAMPLES
              fueki store reseal
              fueki store reseal --new-chip
            """)

    @Flag(help: "The TPM was cleared or replaced.")
    var newChip = false

    @Flag(help: "With --new-chip: take the file although it is older than the TPM's counter says.")
    var acceptOlder = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var secrets: NewStoreSecrets
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !acceptOlder || newChip else { throw ValidationError("--accept-older goes with --new-chip") }
        try SecretFiles.requireOneStandardInput([secrets.recoveryFile, secrets.newPassphraseFile])
    }

    func perform(_ output: Output) async throws(Failure) {
        let store = global.exchangeHome.store
        let backend = try attempt { () throws(SecureStorageError) in try store.backend() }
        guard backend.needsChip else { throw SecureStorageError.migration(.current(backend)).failure }
        try await MachineStores.ofThisMachine.require(backend)
        if newChip, !yes { try Confirmation.askIsNewest(because: "The store gets a new counter") }
        let recovery = try secrets.recovery.existing("Recovery passphrase of the store: ")
        let pin = try secrets.passphrase.new("New PIN of the store: ", output)
        do throws(SecureStorageError) {
            try await store.reseal(
                recovery: recovery, pin: pin, isNewChip: newChip, acceptingOlder: acceptOlder,
                random: SystemRandom())
        } catch { throw error.failure }
        try output.receipt(ResealedView(backend, isNewChip: newChip))
    }
}
