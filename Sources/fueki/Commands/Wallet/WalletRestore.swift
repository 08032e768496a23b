internal import ArgumentParser
internal import Custody
internal import Secrets
internal import Threshold

struct WalletRestore: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring a wallet back from its share files, or tell it where they are now.",
        discussion: """
            Every share file holds a sealed copy of the wallet's description. On a machine that does not have the wallet, \
            one file brings its addresses back; to sign, name as many as a signature takes. A wallet that is there learns \
            where you have moved its share files. The files stay as they are.

            EXAMPLES
              fueki wallet restore savings --share /media/safe/fueki-savings-recovery.vault
              fueki wallet restore savings --share /media/usb/fueki-savings-backup.vault \\
                  --share /media/safe/fueki-savings-recovery.vault
            """)

    @Argument(help: "The wallet's name, as it was.")
    var name: String

    @Option(
        help: ArgumentHelp("The file of a share. Give this option once for each file.", valueName: "file"),
        completion: .file(extensions: ["vault"]))
    var share: [String]

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let walletName = try attempt { () throws(CustodyError) in try WalletName(name) }
        let restoration = WalletRestoration(name: walletName, home: global.walletHome)
        try attempt { () throws(CustodyError) in try restoration.check() }
        let isNew = !global.walletHome.names().contains(walletName)
        let secret = try passphrase.existing()
        output.progress("opening \(share.count) share file\(share.count == 1 ? "" : "s")")
        let wallet = try await attempt { () async throws(CustodyError) in
            try await restoration.run(files: share, passphrase: secret)
        }
        // A share of a `wallet create` that was interrupted is whole, and may be the only one there is.
        if isNew, share.count < wallet.parameters.threshold {
            output.note(
                """
                warning: these are fewer shares than sign. Be sure that the others exist before coins are sent to this \
                wallet: 'fueki wallet check' opens them.
                """)
        }
        let view = try WalletView(wallet)
        try output.result(view) { view.text }
    }
}
