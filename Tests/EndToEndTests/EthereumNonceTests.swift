internal import Foundation
import TestSupport
import Testing

/// A node that lies about the transactions that it accepted, and about nonces: this causes no double payment unasked.
@Suite(
    "The numbers of payments on Ethereum, and nodes that lie about them",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumNonceTests {
    /// It hides all transactions.
    private static let hides: [String: LyingNode.Lie] = [
        "eth_getTransactionByHash": .result("null"), "eth_getTransactionReceipt": .result("null"),
    ]
    /// It relays transactions, and claims that it refused them.
    private static let refuses = hides.merging(["eth_sendRawTransaction": .refusal(-32_000, "nonce too low")]) { $1 }

    private func refused(_ bench: borrowing EthereumBench, _ amount: String, by liar: FakeNode) throws -> String {
        let ended = try bench.send(amount, node: liar.url)
        try bench.expect(ended, 69, "not_accepted", "its nonce is used")
        #expect(!ended.errors.contains("nobody has been paid"))
        return try #require(try bench.history().last?.id)
    }

    @Test("a node relays a payment but reports a refusal: the next order has the same nonce")
    func refusedAndPassedOn() throws {
        let bench = try EthereumBench()
        let liar = try bench.liar(Self.refuses)
        let first = try refused(bench, "0.1eth", by: liar)
        let raw = try bench.raw(first)
        // The node has the transaction, counts it, and hides it. The next order replaces it, or nothing.
        let hidden = try bench.liar(Self.hides)
        let second = try bench.send("0.2eth", to: EthereumBench.carol, node: hidden.url)
        try bench.expect(second, 69, "not_accepted", "its fee is not enough above")
        try bench.expect(
            try bench.send("0.2eth", "--nonce", "1", node: hidden.url), 2, "bad_nonce", "nonce 0 of transaction")

        // Another node has neither. Of both one is mined.
        try bench.node.tell("evm_forget")
        #expect(try bench.sent("0.3eth", to: EthereumBench.carol).nonce == 0)
        // Whether the first or the third will be mined is unknown before a block: the first is not signed again unseen.
        try bench.expect(try bench.send("0.1eth"), 2, "needs_confirmation", "\(first), which a node refused")
        #expect(throws: Program.Failure.self) { try bench.node.tell("eth_sendRawTransaction", "\"0x\(raw)\"") }
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == 0)
        #expect(try bench.balance(of: EthereumBench.carol) == EthereumBench.ether("0.3"))
        // Only the node claims that the third replaced the first.
        let again = try bench.send("0.1eth")
        try bench.expect(again, 2, "needs_confirmation", "was mined in its place")
        let digest = try #require(EthereumBench.Refusal(again).intent).digest
        #expect(try bench.sent("0.1eth", "--expect", digest, "--accept", "repeated").nonce == 1)
    }

    @Test("a refused transaction that a node has nevertheless is found by the same order, and others use later nonces")
    func refusedAndFound() throws {
        let bench = try EthereumBench()
        let liar = try bench.liar(Self.refuses)
        let first = try refused(bench, "0.1eth", by: liar)
        #expect(try bench.sent("0.2eth", to: EthereumBench.carol).nonce == 1)
        let same = try bench.sent("0.1eth")
        #expect(same.earlier && same.nonce == 0 && same.hash == first)

        // The same if a block has it before the question.
        let second = try refused(bench, "0.3eth", by: liar)
        try bench.mine()
        let mined = try bench.sent("0.3eth", "--wait")
        #expect(mined.earlier && mined.nonce == 2 && mined.hash == second && mined.state == "mined")
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.4"))
        let next = try bench.sent("0.3eth")
        #expect(!next.earlier && next.nonce == 3)
    }

    @Test("of two refused transactions one is found: the other may still replace it, and is not ordered again unasked")
    func twoRefused() throws {
        let bench = try EthereumBench()
        _ = try refused(bench, "0.1eth", by: try bench.liar(Self.refuses))
        let hidden = try bench.liar(Self.hides)
        try bench.expect(try bench.send("0.2eth", to: EthereumBench.carol, node: hidden.url), 69, "not_accepted")
        let second = try #require(try bench.history().last?.id)
        #expect(try bench.sent("0.1eth").earlier)
        let again = try bench.send("0.2eth", to: EthereumBench.carol)
        try bench.expect(again, 2, "needs_confirmation", "\(second), which a node refused")
        try bench.mine()
        let mined = try bench.send("0.2eth", to: EthereumBench.carol)
        try bench.expect(mined, 2, "needs_confirmation", "was mined in its place")
        let digest = try #require(EthereumBench.Refusal(mined).intent).digest
        #expect(
            try bench.sent("0.2eth", to: EthereumBench.carol, "--expect", digest, "--accept", "repeated").nonce == 1)
    }

    @Test("a refused transaction is cancelled by its hash: then it cannot be mined, and nonces continue")
    func refusedAndCancelled() throws {
        let bench = try EthereumBench()
        let liar = try bench.liar(["eth_sendRawTransaction": .refusal(-32_000, "transaction underpriced")])
        try bench.expect(try bench.send("0.1eth", node: liar.url), 69, "not_accepted", "it pays too little")
        let first = try #require(try bench.history().last?.id)
        // The node has it, so that only a higher fee replaces it.
        #expect(try bench.outcome(bench.replace("cancel", first)).nonce == 0)
        let next = try bench.sent("0.2eth", to: EthereumBench.carol)
        #expect(next.nonce == 1)
        // The error names the transaction with its nonce.
        try bench.expect(bench.replace("cancel", first), 2, "replaced", "has replaced it")
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == 0)
    }

    @Test("nonces that this machine does not know are not used unasked; naming the nonce is consent")
    func jump() throws {
        let bench = try EthereumBench()
        // For an account that is new on this machine, the node is the only source.
        let older = try bench.liar(["eth_getTransactionCount": .result("\"0x0\"")])
        #expect(try bench.outcome(bench.send("1gwei", node: older.url)).nonce == 0)
        try bench.mine()
        let liar = try bench.liar(["eth_getTransactionCount": .result("\"0x5\"")])
        for _ in 0..<2 {
            let asked = try bench.send("2gwei", node: liar.url)
            try bench.expect(asked, 2, "needs_confirmation", "has made 4 payments elsewhere")
        }
        #expect(try bench.asked("eth_sendRawTransaction") == 1)
        let named = try bench.send("2gwei", "--nonce", "5", node: liar.url)
        #expect(try bench.outcome(named).nonce == 5)
        // Now this machine knows the nonce. The truth is accepted unasked.
        let next = try bench.send("3gwei", node: liar.url)
        #expect(try bench.outcome(next).nonce == 6)
        #expect(try bench.sent("4gwei").nonce == 1)
    }

    @Test("if a node reports a refused payment's nonce as used by another transaction, the next nonce needs consent")
    func usedByAnother() throws {
        let bench = try EthereumBench()
        let liar = try bench.liar(Self.refuses)
        let first = try refused(bench, "0.1eth", by: liar)
        let counts = try bench.liar(Self.hides.merging(["eth_getTransactionCount": .result("\"0x1\"")]) { $1 })
        let far = try bench.liar(
            Self.hides.merging([
                "eth_getTransactionCount": .result("\"0x1\""), "eth_blockNumber": .result("\"0xffffff\""),
            ]) { $1 })
        for node in [counts, far, far] {
            let asked = try bench.send("0.1eth", node: node.url)
            try bench.expect(asked, 2, "needs_confirmation", "another transaction than \(first) has used nonce 0")
        }
        #expect(try bench.asked("eth_sendRawTransaction") == 1)
        // The truth: it waits, and is the ordered payment.
        let same = try bench.sent("0.1eth")
        #expect(same.earlier && same.nonce == 0)
    }

    @Test("a waiting proposal is not given up because of a node's report, and is withdrawn only after the signature")
    func waiting() throws {
        struct Proposal: Decodable {
            struct Intent: Decodable { let nonce: Int }
            let digest: String
            let intent: Intent
        }
        func proposals(_ bench: borrowing EthereumBench) throws -> [Proposal] {
            try bench.wallet.fueki.json("pending", "list", bench.wallet.name, "--passphrase-file", "passphrase")
        }
        func setDelay(_ delay: String, _ bench: borrowing EthereumBench) throws {
            try bench.setPolicy(#"{"version": 1, "rules": [{"name": "slowly", "then": {"delay": "\#(delay)"}}]}"#)
        }
        let bench = try EthereumBench()
        try setDelay("1h", bench)
        try bench.expect(try bench.send("0.1eth"), 2, "not_yet")
        let first = try #require(try proposals(bench).first)
        // One node claims that another transaction of the account waits; the other, that it is in a block.
        let waits = try bench.liar(["eth_getTransactionCount": .resultOf("pending", "\"0x1\"")])
        try bench.expect(try bench.send("0.1eth", node: waits.url), 2, "not_yet")
        #expect(try proposals(bench).map(\.digest) == [first.digest])
        let used = try bench.liar(["eth_getTransactionCount": .result("\"0x1\"")])
        try bench.expect(try bench.send("0.1eth", node: used.url), 2, "not_yet")
        #expect(try proposals(bench).map(\.intent.nonce) == [0, 1])
        // The wait is made shorter, and has ended when the command says so.
        try setDelay("1s", bench)
        try bench.wallet.waitUntilSignable()
        #expect(try bench.asked("eth_sendRawTransaction") == 0)
        try bench.expect(
            try bench.send("0.1eth", "--max-fee", "21000wei"), 2, "fee_above_ceiling", "that was ordered before")
        #expect(try bench.sent("0.1eth").nonce == 0)
        #expect(try proposals(bench).isEmpty)
        #expect(try bench.asked("eth_sendRawTransaction") == 1)
    }

    @Test("a malformed answer to a payment leaves it unknown, and it is shown before it is sent again")
    func noAnswer() throws {
        let bench = try EthereumBench()
        let other = "\"0x" + String(repeating: "11", count: 32) + "\""
        let liar = try bench.liar(Self.hides.merging(["eth_sendRawTransaction": .result(other)]) { $1 })
        try bench.expect(try bench.send("0.1eth", node: liar.url), 69, "outcome_unknown", "did not answer as it should")
        #expect(try bench.asked("eth_sendRawTransaction") == 0)
        // Another order sends it, and names it.
        let first = try #require(try bench.history().last?.id)
        let shown = try bench.wallet.fueki.run(
            "send", bench.wallet.name, "--to", EthereumBench.carol, "--amount", "11eth", "--chain", EthereumBench.chain,
            "--node", bench.node.url, "--passphrase-file", "passphrase", "--yes")
        #expect(shown.status == 2 && shown.errors.contains("transaction \(first) may not have been sent"))
        #expect(shown.errors.contains("0.1 ETH") && shown.errors.contains("to \(EthereumBench.bob)"), "\(shown.errors)")
        #expect(try bench.asked("eth_sendRawTransaction") == 1)
        try bench.node.tell("evm_forget")
        let next = try bench.sent("0.2eth", to: EthereumBench.carol)
        #expect(next.warnings.contains { $0.contains(first) } && next.nonce == 1)
        let same = try bench.sent("0.1eth")
        #expect(same.earlier && same.nonce == 0)
    }
}
