internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

struct WalletRestore: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring a wallet back from its share files, or tell it where they are now.",
        discussion: """
            Every share file holds a sealed copy of the wallet's description. On a machine that does not have the \
            wallet, one file brings its addresses back; to sign, name as many as a signature takes. A wallet that is \
            there learns where you have moved its share files; or, given a threshold of them, that another machine \
            renewed the shares. The files stay as they are.

            After a renewal the newest files count: '-epoch-2' in a name is newer than '-epoch-1', and that newer than none. \
            Files of different epochs do not work together.

            EXAMPLES
              fueki wallet restore savings --share /media/safe/fueki-savings-recovery.vault
              fueki wallet restore savings \\
                  --share /media/usb/fueki-savings-backup-epoch-1.vault \\
                  --share /media/safe/fueki-savings-recovery-epoch-1.vault
            """)

    @Argument(help: "The wallet's name, as it was.")
    var name: String

    @Option(file: "The file of a share. Give this option once for each file.", extensions: ["vault"])
    var share: [String]

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let given = try attempt { () throws(CustodyError) in try WalletName(name) }
        // The label of a wallet that is here names it as well.
        let walletName = (try? global.walletHome.name(ofWalletCalled: given)) ?? given
        let restoration = WalletRestoration(name: walletName, home: global.walletHome)
        try attempt { () throws(CustodyError) in try restoration.check() }
        let before = try? global.walletHome.wallet(walletName)
        let hadBook = global.walletHome.hasBook(of: walletName)
        let secret = try passphrase.existing()
        let files = "\(share.count) share file\(share.count == 1 ? "" : "s")"
        output.progress(StepText("opening \(files)", done: "opened \(files)"))
        let wallet = try await attempt { () async throws(CustodyError) in
            try await restoration.run(files: share, passphrase: secret)
        }
        await global.walletHome.log(.restoration, of: wallet, passphrase: secret, output)
        let findings = RestorationFinding.all(of: wallet, before: before, files: share.count, hadBook: hadBook)
        let warnings = findings.map { $0.warning(about: wallet.name) }
        for warning in warnings { output.note("warning: \(warning)") }
        let view = try WalletView(
            wallet, label: global.walletHome.label(of: wallet.name), present: wallet.presentShares)
        var result = WalletResult(view)
        if !warnings.isEmpty { result.warnings = warnings }
        try output.receipt(result) { view.text }
    }
}
