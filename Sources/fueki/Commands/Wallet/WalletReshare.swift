internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import Threshold

struct WalletReshare: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "reshare",
        abstract: "Change how many shares a wallet has and how many sign; keys and addresses stay.",
        discussion: """
            A threshold of the present shares has to be there. All get new files, and the old ones are removed. A \
            share that is not there cannot be removed: destroy it yourself, because a threshold of old shares can \
            still sign. Only one machine renews a wallet: see 'fueki wallet refresh'.

            EXAMPLE
              fueki wallet reshare savings --threshold 3 --shares 5 \\
                  --backup-dir /media/usb --recovery-dir /media/safe
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: .value("number", "How many shares it will take to sign."))
    var threshold: Int

    @Option(help: .value("number", "How many shares there will be, at most 15."))
    var shares: Int

    @Option(folder: "The folder for the backup share and others of even number (default: where they are).")
    var backupDir: String?

    @Option(folder: "The folder for the recovery share and others of odd number (default: where they are).")
    var recoveryDir: String?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: RenewalOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        guard let parameters = try? ThresholdParameters(threshold: threshold, total: shares) else {
            throw .impossible(threshold: threshold, of: shares)
        }
        for folder in [backupDir, recoveryDir] where folder?.isEmpty == true { throw .unnamedFolder() }
        let renewal = Renewal.reshare(parameters, backup: backupDir, recovery: recoveryDir)
        try await options.run(renewal, of: wallet.name, in: global, output, isAsked: !yes)
    }
}
