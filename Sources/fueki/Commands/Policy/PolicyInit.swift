internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

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
