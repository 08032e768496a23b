internal import ArgumentParser
internal import Custody
internal import Foundation
internal import Secrets
internal import Terminal
internal import Threshold

struct WalletRestore: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring a wallet back from its share files, or tell it where they are now.",
        discussion: """
            Every share file holds a sealed copy of the wallet's description. On a machine that does not have the wallet, \
            one file brings its addresses back; to sign, name as many as a signature takes. A wallet that is there learns \
            where you have moved its share files; or, given as many as sign, that another machine renewed the shares. The \
            files stay as they are.

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
        let before = try? global.walletHome.wallet(walletName)
        let secret = try passphrase.existing()
        output.progress("opening \(share.count) share file\(share.count == 1 ? "" : "s")")
        let wallet = try await attempt { () async throws(CustodyError) in
            try await restoration.run(files: share, passphrase: secret)
        }
        // A share of a `wallet create` that was interrupted is whole, and may be the only one there is.
        if before == nil, share.count < wallet.parameters.threshold {
            output.note(
                """
                warning: these are fewer shares than sign. Be sure that the others exist before coins are sent to this \
                wallet: 'fueki wallet check' opens them.
                """)
        }
        // Another machine renewed the shares: what this one had before is still the key, if it is enough.
        for old in before?.shares ?? [] where before?.epoch != wallet.epoch {
            if FileManager.default.fileExists(atPath: old.path), !wallet.shares.map(\.path).contains(old.path) {
                output.note(
                    "warning: \(old.path) is a share from before the renewal; destroy it once 'fueki wallet check' says ok "
                        + "for each share on the machine that renewed")
            }
        }
        let view = try WalletView(wallet)
        try output.result(view) { view.text }
    }
}
