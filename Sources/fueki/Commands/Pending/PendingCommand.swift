internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct PendingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "List, approve and sign what a policy has delayed.",
        discussion: """
            What may be signed only after some time, or once approvers have approved it, waits in the wallet's book. A \
            delay counts from when it was first proposed.

            EXAMPLE: have a payment approved. The second command runs on Anna's machine.
              fueki pending export savings 3f2a9c01 -o proposal.json
              fueki policy approve proposal.json --key anna.vault -o approval.json
              fueki pending sign savings 3f2a9c01 --approval approval.json -o signed
            """,
        subcommands: [
            PendingList.self, PendingShow.self, PendingExport.self, PendingSign.self, PendingWithdraw.self,
        ])
}

/// The argument that names a proposal by the first digits of its digest.
struct ProposalArgument: ParsableArguments {
    @Argument(help: "The proposal's digest, or the beginning of it: see 'pending list'.")
    var id: String

    func find(in proposals: [PendingProposal]) throws(Failure) -> PendingProposal {
        try proposals.choice(id).proposal
    }
}

extension PendingView {
    /// Returns the proposal from the wallet's book.
    fileprivate init(
        _ proposal: PendingProposal, of wallet: WalletRecord, in book: WalletBook, now: UInt64
    ) async throws(CustodyError) {
        let judged = try await book.judged(proposal, of: wallet, now: now)
        try self.init(proposal, judged, of: wallet, names: PartyNames(await book.contacts()), time: .ofSystem)
    }
}

struct PendingList: FuekiCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List what waits to be signed.")

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let views = try await passphrase.withBook(of: wallet, in: global) {
            (book) throws(CustodyError) in
            var views: [PendingView] = []
            for proposal in await book.proposals() {
                views.append(try await PendingView(proposal, of: wallet, in: book, now: .now))
            }
            return views
        }
        try output.result(views) { views.isEmpty ? "nothing waits" : Table(views.flatMap(\.summary)).text }
    }
}

struct PendingShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what a proposal does, and what it waits for.")

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let proposal = proposal
        let view = try await passphrase.withBook(of: wallet, in: global) { (book) throws(Failure) in
            let found = try proposal.find(in: await book.proposals())
            return try await attempt { () async throws(CustodyError) in
                try await PendingView(found, of: wallet, in: book, now: .now)
            }
        }
        try output.result(view) {
            view.intent.text(in: .ofTerminal) + StyledText("\n\n" + view.status)
        }
    }
}

struct PendingExport: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a proposal to a file, for an approver.",
        discussion: """
            The file has the exact bytes to be signed and the wallet's public keys: the approver's machine decodes \
            them itself, and trusts no other program. It tells them the wallet's addresses, and moves nothing.
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument

    @Option(name: .shortAndLong, file: "Where the proposal goes; '-' is standard output.")
    var output: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try OutputFile.check(self.output, output)
        let proposal = proposal
        let found = try await passphrase.withBook(of: wallet, in: global) { (book) throws(Failure) in
            try proposal.find(in: await book.proposals())
        }
        let view = ExportedProposalView(found, in: self.output)
        try output.file(ProposalFile(found.payload, of: wallet).file, to: self.output, view)
        output.note(ExportedProposalView.next)
    }
}

struct PendingWithdraw: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Forget a proposal. If it is proposed again, its delay starts anew.")

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let proposal = proposal
        let found = try await passphrase.withBook(of: wallet, in: global) { (book) throws(Failure) in
            let found = try proposal.find(in: await book.proposals())
            try await attempt { () async throws(CustodyError) in try await book.withdraw(found.digest) }
            return found
        }
        try output.receipt(WithdrawnView(found))
    }
}
