internal import ArgumentParser
internal import Custody
internal import Foundation
internal import HDKeys
internal import Secrets
internal import Terminal
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

    @OptionGroup var options: NewWalletOptions

    @Flag(help: "Print the public keys and the descriptors, too.")
    var verbose = false

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let creation = try options.creation(of: name, in: global.walletHome, output)
        let secret = try options.newPassphrase(output)
        let wallet = try await attempt { () async throws(CustodyError) in
            try await creation.run(
                passphrase: secret, random: SystemRandom(), now: Int64(Date().timeIntervalSince1970)
            ) { step in output.progress(step.description) }
        }
        let view = try WalletView(wallet)
        let address = try attempt { () throws(CustodyError) in try wallet.address(.taproot, at: .receive, index: 0) }
        let places = PlaceAdvice(wallet.placeFindings(in: global.walletHome, on: .real), in: global.walletHome)
        let result = Result(wallet: view, firstAddress: address.address, warnings: places.sentences)
        try output.result(result) {
            ([verbose ? view.text : view.brief, "", "first address  \(address.address)"]
                + options.advice(on: wallet, places) + options.nextSteps(for: wallet))
                .joined(separator: "\n")
        }
    }

    /// What `wallet show` shows, the first address, and what is wrong with the places of the shares.
    private struct Result: Encodable {
        let wallet: WalletView
        let firstAddress: String
        let warnings: [String]

        private enum CodingKeys: String, CodingKey {
            case firstAddress = "first_address"
            case warnings
        }

        func encode(to encoder: any Encoder) throws {
            try wallet.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(firstAddress, forKey: .firstAddress)
            try container.encode(warnings, forKey: .warnings)
        }
    }
}
