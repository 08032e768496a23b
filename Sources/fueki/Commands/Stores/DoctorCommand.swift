internal import ArgumentParser
internal import Custody
internal import DeviceStores
internal import ExchangeCredentials
internal import Presentation
internal import Secrets
internal import SecureStorage
internal import Terminal
internal import Texts

struct DoctorCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Examine this machine: stores, chips, memory, randomness.",
        discussion: """
            Says what can be used here, what cannot and why, and what to do about it. Changes nothing, and asks for no \
            passphrase. The exit code is 2 if there is a problem.

            EXAMPLE
              fueki doctor
            """)

    @OptionGroup var global: GlobalOptions

    /// The wallets whose share on this machine needs a chip. One that cannot be read is reported by 'wallet list'.
    private var boundWallets: [(name: String, chip: StoreBackend)] {
        global.walletHome.names().compactMap { name in
            let wallet = try? global.walletHome.wallet(name)
            return wallet?.shares.compactMap(\.device).first.map { (name.description, $0) }
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let home = global.walletHome.path
        let doctor = Doctor(
            of: .ofThisMachine, home: home, store: global.exchangeHome.store, wallets: boundWallets,
            random: SystemRandom())
        let view = DoctorView(await doctor.examine(), home: home)
        try output.result(view) { view.text(columns: TerminalWidth.sentenceColumns) }
        guard !view.hasProblem else {
            throw Failure(code: .refused, name: "needs_attention", message: "this machine needs attention")
        }
    }
}
