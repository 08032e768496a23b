internal import Foundation
import TestSupport
import Testing

/// The same payment a second time: no claim of a node about the first one avoids the question.
@Suite(
    "A repeated payment on Ethereum, and what nodes say of the first",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct PossibleEthereumDuplicateTests {
    /// It hides all transactions, and claims that the account's first nonce is used.
    private static let uses: [String: LyingNode.Lie] = [
        "eth_getTransactionByHash": .result("null"), "eth_getTransactionReceipt": .result("null"),
        "eth_getTransactionCount": .result("\"0x1\""),
    ]

    /// Orders a payment whose answer is lost, though the node has it.
    private func unanswered(_ bench: borrowing EthereumBench, _ amount: String) throws {
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "swallow""#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", "close""#)
        try bench.expect(try bench.send(amount), 69, "outcome_unknown")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)
    }

    /// A node that claims that every mined transaction failed.
    private func failing(_ bench: borrowing EthereumBench) throws -> FakeNode {
        let port = try #require(UInt16(bench.node.url.split(separator: ":").last ?? ""))
        return try FakeNode { request in
            FakeNode.relayed(request, to: port).map { step in
                guard case .send(let text) = step else { return step }
                return .send(text.replacing(#""status": "0x1""#, with: #""status": "0x0""#))
            }
        }
    }

    private func asked(
        _ ended: Program.Outcome, _ bench: borrowing EthereumBench, _ words: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        try bench.expect(ended, 2, "needs_confirmation", words, location)
        return try #require(EthereumBench.Refusal(ended).intent, sourceLocation: location).digest
    }

    @Test("a payment without an answer that is mined is not paid twice, however many blocks and orders are between")
    func longAgo() throws {
        let bench = try EthereumBench()
        try unanswered(bench, "0.3eth")
        try bench.mine()
        for amount in ["0.1eth", "0.2eth"] {
            #expect(!(try bench.sent(amount, to: EthereumBench.carol).earlier))
            for _ in 0..<78 { try bench.mine() }
        }
        let same = try bench.sent("0.3eth")
        #expect(same.earlier && same.nonce == 0)
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.3"))
        // After the report the same order may be paid again.
        let next = try bench.sent("0.3eth")
        #expect(!next.earlier && next.nonce == 3)
    }

    @Test("a failed payment is a node's claim: it counts as sent, and the same order asks a question")
    func saidToHaveFailed() throws {
        let bench = try EthereumBench()
        let liar = try failing(bench)
        try bench.node.tell("evm_automine", "1")
        let told = try bench.send("0.1eth", "--wait", node: liar.url)
        try bench.expect(told, 1, "reverted", "and failed")
        #expect(told.errors.contains("needs your confirmation"))
        _ = try asked(bench.send("0.1eth", node: liar.url), bench, "the node says that it failed in block")
        let history = try bench.wallet.fueki.run(
            "history", bench.wallet.name, "--chain", EthereumBench.chain, "--passphrase-file", "passphrase", "--node",
            liar.url)
        #expect(history.isSuccess && history.errors.contains("and failed"), "\(history.errors)")
        #expect(try bench.history().map(\.state) == ["sent"])
        #expect(try bench.asked("eth_sendRawTransaction") == 1)

        // The same for a payment without an answer.
        try bench.node.tell("evm_automine", "null")
        #expect(try bench.history(asking: true).map(\.state) == ["mined"])
        try unanswered(bench, "0.4eth")
        try bench.mine()
        try bench.expect(try bench.send("0.4eth", node: liar.url), 1, "reverted")
        _ = try asked(bench.send("0.4eth", node: liar.url), bench, "the node says that it failed in block")
        #expect(try bench.history().map(\.state) == ["mined", "sent"])
        #expect(try bench.asked("eth_sendRawTransaction") == 2)
    }

    @Test("a payment replaced by another mined transaction asks a question until that transaction is final")
    func rival() throws {
        let bench = try EthereumBench()
        let first = try bench.sent("0.1eth")
        let rival = try bench.outcome(bench.replace("cancel", first.hash))
        try bench.mine()
        _ = try asked(bench.send("0.1eth"), bench, "the node says that \(rival.hash) was mined in its place")
        for _ in 0..<64 { try bench.mine() }
        #expect(try bench.history(asking: true).map(\.state) == ["replaced", "mined"])
        #expect(try bench.sent("0.1eth").nonce == 1)
    }

    @Test("consent to a used nonce for one payment is not consent for another")
    func toldForAnother() throws {
        let bench = try EthereumBench()
        let other = "\"0x" + String(repeating: "11", count: 32) + "\""
        let quiet = try bench.liar([
            "eth_sendRawTransaction": .result(other), "eth_getTransactionByHash": .result("null"),
        ])
        try bench.expect(try bench.send("0.1eth", node: quiet.url), 69, "outcome_unknown")
        let first = try #require(bench.history().first?.id)
        let liar = try bench.liar(Self.uses)
        let digest = try asked(
            bench.send("0.2eth", to: EthereumBench.carol, node: liar.url), bench, "has used nonce 0")
        let second = try bench.send(
            "0.2eth", to: EthereumBench.carol, "--expect", digest, "--accept", "nonce_jump", node: liar.url)
        #expect(try bench.outcome(second).nonce == 1)
        _ = try asked(
            bench.send("0.1eth", node: liar.url), bench, "was signed already, as transaction \(first)")
        // The transaction with its nonce is not a second payment.
        #expect(try bench.sent("0.1eth").nonce == 0)
    }
}
