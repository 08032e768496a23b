internal import Amounts
internal import ArgumentParser
internal import Custody
internal import Encoding
internal import Ethereum
internal import Terminal
internal import Wallet

struct PolicyInit: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a policy to begin with: a limit for each day, and what becomes of more.",
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

    @Option(help: ArgumentHelp("What may be paid in 24 hours, with fees.", valueName: "amount"))
    var daily: String

    @Option(help: ArgumentHelp("How long a larger payment waits: 90s, 15m, 24h, 7d.", valueName: "time"))
    var delay = "24h"

    @Option(
        help: ArgumentHelp(
            "Who has to approve a larger payment, in place of a delay, with the key that 'fueki policy key' prints. "
                + "For several people: several times.", valueName: "name=key"))
    var approver: [String] = []

    @OptionGroup var chain: ChainOption

    @Option(help: ArgumentHelp("The highest fee of any payment (default: as of 'fueki send').", valueName: "amount"))
    var maxFee: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where the policy goes; '-' is standard output.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var output = OutputFile.standardOutput

    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let file: String
        let policy: PolicyView
    }

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try OutputFile.check(self.output, output)
        let draft = try draft(for: wallet)
        let policy = try attempt { () throws(PolicyFault) in try Policy(file: draft.file) }
        guard self.output != OutputFile.standardOutput else { return try StandardStream.output.write(draft.file) }
        try OutputFile.write(draft.file, to: self.output)
        let view = PolicyView(policy)
        try output.result(Result(file: self.output, policy: view)) {
            "\(view.text)\n\nNext: fueki policy set \(wallet.name) \(self.output)"
        }
    }

    private func draft(for wallet: WalletRecord) throws(Failure) -> PolicyDraft {
        let people = try approver.map { text throws(Failure) in try Self.approver(text) }
        let larger = people.isEmpty ? PolicyDraft.Larger.delay(delay) : .approvals(people)
        switch chain.chain {
        case .bitcoin:
            return PolicyDraft(
                chain: .bitcoin(wallet.network), daily: try MoneyUnit.satoshis(daily, of: "--daily"),
                highestFee: try maxFee.map { text throws(Failure) in try MoneyUnit.satoshis(text, of: "--max-fee") }
                    ?? FeeOptions.usualFeeOnBitcoin, larger: larger)
        case .ethereum(let id):
            return PolicyDraft(
                chain: .ethereum(id), daily: try id.amount(daily, of: "--daily").value,
                highestFee: try maxFee.map { text throws(Failure) in try id.amount(text, of: "--max-fee").value }
                    ?? id.usualFee.value, larger: larger)
        }
    }

    private static func approver(_ text: String) throws(Failure) -> (name: String, key: [UInt8]) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let key = try? Hex.decode(parts[1]), key.count == 32 else {
            throw .usage("--approver takes a name and a key of 64 hexadecimal digits: anna=d75a98…")
        }
        return (parts[0], key)
    }
}
