internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Encoding
internal import Ethereum
internal import Payments
internal import Terminal
internal import Wallet

struct PendingSign: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign what has waited, once the policy allows it.",
        discussion: """
            Writes a PSBT (Base64), a transaction of Ethereum (hexadecimal) or the signature of a message, and sends nothing.

            A payment that would spend a coin that was frozen since ('fueki coins freeze') is not signed.

            A transaction of Ethereum takes a number of its account. The same 'fueki send' once more hands it to the node, and \
            pays nothing further. Another order of that account comes behind it, and asks first whether to hand it over, too \
            (--resend).

            EXAMPLE
              fueki pending sign savings 3f2a9c01 -o signed \\
                  --approval anna.json --approval ben.json
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where what is signed goes; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let chain: String?
        let shares: [String]
        let warnings: [String]
        let digest: String
        /// How it goes on, if there is something to do.
        let hint: String?
        let intent: IntentView
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try OutputFile.check(self.output, output)
        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        let found = try proposal.find(in: await prompt.flow.book.proposals())
        let held = try await attempt { () async throws(PaymentError) in try await prompt.flow.propose(held: found) }
        guard let (signed, view) = try await prompt.sign(held) else { return }
        var warnings = prompt.warnings(of: signed)
        do throws(PaymentError) { try await prompt.flow.noteNumber(of: signed) } catch {
            let warning = "the signature is good, but its number could not be noted"
            output.note("warning: \(warning)")
            warnings.append(warning)
        }
        await prompt.flow.book.close()
        let names = prompt.shares.joined(separator: " and ")
        let hint = signed.product.hint
        try output.file(
            Array((signed.product.text + "\n").utf8), to: self.output,
            Result(
                output: self.output, chain: view.chain, shares: prompt.shares, warnings: warnings, digest: view.digest,
                hint: hint, intent: view)
        ) { "signed with \(names)" + (hint.map { "\n\($0)" } ?? "") }
    }
}

extension SigningProduct {
    /// How it goes on.
    fileprivate var hint: String? {
        guard case .ethereumTransaction = self else { return nil }
        return "it is not sent: the same 'fueki send' hands it to the node, and pays once"
    }

    /// As a file has it.
    fileprivate var text: String {
        switch self {
        case .bitcoinTransaction(let psbt): psbt.base64
        case .ethereumTransaction(let transaction): "0x" + Hex.encode(transaction.encoded)
        case .ethereumMessage, .bitcoinMessage: messageSignature
        }
    }
}
