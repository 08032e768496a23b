internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct PolicyExplain: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain a policy's decision about something to be signed, rule by rule.",
        discussion: """
            Signs nothing. Without --with-history the decision is made as if nothing had been signed before and no \
            payee were known: both are in the wallet's book, which the passphrase opens. With it, and without \
            --policy, the policy is the wallet's own. A proposal that 'pending export' wrote is explained with the \
            keys in its file: that takes no wallet.

            EXAMPLES
              fueki policy explain payment.psbt --policy policy.json
              fueki policy explain transaction.hex --wallet savings --with-history
            """)

    @Argument(
        help: ArgumentHelp(
            """
            A PSBT, a transaction of Ethereum (binary or hexadecimal), a document of typed data (EIP-712), or a proposal \
            that 'pending export' wrote; '-' is standard input.
            """),
        completion: .file())
    var file: String

    @Option(file: "The policy that is asked (default: that of a wallet without one).", extensions: ["json"])
    var policy: String?

    @Option(help: .value("name", "The wallet that would sign (default: the one that it spends from)."))
    var wallet: String?

    @Option(help: .value("number", "Which account on Ethereum signs, from 0."))
    var account: UInt32?

    @Flag(help: "Open the wallet's book: what was signed before, and whom the wallet knows.")
    var withHistory = false

    @Option(file: "A file with an approval. Once for each.")
    var approval: [String] = []

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let given = try policy.map { (path) throws(Failure) in try PolicyDocument.read(path).policy }
        let bytes = try InputFile.read(self.file)
        let file = try attempt(on: self.file) { () throws(CustodyError) in try PayloadFile(decoding: bytes) }
        let name = try wallet.map { name throws(Failure) in
            try global.walletName(name)
        }
        let subject = try attempt { () throws(WalletChoiceFault) in
            try PolicySubject(
                of: file, in: global.walletHome, named: name, account: account, searching: WalletLimits.accounts,
                needsWallet: withHistory)
        }
        let approvals = try ApprovalFile.read(approval)
        let explanation =
            if let wallet = subject.wallet, withHistory {
                try await passphrase.withBook(of: wallet, in: global) { (book) throws(CustodyError) in
                    try await subject.explanation(in: book, under: given, approvals: approvals, now: .now)
                }
            } else {
                try await attempt { () async throws(CustodyError) in
                    try await subject.explanation(in: nil, under: given, approvals: approvals, now: .now)
                }
            }
        let view = ExplanationView(explanation, approvals: approval)
        try output.result(view) { view.text(in: .ofTerminal) }
        for note in view.notes { output.note("note: \(note)") }
    }
}
