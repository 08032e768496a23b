internal import ArgumentParser
internal import DeviceStores
internal import ExchangeCredentials
internal import Presentation
internal import SecureStorage
internal import Terminal
internal import Texts

struct StoreBackends: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "backends", abstract: "List the stores and chips of this machine, and whether they can be used.",
        discussion: """
            Asks each of them, with a time limit of three seconds. Opens no store, and shows no prompt.

            EXAMPLE
              fueki store backends
            """)

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let store = global.exchangeHome.store
        let current: StoreBackend
        var pending: (StoreMigration, isMoved: Bool)?
        do throws(SecureStorageError) {
            current = try store.backend()
            if let migration = try store.migration() { pending = (migration, try store.isMoved(migration)) }
        } catch { throw error.failure }
        let view = BackendListView(
            await MachineStores.ofThisMachine.reports(), current: current, migration: pending)
        try output.result(view) { view.text(columns: TerminalWidth.sentenceColumns) }
    }
}
