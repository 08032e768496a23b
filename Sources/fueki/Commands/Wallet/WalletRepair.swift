internal import ArgumentParser
internal import Custody
internal import Terminal
internal import Texts

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
