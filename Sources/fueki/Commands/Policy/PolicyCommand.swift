internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Set what a wallet may sign, explain decisions, and approve payments.",
        subcommands: [
            PolicyInit.self, PolicyCheck.self, PolicyExplain.self, PolicySet.self, PolicyShow.self, PolicyKey.self,
            PolicyApprove.self,
        ])
}

struct PolicyCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a policy file, and describe its rules.",
        discussion: """
            An unknown name is an error, reported with its place: a misspelt condition would let everything pass. \
            docs/formats/policy.md describes the file. Needs no wallet and no passphrase.

            EXAMPLE
              fueki policy check policy.json
            """)

    @Argument(help: "The policy: JSON; '-' is standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let view = PolicyView(try PolicyDocument.read(file).policy)
        try output.result(view)
        for warning in view.warnings { output.note("warning: \(warning)") }
    }
}

/// A policy with the bytes of its file.
struct PolicyDocument {
    let bytes: [UInt8]
    let policy: Policy

    static func read(_ path: String) throws(Failure) -> PolicyDocument {
        let bytes = try InputFile.read(path)
        return PolicyDocument(
            bytes: bytes, policy: try attempt(on: path) { () throws(PolicyFault) in try Policy(file: bytes) })
    }
}

struct PolicyInit: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a first policy: a limit for each day, and what happens above it.",
        discussion: """
            Payments within the limit are signed at once. Larger ones wait, or need an approval by each person that \
            --approver names. Messages are signed; everything else is denied. Edit the file, read it with 'fueki policy \
            check', and put the wallet under it with 'fueki policy set'.

            EXAMPLES
              fueki policy init savings --daily 0.1btc -o policy.json
              fueki policy init savings --daily 0.1btc --approver anna=d75a…
              fueki policy init savings --chain base --daily 0.5eth --delay 48h
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: .value("amount", "What may be paid in 24 hours, with fees."))
    var daily: String

    @Option(help: .value("time", "How long a larger payment waits: 90s, 15m, 24h, 7d."))
    var delay = "24h"

    @Option(
        help: .value(
            "name=key",
            "Who has to approve a larger payment, in place of a delay, with the key that 'fueki policy key' prints. "
                + "For several people: several times."))
    var approver: [String] = []

    @OptionGroup var chain: ChainOption

    @Option(help: .value("amount", "The highest fee of any payment (default: as of 'fueki send')."))
    var maxFee: String?

    @Option(
        name: .shortAndLong, help: .value("file", "Where the policy goes; '-' is standard output."),
        completion: .file(extensions: ["json"]))
    var output = OutputFile.standardOutput

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try OutputFile.check(self.output, output)
        let people = try approver.map { text throws(Failure) in
            guard let person = PolicyDraft.approver(text) else {
                throw .usage("--approver takes a name and a key of 64 hexadecimal digits: anna=d75a98…")
            }
            return person
        }
        let draft = PolicyDraft(
            chain: chain.chain.chain(on: wallet.network), daily: try chain.chain.amount(daily, of: "--daily"),
            highestFee: try chain.chain.highestFee(maxFee), larger: .init(askingEach: people, orAfter: delay))
        let policy = try attempt { () throws(PolicyFault) in try Policy(file: draft.file) }
        guard self.output != OutputFile.standardOutput else {
            return try StandardStream.output.report(draft.file)
        }
        try OutputFile.write(draft.file, to: self.output)
        try output.receipt(PolicyDraftView(policy, in: self.output, for: wallet.name))
    }
}
