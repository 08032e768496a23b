internal import ArgumentParser
internal import Custody
internal import Encoding
internal import HDKeys
internal import Terminal
internal import Wallet

struct PolicyExplain: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Tell what a policy says to something that is to be signed, rule by rule.",
        discussion: """
            Signs nothing. Without --with-history it is explained as if nothing had been signed before, and nobody were \
            known: what a wallet has signed and whom it knows lies in its book, which takes the passphrase. With it, and \
            without --policy, the policy is the wallet's own. A proposal that 'pending export' wrote is explained with the \
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
        let subject = try subject(of: file)
        let approvals = try ApprovalFile.read(approval)
        let (policy, context, names) = try await context(of: subject, given, approvals)
        let intent = subject.work.intent.checked(in: context)
        let decision = policy.decide(on: intent, in: context)
        var shown = IntentView(
            intent, decision, of: subject.work, accounts: subject.accounts, wallet: subject.name, names: names)
        let ignored = IgnoredApproval.all(among: approvals, for: intent.digest, under: policy, decision)
        if !ignored.isEmpty { shown.ignored_approvals = ignored.map { $0.sentence(on: approval) } }
        let view = ExplanationView(shown, decision, knowsHistory: withHistory)
        try output.result(view) { view.text }
        if given == nil, !withHistory {
            output.note("note: this is what holds for wallets without a policy; --policy names another one")
        }
        if !withHistory {
            output.note("note: what was signed before, and whom you know, is not in it: see --with-history")
        }
    }

    /// What is explained, and whose it is.
    private struct Subject {
        let work: SigningWork
        let accounts: Accounts
        let name: WalletName
        /// Nil where a proposal's file says all that there is to know.
        let wallet: WalletRecord?
    }

    /// An approver reads a proposal with the keys that are in its file, on a machine that has no wallet.
    private func subject(of file: PayloadFile) throws(Failure) -> Subject {
        if case .proposal(let proposal) = file, wallet == nil, !withHistory {
            let accounts = try attempt { () throws(CustodyError) in try proposal.accounts }
            let work = try attempt { () throws(HDKeyError) in try SigningWork(of: proposal.payload, for: accounts) }
            return Subject(work: work, accounts: accounts, name: proposal.wallet, wallet: nil)
        }
        let (wallet, payload) = try WalletChoice(global.walletHome, named: wallet, account: account).choose(for: file)
        return try attempt { () throws(CustodyError) in
            Subject(
                work: try wallet.work(of: payload), accounts: try wallet.accounts, name: wallet.name, wallet: wallet)
        }
    }

    /// The policy that is asked, and what is known beside the bytes.
    private func context(
        of subject: Subject, _ given: Policy?, _ approvals: [Approval]
    ) async throws(Failure) -> (Policy, PolicyContext, PartyNames) {
        let now = UInt64.now
        let work = subject.work
        let digest = work.intent.digest
        guard let wallet = subject.wallet, withHistory else {
            let policy = given ?? .standard
            let approvers = policy.approvers(of: digest, in: approvals)
            return (
                policy,
                PolicyContext(
                    now: now, history: [], known: nil, chosen: [], proposed: nil, approvers: approvers, node: nil),
                .none
            )
        }
        let secret = try passphrase.existing()
        return try await global.walletHome.withBook(of: wallet, passphrase: secret) { (book) throws(CustodyError) in
            let found = try await book.context(
                for: work.payload, digest: digest, now: now, approvals: approvals, node: nil)
            let names = PartyNames(await book.contacts())
            guard let given else { return (try await book.policy(), found, names) }
            return (
                given,
                PolicyContext(
                    now: now, history: found.history, known: found.known, chosen: found.chosen,
                    proposed: found.proposed, approvers: given.approvers(of: digest, in: approvals), node: nil),
                names
            )
        }
    }
}
