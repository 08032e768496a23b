internal import Foundation
import TestSupport
import Testing

/// `--dry-run` shows the payload that would be signed, and changes nothing, on this machine or at the node.
@Suite(
    "A dry run of a payment",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct RehearsalTests {
    private func intent(_ ended: Program.Outcome) throws -> EthereumBench.Outcome.Intent {
        try #require(ended.status == 0, "\(ended.errors)")
        return try JSONDecoder().decode(EthereumBench.Outcome.Intent.self, from: Data(ended.output.utf8))
    }

    @Test("on Ethereum: no share is opened, nothing is sent or kept; then that transaction is signed by its digest")
    func ethereum() throws {
        let bench = try EthereumBench()
        let backup = "\(bench.wallet.folder)/backup"
        try FileManager.default.moveItem(atPath: backup, toPath: backup + ".away")
        let shown = try intent(bench.send("0.1eth", "--dry-run", "--with", "device,backup"))
        try FileManager.default.moveItem(atPath: backup + ".away", toPath: backup)
        #expect(shown.decision.verdict == "allowed")
        #expect(try bench.history().isEmpty && bench.asked("eth_sendRawTransaction") == 0)
        #expect(try bench.sent("0.1eth", "--expect", shown.digest).intent?.digest == shown.digest)
        // It ends like the order: --yes does not confirm a second payment.
        try bench.expect(try bench.send("0.1eth", "--dry-run"), 2, "needs_confirmation")
        let waits = try #require(bench.history().first?.id)
        for command in ["speed-up", "cancel"] {
            #expect(try intent(bench.replace(command, waits, "--dry-run")).remarks.contains { $0.name == "replaces" })
        }
        #expect(try bench.asked("eth_sendRawTransaction") == 1 && bench.history().count == 1)
        try bench.mine()

        // A transaction that was sent, and may not have arrived, is left unchanged.
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "close""#)
        try bench.expect(try bench.send("0.3eth"), 69, "outcome_unknown")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        let asked = try bench.asked("eth_sendRawTransaction")
        try bench.expect(try bench.send("0.3eth", "--dry-run"), 2, "earlier_payment", "looked up")
        try bench.expect(try bench.send("0.4eth", "--dry-run"), 2, "earlier_payment")
        #expect(try bench.asked("eth_sendRawTransaction") == asked)
        let sent = try bench.sent("0.3eth")
        #expect(sent.earlier && sent.nonce == 1)

        // It arrived without an answer: a rehearsal does not learn it either.
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "swallow""#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", "close""#)
        try bench.expect(try bench.send("0.5eth"), 69, "outcome_unknown")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)
        for _ in 0..<2 { try bench.expect(try bench.send("0.5eth", "--dry-run"), 2, "earlier_payment") }
        // A block with it is not recorded either.
        try bench.mine()
        let book = URL(fileURLWithPath: "\(bench.wallet.folder)/home/wallets/\(bench.wallet.name)/book.vault")
        let before = try Data(contentsOf: book)
        try bench.expect(try bench.send("0.5eth", "--dry-run"), 2, "earlier_payment")
        #expect(try Data(contentsOf: book) == before)
        #expect(try bench.sent("0.5eth").earlier)

        // Rehearsing a delayed payment does not start its delay.
        try bench.setPolicy(#"{"version": 1, "rules": [{"name": "slowly", "then": {"delay": "1h"}}]}"#)
        let late = try bench.send("0.6eth", "--dry-run")
        try bench.expect(late, 2, "not_yet")
        #expect(try EthereumBench.Refusal(late).intent?.decision.verdict == "not_before")
        let waiting = try bench.wallet.fueki.run(
            "pending", "list", bench.wallet.name, "--passphrase-file", "passphrase")
        #expect(waiting.output == "nothing waits\n", "\(waiting.output)")
    }

    @Test(
        "on Bitcoin: nothing is signed, sent or kept, also not what was signed before",
        .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
    func bitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: (0..<2).map { try wallet.address($0).script_pubkey })
        let shown = try intent(wallet.fueki.run(wallet.order("1btc", options, ["--dry-run", "--json"])))
        #expect(shown.decision.verdict == "allowed")
        #expect(try wallet.history().isEmpty)
        let text = try wallet.fueki.run(wallet.order("1btc", options, ["--dry-run"]))
        #expect(text.status == 0 && text.output.contains(shown.digest) && text.output.contains(Bob.address))
        // The properties common to every payment of this wallet are for programs only.
        #expect(Set(shown.remarks.map(\.name)).isSuperset(of: ["replaceable", "locked"]))
        #expect(!text.output.contains("replaced") && !text.output.contains("cannot be mined"), "\(text.output)")

        let dead = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .dead])
        let unknown = try wallet.fueki.run(wallet.order("1btc", wallet.options(dead, before: node), ["--json"]))
        try wallet.expectUnavailable(unknown, "outcome_unknown")
        let before = try wallet.history()
        let watched = try LyingNode.before(node.rpc().port, [:])
        let again = try wallet.fueki.run(
            wallet.order("1btc", wallet.options(watched, before: node), ["--dry-run", "--json"]))
        #expect(
            try again.status == 2 && EthereumBench.Refusal(again).error.code == "earlier_payment", "\(again.errors)")
        #expect(!watched.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("sendraw") })
        #expect(try wallet.history().map(\.state) == before.map(\.state))
    }
}
