internal import ArgumentParser
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

struct VerifyMessageCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-message", abstract: "Check whether an address signed a message. Needs no wallet.",
        discussion: """
            Bitcoin: BIP-322, of addresses that one key spends from (P2WPKH and P2TR); others are inconclusive, and never \
            taken for valid. Ethereum: personal messages (EIP-191), and with --typed documents of typed data (EIP-712), of \
            accounts that have a key; only a node can ask the contract of one that has none.

            The exit code is 0 for a valid signature and for nothing else. One that counts only from some time on is \
            'valid_at', with exit code 2: whether that has come is for you to see.

            EXAMPLES
              fueki verify-message --text 'I hold this' --address bc1q… --signature smp…
              fueki verify-message order.json --typed --address 0x… --signature 0x…
            """)

    @OptionGroup var message: MessageArgument

    @Option(help: .value("address", "Whose signature it should be: an address of Bitcoin or Ethereum."))
    var address: String

    @Option(help: .value("signature", "The signature: BIP-322's text, or the 65 bytes of Ethereum's in hexadecimal."))
    var signature: String

    @Flag(help: "The message is a document of typed data (JSON, EIP-712).")
    var typed = false

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let content = try message.bytes()
        let form: MessageVerification.Form = typed ? .typedData : .message
        let verdict: SignatureVerdict
        do throws(MessageVerificationFault) {
            verdict = SignatureVerdict(
                try MessageVerification(of: content, as: form, by: address, signature: signature), address,
                findings: try MessageVerification.findings(on: content, as: form))
        } catch { throw error.failure(address: address) }
        for warning in verdict.warnings { output.note(Wrapped.text(warning)) }
        try output.result(verdict)
        if let failure = verdict.failure { throw failure }
    }
}
