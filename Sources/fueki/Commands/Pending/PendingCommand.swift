internal import ArgumentParser
internal import Ceremonies
internal import Custody
internal import Encoding
internal import Foundation
internal import Secrets
internal import Terminal
internal import Wallet

struct PendingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "See, approve and sign what a policy made wait.",
        discussion: """
            What may be signed only after some time, or once somebody has approved it, waits in the wallet's book. A delay \
            counts from when it was first proposed.

            EXAMPLE: have a payment approved. The second command runs on Anna's machine.
              fueki pending export savings 3f2a9c01 -o proposal.json
              fueki policy approve proposal.json --key anna.vault -o approval.json
              fueki pending sign savings 3f2a9c01 --approval approval.json -o signed
            """,
        subcommands: [
            PendingList.self, PendingShow.self, PendingExport.self, PendingSign.self, PendingWithdraw.self,
        ])
}

/// Which proposal is meant: the beginning of its digest.
struct ProposalArgument: ParsableArguments {
    @Argument(help: "The proposal's digest, or the beginning of it: see 'pending list'.")
    var id: String

    func find(in proposals: [PendingProposal]) throws(Failure) -> PendingProposal {
        let found = proposals.filter { Hex.encode($0.digest).hasPrefix(id.lowercased()) }
        guard id.count >= 4, let first = found.first, found.count == 1 else {
            throw Failure(
                code: .usage, name: "no_such_proposal",
                message: found.count > 1 && id.count >= 4
                    ? "several proposals begin like this" : "nothing waits that begins like this",
                hint: "'fueki pending list' lists what waits; give 4 digits or more")
        }
        return first
    }
}

/// A proposal, with what the wallet's policy says to it now.
struct PendingView: Encodable {
    /// What `pending show` takes.
    let digest: String
    let chain: String?
    /// What the policy says now: `allowed`, `denied`, `not_before` or `needs_approval`.
    let state: String
    let first_proposed: String
    let intent: IntentView
    private let decided: Decision.Verdict

    enum CodingKeys: String, CodingKey { case digest, chain, state, first_proposed, intent }

    init(
        _ proposal: PendingProposal, of wallet: WalletRecord, in book: WalletBook, approvals: [Approval], now: UInt64
    ) async throws(CustodyError) {
        digest = Hex.encode(proposal.digest)
        first_proposed = proposal.firstProposed.timeText
        let context = try await book.context(
            for: proposal.payload, digest: proposal.digest, now: now, approvals: approvals, node: nil)
        let judged = ProposedPayload(
            try wallet.work(of: proposal.payload), from: wallet, under: try await book.policy(), in: context)
        decided = judged.decision.verdict
        intent = try IntentView(judged, of: wallet, names: PartyNames(await book.contacts()))
        chain = intent.chain
        state = intent.decision.verdict
    }

    var verdict: String {
        switch decided {
        case .notBefore(let time): "not before \(time.timeText)"
        case .needsApproval(let missing): "needs \(missing) more approval\(missing == 1 ? "" : "s")"
        case .allowed: "can be signed now"
        case .denied: "denied"
        }
    }

    /// A row for each effect.
    var summary: [[String]] {
        let lines = intent.effectLines
        return [[String(digest.prefix(16)), first_proposed, verdict, lines.first ?? ""]]
            + lines.dropFirst().map { ["", "", "", $0] }
    }
}

struct PendingList: FuekiCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List what waits to be signed.")

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let secret = try passphrase.existing()
        let views = try await global.walletHome.withBook(of: wallet, passphrase: secret) {
            (book) throws(CustodyError) in
            var views: [PendingView] = []
            for proposal in await book.proposals() {
                views.append(try await PendingView(proposal, of: wallet, in: book, approvals: [], now: .now))
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
        let secret = try passphrase.existing()
        let proposal = proposal
        let view = try await global.walletHome.withBook(of: wallet, passphrase: secret) { (book) throws(Failure) in
            let found = try proposal.find(in: await book.proposals())
            return try await attempt { () async throws(CustodyError) in
                try await PendingView(found, of: wallet, in: book, approvals: [], now: .now)
            }
        }
        try output.result(view) {
            view.intent.text + StyledText("\n\nproposed \(view.first_proposed): \(view.verdict)")
        }
    }
}

struct PendingExport: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a proposal to a file, for somebody who is to approve it.",
        discussion: """
            The file has the exact bytes to be signed and the wallet's public keys: who approves reads what they do on a \
            machine of their own, and believes nobody. It tells them the wallet's addresses, and moves nothing.
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where the proposal goes; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let digest: String
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try OutputFile.check(self.output, output)
        let secret = try passphrase.existing()
        let proposal = proposal
        let found = try await global.walletHome.withBook(of: wallet, passphrase: secret) { (book) throws(Failure) in
            try proposal.find(in: await book.proposals())
        }
        let digest = Hex.encode(found.digest)
        try output.file(
            ProposalFile(found.payload, of: wallet).file, to: self.output, Result(output: self.output, digest: digest)
        ) { "the proposal \(digest)" }
        output.note("next, on the approver's machine: fueki policy approve FILE --key KEY -o APPROVAL")
    }
}

struct PendingWithdraw: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Forget a proposal. Proposed once more, it waits from then on.")

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let digest: String
        let state = "withdrawn"
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let secret = try passphrase.existing()
        let proposal = proposal
        let found = try await global.walletHome.withBook(of: wallet, passphrase: secret) { (book) throws(Failure) in
            let found = try proposal.find(in: await book.proposals())
            try await attempt { () async throws(CustodyError) in try await book.withdraw(found.digest) }
            return found
        }
        let digest = Hex.encode(found.digest)
        try output.result(Result(digest: digest)) { "\(digest) does not wait any more" }
    }
}
