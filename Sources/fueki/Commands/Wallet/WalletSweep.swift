internal import ArgumentParser
internal import Custody
internal import Nodes
internal import Secrets
internal import Wallet

struct WalletSweep: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep", abstract: "Move all that the words of a mnemonic hold to a wallet of shares.",
        discussion: """
            Reads the words (BIP-39) from a file, moves everything on one chain to the wallet, and keeps nothing of them. \
            Better than dealing their key into shares: that key was whole once, in every place that had the words, and \
            whoever copied it there could still spend.

            Bitcoin: the first accounts of BIP-84 (bc1q…) and BIP-86 (bc1p…), in one transaction. Those of BIP-44 and BIP-49 \
            (addresses that begin with 1 or 3) are not looked at: move them with the software that made them. Ethereum: what \
            the account m/44'/60'/0'/0/0 has of the chain's coin, less the highest fee; tokens stay, so move them before.

            EXAMPLES
              fueki wallet sweep --mnemonic-file words.txt --into savings \\
                  --node http://127.0.0.1:8332
              fueki wallet sweep --mnemonic-file words.txt --into savings \\
                  --chain ethereum --node http://127.0.0.1:8545
            """)

    @Option(
        help: ArgumentHelp("The file with the words; '-' is standard input.", valueName: "file"), completion: .file())
    var mnemonicFile: String

    @Option(
        help: ArgumentHelp(
            "The file whose first line is the mnemonic's own passphrase, if it has one.", valueName: "file"),
        completion: .file())
    var mnemonicPassphraseFile: String?

    @Option(
        help: ArgumentHelp("The wallet that everything goes to.", valueName: "name"),
        completion: .custom { words, _, _ in GlobalOptions.home(in: words).names().map(\.description) })
    var into: String

    @OptionGroup var chain: ChainOption
    @OptionGroup var fees: FeeOptions
    @OptionGroup var addresses: AddressesOption

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    struct Result: Encodable {
        /// Of the transaction, as its chain writes it.
        let id: String
        let chain: String
        /// In the smallest unit.
        let amount: String
        let to: String
        let highest_fee: String
    }

    var asked: (node: NodeOptions, chain: ChainOption.Name) { (node, chain.chain) }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: into)
        let accounts = try read(for: wallet)
        let result: Result
        switch chain.chain {
        case .bitcoin: result = try await BitcoinSweep(self, wallet, output).run(accounts)
        case .ethereum(let id): result = try await EthereumSweep(self, wallet, id, output).run(accounts)
        }
        try output.result(result) {
            "transaction \(result.id) is sent: all of it goes to \(result.to). Wait until it is mined before you destroy the words"
        }
    }

    private func read(for wallet: WalletRecord) throws(Failure) -> MnemonicAccounts {
        let words = try PassphraseFile.firstLine(of: mnemonicFile)
        guard let path = mnemonicPassphraseFile else {
            return try Self.accounts(of: words, SecretBytes(count: 0) { _ in }, on: wallet.network)
        }
        return try Self.accounts(of: words, PassphraseFile.firstLine(of: path), on: wallet.network)
    }

    private static func accounts(
        of words: borrowing SecretBytes, _ passphrase: borrowing SecretBytes, on network: Network
    ) throws(Failure) -> MnemonicAccounts {
        let seed = try seed(of: words, passphrase)
        do throws(WalletError) {
            return try MnemonicAccounts(seed: seed, on: network)
        } catch { throw error.failure }
    }

    private static func seed(
        of words: borrowing SecretBytes, _ passphrase: borrowing SecretBytes
    ) throws(Failure) -> SecretBytes {
        do throws(Mnemonic.Fault) {
            return try Mnemonic(words: words).seed(passphrase: passphrase)
        } catch { throw error.failure }
    }

    /// Shows what happens, and asks.
    func confirm(_ text: String) throws(Failure) {
        if yes { return }
        guard try Confirmation.ask("Move all of it?", about: text, insteadUse: "--yes") else { throw .declined() }
    }
}

extension Mnemonic.Fault: Explained {
    var failure: Failure {
        let message =
            switch self {
            case .wordCount(let count): "a mnemonic has 12, 15, 18, 21 or 24 words in one line, and this has \(count)"
            case .unknownWord(let position): "word \(position) is none of BIP-39's English words"
            case .badChecksum: "the words are not a mnemonic: one is wrong, or in the wrong place"
            case .entropySize, .notText, .tooLong: "this is no mnemonic"
            }
        return Failure(code: .badInput, name: "bad_mnemonic", message: message)
    }
}
