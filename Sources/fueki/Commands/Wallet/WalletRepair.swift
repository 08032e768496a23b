internal import ArgumentParser
internal import Custody
internal import Terminal

struct WalletRepair: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Give a place whose share was lost a new one; keys and addresses stay.",
        discussion: """
            The other shares make new ones for all places, the lost one's too: should the lost one turn up, or be found by \
            somebody else, it is worthless. All other shares have to be there. On a new machine, bring the wallet back with \
            'fueki wallet restore' first. If the share is there and somebody may have copied it, use 'fueki wallet refresh'. \
            Only one machine renews a wallet: see there.

            EXAMPLES
              fueki wallet repair savings --lost device
              fueki wallet repair savings --lost backup --to /media/new-usb
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(
        help: ArgumentHelp(
            "The share that was lost: device, backup, recovery, share-4 and so on. Once for each, if there are several.",
            valueName: "share"),
        completion: .list(["device", "backup", "recovery"]))
    var lost: [String]

    @Option(
        help: ArgumentHelp(
            "The folder for the new share; with several lost, once for each and in that order (default: where the lost one was; for the device, this machine's).",
            valueName: "folder"),
        completion: .directory)
    var to: [String] = []

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        var locations: [ShareLocation] = []
        for name in lost {
            guard let location = ShareLocation(name) else { throw CustodyError.noSuchShare(name: name).failure }
            if !locations.contains(location) { locations.append(location) }
        }
        guard to.isEmpty || to.count == lost.count && lost.count == locations.count else {
            throw .usage(
                "--to is given \(to.count == 1 ? "once" : "\(to.count) times"), and --lost names "
                    + "\(locations.count == 1 ? "one share" : "\(locations.count) shares")",
                hint: "give --to once for each lost share, in the same order, or not at all")
        }
        if to.contains(where: \.isEmpty) { throw .usage("a folder for shares needs a name, and this one is empty") }
        let run = RenewalRun(
            renewal: .repair(lost: locations, to: to), name: wallet.name, global: global, passphrase: passphrase)
        let names = locations.map(\.name).joined(separator: ", ")
        try await run.perform(output) { wallet in
            if yes { return nil }
            return (
                "Make new shares for all places?",
                """
                Lost of '\(wallet.name)': \(names).
                Every place gets a new share. Should \(locations.count == 1 ? "the lost one" : "one of these") turn up, it \
                will be worthless alone.
                """
            )
        }
    }
}
