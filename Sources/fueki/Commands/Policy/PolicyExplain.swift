internal import ArgumentParser
internal import Custody
internal import Encoding
internal import Wallet

struct PolicyExplain: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Tell what a policy says to something that is to be signed, rule by rule.",
        discussion: """
            Signs nothing. Without --with-history it is explained as if nothing had been signed before, and nobody were \
            known: what a wallet has signed and whom it knows lies in its book, which takes the passphrase. With it, and \
            without --policy, the policy is the wallet's own.

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

    @Option(
        help: ArgumentHelp("The policy that is asked (default: that of a wallet without one).", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var policy: String?

    @Option(
        help: ArgumentHelp("The wallet that would sign (default: the one that it spends from).", valueName: "name"))
    var wallet: String?

    @Option(help: ArgumentHelp("Which account on Ethereum signs, from 0.", valueName: "number"))
    var account: UInt32?

    @Flag(help: "Open the wallet's book: what was signed before, and whom the wallet knows.")
    var withHistory = false

    @Option(
        help: ArgumentHelp("A file with an approval. Once for each.", valueName: "file"), completion: .file())
    var approval: [String] = []

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let given = try policy.map { (path) throws(Failure) in try PolicyDocument.read(path).policy }
        let file = try PayloadFile.read(self.file)
        let (wallet, payload) = try WalletChoice(global.walletHome, named: wallet, account: account).choose(for: file)
        let work = try attempt { () throws(CustodyError) in try wallet.work(of: payload) }
        let approvals = try ApprovalFiles.read(approval)
        let (policy, situation, names) = try await situation(of: work, in: wallet, given, approvals)
        let proposed = ProposedPayload(work, from: wallet, under: policy, in: situation)
        let shown = try attempt { () throws(CustodyError) in try IntentView(proposed, of: wallet, names: names) }
        let view = ExplanationView(shown, proposed.decision, knowsHistory: withHistory)
        try output.result(view) { view.text }
        if given == nil, !withHistory {
            output.note("note: this is what holds for wallets without a policy; --policy names another one")
        }
        if !withHistory {
            output.note("note: what was signed before, and whom you know, is not in it: see --with-history")
        }
    }

    /// The policy that is asked, and what is known beside the bytes.
    private func situation(
        of work: SigningWork, in wallet: WalletRecord, _ given: Policy?, _ approvals: [Approval]
    ) async throws(Failure) -> (Policy, Situation, PartyNames) {
        let now = UInt64.now
        let digest = work.intent.digest
        guard withHistory else {
            let policy = given ?? .standard
            let approvers = policy.approvers(of: digest, in: approvals)
            return (
                policy,
                Situation(now: now, history: [], known: [], proposed: nil, approvers: approvers, node: nil),
                .none
            )
        }
        let secret = try passphrase.existing()
        return try await global.walletHome.withBook(of: wallet, passphrase: secret) { (book) throws(CustodyError) in
            let found = try await book.situation(
                for: work.payload, digest: digest, now: now, approvals: approvals, node: nil)
            let names = PartyNames(await book.contacts())
            guard let given else { return (try await book.policy(), found, names) }
            return (
                given,
                Situation(
                    now: now, history: found.history, known: found.known, proposed: found.proposed,
                    approvers: given.approvers(of: digest, in: approvals), node: nil),
                names
            )
        }
    }
}
