internal import ArgumentParser
internal import Custody
internal import Foundation
internal import Secrets
internal import Threshold
internal import Wallet

struct WalletCreate: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a wallet: shares of a key that never exists as a whole.",
        discussion: """
            Share 1 stays on this machine, share 2 goes to the backup folder, share 3 to the recovery folder; further \
            ones to the backup folder. Keep them in different places: a thief needs as many of them as a signature \
            does, and the passphrase.
            """)

    @Argument(help: "A name for the wallet: letters, digits, and '._-'.")
    var name: String

    @Option(help: "Which chain: mainnet, testnet, signet or regtest.", completion: .list(Network.allCases.map(\.name)))
    var network: String

    @Option(help: "How many shares sign.")
    var threshold = 2

    @Option(help: "How many shares there are, at most 15.")
    var shares = 3

    @Option(
        help: ArgumentHelp("The folder for the backup share: a stick, another disk.", valueName: "folder"),
        completion: .directory)
    var backupDir: String

    @Option(
        help: ArgumentHelp(
            "The folder for the recovery share (default: 'recovery' in the wallets' home, to be moved elsewhere).",
            valueName: "folder"),
        completion: .directory)
    var recoveryDir: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    /// Shorter passphrases are taken, with a warning: a phrase of five words is longer.
    private static let shortPassphrase = 16

    func perform(_ output: Output) async throws(Failure) {
        guard let chain = Network(name: network) else {
            throw .usage(
                "there is no network '\(network)'",
                hint: "one of \(Network.allCases.map(\.name).joined(separator: ", "))")
        }
        guard let parameters = try? ThresholdParameters(threshold: threshold, total: shares) else {
            throw .usage(
                "\(threshold) of \(shares) shares is not possible",
                hint: "the threshold is at least 2 and at most the number of shares, of which there are at most 15")
        }
        let walletName = try attempt { () throws(CustodyError) in try WalletName(name) }
        let creation = WalletCreation(
            name: walletName, network: chain, parameters: parameters,
            places: SharePlaces(backup: backupDir, recovery: recoveryDir), home: global.walletHome)
        // What is in the way is told before anybody thinks of a passphrase.
        try attempt { () throws(CustodyError) in try creation.check() }

        let secret = try passphrase.new()
        if secret.count < Self.shortPassphrase {
            output.note(
                "warning: this passphrase is short. Whoever finds \(threshold) share files can guess it; use five random words."
            )
        }
        let wallet = try await attempt { () async throws(CustodyError) in
            try await creation.run(
                passphrase: secret, random: SystemRandom(), now: Int64(Date().timeIntervalSince1970)
            ) { step in output.progress(step.description) }
        }
        let view = try WalletView(wallet)
        let address = try attempt { () throws(CustodyError) in try wallet.address(at: .receive, index: 0) }
        output.result(view) { text(view, address: address) }
    }

    private func text(_ view: WalletView, address: WalletAddress) -> String {
        var lines = [view.text, "", "first address  \(address.address)"]
        if recoveryDir == nil, view.total >= 3 {
            lines += [
                "", "Share 3 is still on this machine. Move it elsewhere: whoever has this machine and the backup's",
            ]
            lines += ["place has more than enough anyway, but a share that burns with this machine recovers nothing."]
        }
        return lines.joined(separator: "\n")
    }
}
