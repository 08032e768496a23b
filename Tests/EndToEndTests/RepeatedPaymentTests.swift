internal import Foundation
import TestSupport
import Testing

/// A repeated order: while the first payment waits it asks a question, and once it is mined it is only reported.
@Suite(
    "The same payment a second time",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct RepeatedPaymentTests {
    @Test(
        "on Ethereum: not with --yes while the first one waits, and with its digest; told once the first one is mined")
    func ethereum() throws {
        let bench = try EthereumBench()
        let first = try bench.sent("0.1eth")
        #expect(first.intent?.remarks.map(\.name) == ["first_payment"])
        let second = try bench.send("0.1eth")
        try bench.expect(second, 2, "needs_confirmation", "the same payment is on its way already")
        let shown = try #require(try EthereumBench.Refusal(second).intent)
        #expect(shown.remarks.contains { $0.name == "repeated" && $0.weight == "costly" })
        #expect(shown.decision.verdict == "allowed")

        // The question does not present it as the first one.
        let session = try bench.wallet.fueki.converse(
            [
                "send", bench.wallet.name, "--to", EthereumBench.bob, "--amount", "0.1eth", "--chain",
                EthereumBench.chain, "--node", bench.node.url, "--passphrase-file", "passphrase",
            ], answers: [("[y/N] ", "n")])
        #expect(
            session.screen.contains("This makes the same payment a second time. Sign it anyway?"), "\(session.screen)")

        // The digest from the error and acceptance of this finding are accepted.
        let unnamed = try bench.send("0.1eth", "--expect", shown.digest, "--accept", "high_fee")
        try bench.expect(unnamed, 2, "needs_confirmation", "not signed with --expect: the same payment")
        #expect(unnamed.errors.contains("add --accept repeated"), "\(unnamed.errors)")
        #expect(try bench.sent("0.1eth", "--expect", shown.digest, "--accept", "repeated").nonce == 1)
        try bench.mine()
        let third = try bench.sent("0.1eth")
        let remark = try #require(third.intent?.remarks.first { $0.name == "recently_paid" })
        #expect(remark.text.hasPrefix("you paid the same amount to the same address ") && remark.weight == "notice")
        #expect(third.intent?.remarks.contains { $0.name == "replaces" } == false)
        // Another amount is another payment; and a replacement is reported as one, and not as a second payment.
        let other = try bench.sent("0.2eth")
        #expect(other.intent?.remarks.map(\.name) == [])
        let faster = try bench.outcome(bench.replace("speed-up", other.hash))
        #expect(faster.intent?.remarks.map(\.name) == ["replaces"])
        #expect(faster.intent?.remarks.first?.text.contains(other.hash) == true)
    }

    @Test(
        "on Bitcoin: not with --yes while the first one waits; told once the first one is mined, though the book does not know that",
        .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
    func bitcoin() throws {
        struct Sent: Decodable {
            let id: String
            let intent: EthereumBench.Outcome.Intent
        }
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: (0..<3).map { try wallet.address($0).script_pubkey })
        let first = try wallet.fueki.json(wallet.order("1btc", options), as: Sent.self)
        #expect(!first.intent.remarks.contains { $0.name == "recently_paid" })
        let second = try EthereumBench.Refusal(wallet.fueki.run(wallet.order("1btc", options, ["--json"])))
        #expect(second.error.code == "needs_confirmation")
        #expect(second.intent?.remarks.contains { $0.name == "repeated" } == true)
        try node.mineBlocks(1, to: "51")
        let third = try wallet.fueki.json(wallet.order("1btc", options), as: Sent.self)
        let remark = try #require(third.intent.remarks.first { $0.name == "recently_paid" })
        #expect(remark.text.hasPrefix("you paid the same amount to the same address ") && remark.weight == "notice")
        #expect(!third.intent.remarks.contains { ["repeated", "replaces"].contains($0.name) })
        // A person who cancels sees the payment.
        let cancelled = try wallet.fueki.run(["cancel", wallet.name, third.id] + options + TestWallet.unasked)
        let words = cancelled.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            cancelled.isSuccess && words.contains("note: it takes the place of \(third.id)"), "\(cancelled.errors)")
    }
}
