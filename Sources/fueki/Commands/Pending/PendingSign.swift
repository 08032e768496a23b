internal import ArgumentParser
internal import Payments
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import WalletBooks

struct PendingSign: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign what has waited, once the policy allows it.",
        discussion: """
            Writes a PSBT (Base64), a transaction of Ethereum (hexadecimal) or the signature of a message or file, and sends \
            nothing.

            A payment that would spend a coin that was frozen since ('fueki coins freeze') is not signed.

            An Ethereum transaction takes a nonce of its account. The same 'fueki send' again sends it to the node, and \
            makes no second payment. Another order of that account follows it, and asks first whether to send it, too \
            (--resend).

            EXAMPLE
              fueki pending sign savings 3f2a9c01 -o signed \\
                  --approval anna.json --approval ben.json
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file for the signed transaction; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

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
        let outcome = SignedOutcome(
            proposal: signed.product, in: self.output, view, shares: prompt.shares, warnings: warnings)
        try output.file(
            Array((signed.product.text + "\n").utf8), to: self.output,
            isForOthers: signed.product.isForOthers, outcome
        ) { outcome.text }
    }
}
