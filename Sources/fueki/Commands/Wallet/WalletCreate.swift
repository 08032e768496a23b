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
            Share 1 (device) stays on this machine, share 2 (backup) goes to the backup folder, share 3 (recovery) to the \
            recovery folder; further ones go to these two in turn. Keep them in different places: to sign takes as many of \
            them as the threshold says, and the passphrase; whoever has fewer has nothing.

            EXAMPLES
              fueki wallet create savings --network signet \\
                  --backup-dir /media/usb --recovery-dir /media/safe
              fueki wallet create treasury --network mainnet --threshold 3 --shares 5 \\
                  --backup-dir /media/usb --recovery-dir /media/safe
            """)

    @Argument(help: "A name for the wallet: letters, digits, '.', '_' and '-'.")
    var name: String

    @Option(help: "The chain that it is for.")
    var network: Network

    @Option(help: ArgumentHelp("How many shares it takes to sign.", valueName: "number"))
    var threshold = 2

    @Option(help: ArgumentHelp("How many shares there are, at most 15.", valueName: "number"))
    var shares = 3

    @Option(
        help: ArgumentHelp("The folder for the backup share: on a stick, on another disk.", valueName: "folder"),
        completion: .directory)
    var backupDir: String

    @Option(
        help: ArgumentHelp(
            "The folder for the recovery share (default: 'recovery' beside your wallets, to be moved elsewhere).",
            valueName: "folder"),
        completion: .directory)
    var recoveryDir: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    /// Shorter passphrases are taken, with a warning: a phrase of five words is longer.
    private static let shortPassphrase = 16

    func perform(_ output: Output) async throws(Failure) {
        guard let parameters = try? ThresholdParameters(threshold: threshold, total: shares) else {
            throw .usage(
                "\(threshold) of \(shares) shares is not possible",
                hint: "the threshold is at least 2 and at most the number of shares, of which there are at most 15")
        }
        let walletName = try attempt { () throws(CustodyError) in try WalletName(name) }
        let creation = WalletCreation(
            name: walletName, network: network, parameters: parameters,
            places: SharePlaces(backup: backupDir, recovery: recoveryDir), home: global.walletHome)
        // What is in the way is told before anybody thinks of a passphrase.
        try attempt { () throws(CustodyError) in try creation.check() }
        for folder in [backupDir, recoveryDir ?? backupDir] where folder.isEmpty {
            throw .usage("a folder for shares needs a name, and this one is empty")
        }
        output.warn(ofMissing: [backupDir, recoveryDir].compactMap(\.self))

        let secret = try passphrase.new()
        if secret.count < Self.shortPassphrase {
            output.note(
                """
                warning: this passphrase is short. Whoever finds \(threshold) share files can try to guess it: \
                five random words are better.
                """)
        }
        let wallet = try await attempt { () async throws(CustodyError) in
            try await creation.run(
                passphrase: secret, random: SystemRandom(), now: Int64(Date().timeIntervalSince1970)
            ) { step in output.progress(step.description) }
        }
        let view = try WalletView(wallet)
        let address = try attempt { () throws(CustodyError) in try wallet.address(.taproot, at: .receive, index: 0) }
        let result = Result(wallet: view, firstAddress: address.address)
        try output.result(result) {
            ([view.text, "", "first address  \(address.address)"] + advice(on: wallet)).joined(separator: "\n")
        }
    }

    /// What `wallet show` shows, and the first address.
    private struct Result: Encodable {
        let wallet: WalletView
        let firstAddress: String

        private enum CodingKeys: String, CodingKey { case firstAddress = "first_address" }

        func encode(to encoder: any Encoder) throws {
            try wallet.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(firstAddress, forKey: .firstAddress)
        }
    }

    /// What to do next, so that a loss of one place is no loss of coins, and a thief of one has none.
    private func advice(on wallet: WalletRecord) -> [String] {
        var advice: [String] = []
        if threshold == shares {
            advice += [
                "", "Every share is needed to sign: losing one of them, or the passphrase, loses the coins.",
            ]
        }
        return advice + PlaceAdvice.crowded(wallet, in: global.walletHome)
    }
}
