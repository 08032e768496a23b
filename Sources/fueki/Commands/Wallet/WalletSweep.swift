internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Ethereum
internal import HDKeys
internal import Payments
internal import Presentation
internal import SigningSession
internal import Sweep
internal import Terminal
internal import Texts
internal import Wallet

struct WalletSweep: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep", abstract: "Move what a mnemonic or a keystore holds to a wallet of shares.",
        discussion: """
            Reads the words (BIP-39) or a keystore from a file, and moves what one account has on one chain to a wallet that \
            was made as shares. On Bitcoin the account of BIP-84 and BIP-86 (bc1…); on Ethereum the chain's coin, while \
            tokens stay. If it is interrupted, run it again. Lists what remains. \(furtherOptions)

            EXAMPLES
              fueki wallet sweep --mnemonic-file words.txt --into savings \\
                  --node http://127.0.0.1:8332
              fueki wallet sweep --keystore-file key.json --into savings \\
                  --chain ethereum --node http://127.0.0.1:8545
            """)

    /// The words or the keystore, and the account.
    struct Source: ParsableArguments {
        @OptionGroup var mnemonic: MnemonicOptions
        @OptionGroup var keystore: KeystoreOptions

        @Option(help: .value("number", "The account of the words, from 0."))
        var account: UInt32?
    }

    /// The wallet that receives the coins.
    struct Destination: ParsableArguments {
        @Option(help: .value("name", "The wallet that it goes to."), completion: .wallets)
        var into: String

        @OptionGroup var chain: ChainOption
        @OptionGroup var network: OtherNetworkOption
    }

    /// The confirmation of a sweep.
    struct Agreement: ParsableArguments {
        @Flag(help: "Show what would be moved; sign and send nothing.")
        var dryRun = false

        @Flag(name: .shortAndLong, help: "Do not ask, but refuse likely costly mistakes.")
        var yes = false

        @OptionGroup var accepted: AcceptOptions
        @OptionGroup var passphrase: PassphraseOptions
    }

    @OptionGroup(title: "Source") var source: Source
    @OptionGroup(title: "Destination") var destination: Destination
    @OptionGroup(title: "Fee") var fees: FeeOptions
    @OptionGroup(title: "Confirmation") var agreement: Agreement
    @OptionGroup(title: "Node") var node: NodeOptions
    @OptionGroup(title: "Node") var addresses: AddressesOption
    @OptionGroup var global: GlobalOptions

    private var mnemonic: MnemonicOptions { source.mnemonic }
    private var keystore: KeystoreOptions { source.keystore }
    private var account: UInt32? { source.account }
    private var chain: ChainName { destination.chain.chain }
    private var passphrase: PassphraseOptions { agreement.passphrase }

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) { (node, chain, destination.into) }

    func validate() throws {
        guard (mnemonic.mnemonicFile == nil) != (keystore.keystoreFile == nil) else {
            throw ValidationError("one of --mnemonic-file and --keystore-file is needed, and not both")
        }
        guard keystore.keystoreFile == nil || mnemonic.mnemonicPassphraseFile == nil else {
            throw ValidationError("--mnemonic-passphrase-file is about a --mnemonic-file")
        }
        guard keystore.keystoreFile == nil || chain != .bitcoin else {
            throw ValidationError("a keystore holds an account on Ethereum: name the chain with --chain ethereum")
        }
        guard account == nil || keystore.keystoreFile == nil else {
            throw ValidationError("a keystore has one account: --account is about a --mnemonic-file")
        }
        guard account ?? 0 < 1 << 31 else { throw ValidationError("--account is at most \(Int32.max)") }
        try SecretFiles.requireOneStandardInput([
            mnemonic.mnemonicFile, mnemonic.mnemonicPassphraseFile, keystore.keystoreFile,
            keystore.keystorePassphraseFile, passphrase.passphraseFile,
        ])
    }

    func perform(_ output: Output) async throws(Failure) {
        let described = try global.wallet(named: destination.into)
        switch chain {
        case .bitcoin: try attempt { () throws(PaymentError) in try described.requireSharedFromBirth() }
        case .ethereum(let id): try destination.network.check(id, for: described)
        }
        // A program with write access to the home folder can put another wallet's description there.
        let secret = try passphrase.existing()
        output.progress(
            StepText(
                "opening a share of '\(described.name)', to see that it is the wallet that is paid",
                done: "opened a share of '\(described.name)': it is the wallet that is paid"))
        let proven = try await attempt { () async throws(CustodyError) in
            try await global.walletHome.proven(described, passphrase: secret)
        }
        let wallet = proven.record
        let result =
            switch chain {
            case .bitcoin: try await sweep(accounts(on: wallet.network), into: proven, output)
            case .ethereum(let id):
                if let path = keystore.keystoreFile {
                    try await sweep(keystore.account(in: path, output), into: wallet, on: id, output)
                } else {
                    try await sweep(accounts(on: wallet.network).ethereum, into: wallet, on: id, output)
                }
            }
        try output.receipt(result) { result.text(source: keystore.keystoreFile == nil ? "the words" : "the keystore") }
    }

    private func sweep(
        _ accounts: borrowing MnemonicAccounts, into wallet: ProvenWallet, _ output: Output
    ) async throws(Failure) -> SweepOutcome {
        let fee = try fees.onBitcoin(rate: nil)
        // This machine has not shown any address of the mnemonic.
        let reach = addresses.reach(shown: ShownAddresses())
        let (chain, name) = (try await node.bitcoin(for: wallet.record), wallet.record.name)
        let unit = try global.unit(for: wallet.record)
        let sweep: BitcoinSweep
        do throws(PaymentError) {
            sweep = try await BitcoinSweep(
                of: accounts.accounts, into: wallet, in: global.walletHome, reach: reach, fee: fee, at: chain,
                report: output.listener(for: name))
        } catch { throw error.failure(ofSweep: reach, in: unit) }
        let view = try SweepView(
            sweep, into: name, account: account ?? 0, reach, now: .now, columns: TerminalWidth.columns,
            unit: unit)
        guard try isConfirmed(sweep, view, output) else { return view.outcome(sent: []) }
        let count = sweep.plan.rounds.count
        var number = 0
        do throws(PaymentError) {
            let sent = try await sweep.send(from: accounts) { id in
                number += 1
                if count > 1 { output.note("transaction \(number) of \(count) is sent: \(id)") }
            }
            return view.outcome(sent: sent.map(\.description))
        } catch { throw error.failure(ofSweep: reach, in: unit) }
    }

    private func sweep(
        _ account: borrowing WholeEthereumAccount, into wallet: WalletRecord, on chain: ChainID, _ output: Output
    ) async throws(Failure) -> SweepOutcome {
        let (fee, sender) = (try fees.onEthereum(chain), account.address)
        let node = try await node.ethereum(chain: chain, for: wallet)
        let sweep = try await attempt { () async throws(PaymentError) in
            try await EthereumSweep(of: sender, into: wallet, fee: fee, at: node)
        }
        let view = SweepView(sweep, into: wallet.name, on: chain, now: .now)
        guard try isConfirmed(sweep, view, output) else { return view.outcome(sent: []) }
        do throws(PaymentError) { return view.outcome(sent: [try await sweep.send(from: account).name]) } catch {
            throw error.failureOfEthereumSweep
        }
    }

    private func accounts(on network: Network) throws(Failure) -> MnemonicAccounts {
        let seed = try mnemonic.seed()
        return try attempt { () throws(HDKeyError) in
            try MnemonicAccounts(seed: seed, on: network, account: account ?? 0)
        }
    }

    /// Shows the effects of the sweep, and asks for confirmation if necessary.
    ///
    /// - Returns: false for a dry run.
    private func isConfirmed(_ sweep: any PlannedSweep, _ view: SweepView, _ output: Output) throws(Failure) -> Bool {
        let method: ConfirmationMethod =
            agreement.yes ? .advance(accepting: agreement.accepted.findings.union(fees.accepted)) : .question
        let next = sweep.confirmation(by: method, isRehearsal: agreement.dryRun, now: .now)
        guard next == .question else {
            output.note(view.subject)
            if let failure = next.failure(by: method) { throw failure }
            return next == .confirmed
        }
        guard try Confirmation.ask("Move it?", about: view.subject, insteadUse: "--yes or --dry-run") else {
            throw .declined()
        }
        return true
    }
}
