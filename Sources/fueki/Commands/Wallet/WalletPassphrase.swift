internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Threshold
internal import Time
internal import WalletBooks

struct WalletPassphrase: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Change the passphrase of a wallet's share files and book; shares and addresses stay.",
        discussion: """
            Connect every place of a share first. A share that is not there keeps the old passphrase, and 'fueki wallet show' \
            names it: connect it later, and run the command again with the same two passphrases. If the command is \
            interrupted, run it again in the same way; until then one of the two passphrases opens every file.

            End commands that wait for the wallet first, such as 'send' before its block: they keep the old passphrase, and \
            cannot note the outcome. 'fueki resume' goes on for them.

            Copies of the files from before keep the old passphrase. If somebody may know it, 'fueki wallet refresh' makes \
            such copies of shares worthless. Another machine with this wallet keeps the passphrase of its own files, and shares \
            on sticks that it uses get the new one: run the same command on every machine that uses them. The keys of approvers \
            and exchanges have passphrases of their own, which do not change.

            EXAMPLES
              fueki wallet passphrase savings
              fueki wallet passphrase savings --passphrase-file old.txt \\
                  --new-passphrase-file new.txt
            """)

    /// The new passphrase.
    struct NewPassphrase: SecretFileOptions {
        @Option(file: "Take its first line as the new passphrase; '-' is stdin.")
        var newPassphraseFile: String?

        var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: newPassphraseFile)] }

        var input: SecretInput { SecretInput(newPassphraseFile, "--new-passphrase-file") }
    }

    @OptionGroup var wallet: WalletArgument

    @Flag(name: .shortAndLong, help: "Do not ask whether a weak passphrase is meant.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var new: NewPassphrase
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        try SecretFiles.requireOneStandardInput([passphrase.passphraseFile, new.newPassphraseFile])
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let home = global.walletHome
        let present = try passphrase.existing("Present passphrase: ")
        let secret = try new.input.newPassphrase(
            ofWallet: wallet.name.description, threshold: wallet.parameters.threshold, yes: yes, output)
        let outcome: PassphraseChange.Outcome
        do throws(CustodyError) {
            outcome = try await home.changePassphrase(
                of: wallet, from: present, to: secret, random: SystemRandom(), now: Timestamp.now().seconds
            ) { step in output.progress(step.text) }
        } catch { throw error.failure }
        try output.receipt(PassphraseChangeView(outcome, of: wallet, book: home.bookPath(of: wallet.name)))
    }
}
