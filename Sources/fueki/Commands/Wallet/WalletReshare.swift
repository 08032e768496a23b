internal import ArgumentParser
internal import Custody
internal import Terminal
internal import Threshold

struct WalletReshare: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "reshare",
        abstract: "Change how many shares a wallet has and how many sign; keys and addresses stay.",
        discussion: """
            As many shares as sign now have to be there. All get new files, and the old ones are removed. A share that is \
            not there cannot be removed: destroy it yourself, because as many old shares as signed before are still the key. \
            Only one machine renews a wallet: see 'fueki wallet refresh'.

            EXAMPLE
              fueki wallet reshare savings --threshold 3 --shares 5 \\
                  --backup-dir /media/usb --recovery-dir /media/safe
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: ArgumentHelp("How many shares it will take to sign.", valueName: "number"))
    var threshold: Int

    @Option(help: ArgumentHelp("How many shares there will be, at most 15.", valueName: "number"))
    var shares: Int

    @Option(
        help: ArgumentHelp(
            "The folder for the backup share and others of even number (default: where they are).", valueName: "folder"),
        completion: .directory)
    var backupDir: String?

    @Option(
        help: ArgumentHelp(
            "The folder for the recovery share and others of odd number (default: where they are).", valueName: "folder"
        ),
        completion: .directory)
    var recoveryDir: String?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        guard let parameters = try? ThresholdParameters(threshold: threshold, total: shares) else {
            throw .usage(
                "\(threshold) of \(shares) shares is not possible",
                hint: "the threshold is at least 2 and at most the number of shares, of which there are at most 15")
        }
        for folder in [backupDir, recoveryDir] where folder?.isEmpty == true {
            throw .usage("a folder for shares needs a name, and this one is empty")
        }
        let run = RenewalRun(
            renewal: .reshare(parameters, backup: backupDir, recovery: recoveryDir), name: wallet.name, global: global,
            passphrase: passphrase)
        try await run.perform(output) { wallet in
            if yes { return nil }
            let present = wallet.parameters
            return (
                "Make \(shares) new shares, of which \(threshold) sign, and remove the old ones?",
                "'\(wallet.name)' has \(present.total) shares now, of which \(present.threshold) sign."
            )
        }
    }
}
