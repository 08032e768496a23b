internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import Threshold

struct WalletRefresh: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Replace all shares of a wallet by new ones; keys and addresses stay.",
        discussion: """
            Do it when a share may have been copied, and now and then: what was stolen before is worth nothing \
            afterwards, as long as it was less than a threshold of shares. Every share has to be there. The new files \
            lie beside the old ones, which are removed when all new ones are in place. An interruption leaves the old \
            shares or the new ones, never some of each.

            If several machines have the wallet, renew it on one of them only. On the others, 'fueki wallet restore' \
            with a threshold of the new files brings it up to date. Two that renew on their own make two sets of \
            shares, which do not work together.

            EXAMPLE
              fueki wallet refresh savings
            """)

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var options: RenewalOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try await options.run(.refresh, of: wallet.name, in: global, output, isAsked: false)
    }
}

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

struct WalletRepair: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Give a place whose share was lost a new one; keys and addresses stay.",
        discussion: """
            The other shares make new ones for all places, the lost one's too. Should the lost one turn up, it works with \
            none of the new ones; but as many old shares as signed before are still the key, so that copies of old files \
            have to be destroyed. All other shares have to be there. On a new machine, bring the wallet back with \
            'fueki wallet restore' first. If the share is there and somebody may have copied it, use 'fueki wallet refresh'. \
            Only one machine renews a wallet: see there.

            EXAMPLES
              fueki wallet repair savings --lost device
              fueki wallet repair savings --lost backup --to /media/new-usb
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(
        help: .value(
            "share",
            "The share that was lost: device, backup, recovery, share-4 and so on. Once for each, if there are several."
        ), completion: .list(["device", "backup", "recovery"]))
    var lost: [String]

    @Option(
        folder:
            "The folder for the new share; with several lost, once for each and in that order (default: where the lost one was; for the device, this machine's)."
    )
    var to: [String] = []

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: RenewalOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let renewal = try attempt { () throws(RepairFault) in try Renewal(repairing: lost, to: to) }
        try await options.run(renewal, of: wallet.name, in: global, output, isAsked: !yes)
    }
}
