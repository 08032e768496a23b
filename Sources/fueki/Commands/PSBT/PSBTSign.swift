internal import ArgumentParser
internal import Bitcoin
internal import ErrorTexts
internal import Foundation
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct PSBTSign: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a transaction with shares of a wallet, after you have confirmed it.",
        discussion: """
            Shows what the transaction does, asks, opens the shares, and has the participants sign. Each of them reads the \
            transaction itself, and every signature is verified before it is written.

            EXAMPLES
              fueki psbt sign savings payment.psbt -o signed.psbt
              fueki psbt sign savings payment.psbt -o signed.psbt --with backup,recovery

            In a script, sign what 'psbt inspect --json' showed, and nothing else:
              fueki psbt sign savings payment.psbt -o signed.psbt \\
                  --expect "$digest" --passphrase-file passphrase.txt --json
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The PSBT: binary, base64 or hexadecimal; '-' is standard input.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, file: "Where the signed PSBT goes, in the form of the input; '-' is standard output.")
    var output: String

    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        if input == "-", signing.passphrase.passphraseFile == "-" {
            throw .usage("the PSBT and the passphrase cannot both come from standard input")
        }
        let wallet = try global.wallet(named: wallet.name)
        // Errors in the command line are reported before a file is read and before the question for the passphrase.
        _ = try signing.locations(of: wallet)
        let file = try TransactionFile.read(input)
        try OutputFile.check(self.output, output)
        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        if let coin = await prompt.flow.book.frozenCoin(in: .bitcoinTransaction(file.psbt)) { throw .frozen(coin) }
        let proposal = try await attempt { () async throws(SigningError) in
            try await prompt.flow.propose(.bitcoinTransaction(file.psbt))
        }
        guard let (signed, view) = try await prompt.sign(proposal) else { return }
        guard case .bitcoinTransaction(let psbt) = signed.product else {
            preconditionFailure("a PSBT becomes a PSBT")
        }
        let outcome = SignedOutcome(
            psbt: self.output, view, shares: prompt.shares, warnings: prompt.warnings(of: signed))
        try output.file(psbt.file(as: file.format), to: self.output, outcome) { outcome.text }
    }
}
