internal import ArgumentParser
internal import Custody
internal import HDKeys
internal import Nodes
internal import Payments
internal import Secrets
internal import Terminal
internal import Wallet

struct WalletSweep: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep", abstract: "Move what a mnemonic or a keystore holds to a wallet of shares.",
        discussion: """
            Reads the words (BIP-39) or a keystore of Ethereum from a file, moves what one account has on one chain to the \
            wallet, and keeps nothing of the file. Better than dealing its key into shares ('fueki wallet import'): that key was whole once, in \
            every place that had the file, and whoever copied it there could still spend.

            Bitcoin: one account of BIP-84 (bc1q…) and of BIP-86 (bc1p…), in one transaction, \
            or in several where the coins are too many for one: the most valuable first, and the same command goes on where \
            it was interrupted. Those of BIP-44 and BIP-49 \
            (addresses that begin with 1 or 3) are not looked at: move them with the software that made them. Ethereum: what \
            the account of the keystore, or m/44'/60'/N'/0/0 of the words, has of the chain's coin, less the highest fee; \
            tokens stay, so move them before. N is --account, the first if none is named.

            What stays is told: coins that wait to be mined, or cannot be spent yet, or cost more than they are worth, and of \
            the fee what was not needed. Other accounts, and addresses beyond --addresses, are not looked at. A wallet that \
            was imported takes nothing: whoever has its words would still have the coins. One of the wallet's shares is opened \
            before, to see that its description was not replaced. The coins go to an address that this machine has not shown \
            and that was never paid, as an explorer (--esplora) says. Bitcoin Core keeps no record of coins that were spent: \
            with it the address is one that has no coins now. Where this machine has shown all addresses, the coins go to one \
            that it has shown and that was not paid.

            EXAMPLES
              fueki wallet sweep --mnemonic-file words.txt --into savings \\
                  --node http://127.0.0.1:8332
              fueki wallet sweep --mnemonic-file words.txt --into savings \\
                  --chain ethereum --node http://127.0.0.1:8545
              fueki wallet sweep --keystore-file key.json --into savings \\
                  --chain ethereum --node http://127.0.0.1:8545
            """)

    @OptionGroup var mnemonic: MnemonicOptions
    @OptionGroup var keystore: KeystoreOptions

    @Option(help: ArgumentHelp("Which account of the words, from 0.", valueName: "number"))
    var account: UInt32?

    @Option(
        help: ArgumentHelp("The wallet that it goes to.", valueName: "name"),
        completion: .custom { words, _, _ in GlobalOptions.home(in: words).names().map(\.description) })
    var into: String

    @OptionGroup var chain: ChainOption
    @OptionGroup var network: OtherNetworkOption
    @OptionGroup var fees: FeeOptions
    @OptionGroup var addresses: AddressesOption

    @Flag(name: .shortAndLong, help: "Do not ask. What looks like a costly mistake is not moved.")
    var yes = false

    @OptionGroup var accepted: AcceptOptions

    @Flag(help: "Show what would be moved, sign nothing and send nothing.")
    var dryRun = false

    @OptionGroup var node: NodeOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    struct Result: Encodable {
        /// Of the first transaction, as its chain writes it; none after a dry run.
        let id: String?
        /// Of all transactions, in the order in which they were sent, where it may take several.
        var ids: [String]?
        let chain: String
        /// In the smallest unit.
        let amount: String
        let to: String
        /// With what is set aside for a fee that the chain charges beside gas.
        let highest_fee: String
        /// What stays at the addresses that were looked at, in the smallest unit; on Ethereum at most.
        let left: String
        /// The left, in words; none if there is none.
        let stays: String?
        let looked_at: String
    }

    var asked: (node: NodeOptions, chain: ChainOption.Name, wallet: String) { (node, chain.chain, into) }

    func validate() throws {
        guard (mnemonic.mnemonicFile == nil) != (keystore.keystoreFile == nil) else {
            throw ValidationError("one of --mnemonic-file and --keystore-file is needed, and not both")
        }
        guard keystore.keystoreFile == nil || chain.chain != .bitcoin else {
            throw ValidationError("a keystore holds an account on Ethereum: name the chain with --chain ethereum")
        }
        guard account == nil || keystore.keystoreFile == nil else {
            throw ValidationError("a keystore has one account: --account is about a --mnemonic-file")
        }
        guard account ?? 0 < 1 << 31 else { throw ValidationError("--account is at most \(Int32.max)") }
        let files = [
            mnemonic.mnemonicFile, mnemonic.mnemonicPassphraseFile, keystore.keystoreFile,
            keystore.keystorePassphraseFile, passphrase.passphraseFile,
        ]
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("only one file can be standard input")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let described = try global.wallet(named: into)
        switch chain.chain {
        case .bitcoin: try attempt { () throws(PaymentError) in try described.requireSharedFromBirth() }
        case .ethereum(let id): try network.check(id, for: described)
        }
        // Whoever writes to the home can put another wallet's description there, and everything would go to it.
        let secret = try passphrase.existing()
        output.progress("opening a share of '\(described.name)', to see that it is the wallet that is paid")
        let proven = try await attempt { () async throws(CustodyError) in
            try await global.walletHome.proven(described, passphrase: secret)
        }
        let wallet = proven.record
        let result: Result
        switch chain.chain {
        case .bitcoin:
            result = try await BitcoinSweepRun(command: self, wallet: proven, output: output).run(
                accounts(on: wallet.network))
        case .ethereum(let id):
            let sweep = EthereumSweepRun(command: self, wallet: wallet, chain: id, output: output)
            if let path = keystore.keystoreFile {
                result = try await sweep.run(keystore.account(in: path, output))
            } else {
                result = try await sweep.run(accounts(on: wallet.network).ethereum)
            }
        }
        try output.result(result) { text(of: result) }
    }

    private func text(of result: Result) -> String {
        guard let id = result.id else { return "nothing is signed, and nothing is sent" }
        let source = keystore.keystoreFile == nil ? "the words" : "the keystore"
        let ending =
            result.stays.map { "\($0). Keep \(source)" }
            ?? "Nothing stays there. Before you destroy \(source), look for other accounts, tokens and addresses first, "
            + "and wait until \((result.ids ?? []).count > 1 ? "the transactions are" : "the transaction is") mined"
        let sent = (result.ids ?? [id]).map { "transaction \($0) is sent, to \(result.to)" }
        return (sent + ["looked at: \(result.looked_at)", ending]).joined(separator: "\n")
    }

    private func accounts(on network: Network) throws(Failure) -> MnemonicAccounts {
        let seed = try mnemonic.seed()
        return try attempt { () throws(HDKeyError) in
            try MnemonicAccounts(seed: seed, on: network, account: account ?? 0)
        }
    }

    /// Shows what happens, and asks. A lying node's fee is not paid unseen.
    ///
    /// - Returns: false if it is only to be shown.
    func confirm(_ text: String, _ intents: [Intent], _ output: Output) throws(Failure) -> Bool {
        let found = intents.flatMap { $0.checked(in: .unknown(now: .now)).costs(besides: []) }
        let text = ([text] + found.map { "warning: \($0.text)" }).joined(separator: "\n")
        if yes || dryRun {
            output.note(text)
            let names = accepted.names.union(fees.accepted)
            let costs = found.filter { !names.contains($0.name) }
            guard dryRun || costs.isEmpty else { throw .notAccepted(costs, by: "--yes") }
            return !dryRun
        }
        guard try Confirmation.ask("Move it?", about: text, insteadUse: "--yes or --dry-run") else {
            throw .declined()
        }
        return true
    }
}
