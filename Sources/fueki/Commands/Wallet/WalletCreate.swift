internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Time
internal import WalletBooks

struct WalletCreate: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a wallet: shares of a key that never exists as a whole.",
        discussion: """
            Share 1 (device) stays on this machine, share 2 (backup) goes to the backup folder, share 3 (recovery) to \
            the recovery folder; further ones go to these two in turn. Keep them in different places: signing takes a \
            threshold of them and the passphrase; fewer are worth nothing. Leave the new passphrase empty to have seven \
            random words proposed.

            EXAMPLES
              fueki wallet create savings --network signet \\
                  --backup-dir /media/usb --recovery-dir /media/safe
              fueki wallet create daily --network mainnet --device-key tpm \\
                  --backup-dir /media/usb --recovery-dir /media/safe
              fueki wallet create treasury --network mainnet --threshold 3 --shares 5 \\
                  --backup-dir /media/usb --recovery-dir /media/safe
            """)

    @Argument(help: "A name for the wallet: letters, digits, '.', '_' and '-'.")
    var name: String

    @OptionGroup var options: NewWalletOptions

    @Flag(help: "Print the public keys and the descriptors, too.")
    var verbose = false

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let creation = try await options.creation(of: name, in: global.walletHome, output)
        let secret = try options.newPassphrase(of: name, output)
        let wallet = try await attempt { () async throws(CustodyError) in
            try await creation.run(
                passphrase: secret, random: SystemRandom(), now: Timestamp.now().seconds
            ) { step in output.progress(step.text) }
        }
        await global.walletHome.log(.creation, of: wallet, passphrase: secret, output)
        let places = PlaceAdvice(wallet.placeFindings(in: global.walletHome, on: .real), in: global.walletHome)
        let view = try NewWalletView(
            made: wallet, places, isRecoveryHere: options.recoveryDir == nil, version: Version.text)
        try output.receipt(view.result) {
            view.text(isVerbose: verbose, columns: TerminalWidth.sentenceColumns)
        }
    }
}
