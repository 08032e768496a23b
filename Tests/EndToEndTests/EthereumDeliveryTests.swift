internal import Foundation
internal import Synchronization
import TestSupport
import Testing

/// From the moment in which the node has a payment, nothing that goes wrong makes it another one.
@Suite(
    "What became of a payment on Ethereum",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumDeliveryTests {
    @Test("a node that answers nonsense while we wait: what is sent is named so, and the same order needs a person")
    func sentNotSeen() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", {"result": "0x1"}"#)
        let lost = try bench.send("0.1eth", "--wait")
        try bench.expect(lost, 69, "sent_not_seen", "is sent; what came then")
        let sent = try #require(bench.history().first)
        let hash = try #require(sent.id)
        #expect(sent.state == "sent" && lost.errors.contains(hash))
        let failure = try JSONDecoder().decode(SignedFailure.self, from: Data(lost.errors.utf8))
        #expect(failure.id == hash && failure.intent.digest.utf8.count == 64)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)

        // The order that ended without a result is told what became of it, once. A script that tries again does not pay twice.
        let told = try bench.sent("0.1eth")
        #expect(told.earlier && told.hash == hash)
        let again = try bench.send("0.1eth")
        try bench.expect(again, 2, "needs_confirmation", "the same payment is on its way already, as transaction 0x")
        #expect(try bench.sent("0.2eth").nonce == 1)
        try bench.mine()
        #expect(try bench.sent("0.1eth").nonce == 2)
    }

    @Test("a node that breaks off for a while does not end the wait")
    func patience() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_automine", "1")
        let port = try #require(UInt16(bench.node.url.split(separator: ":").last ?? ""))
        let left = Mutex(7)
        let proxy = try FakeNode { request in
            guard String(decoding: request.body, as: UTF8.self).contains("eth_getTransactionReceipt") else {
                return FakeNode.relayed(request, to: port)
            }
            let isDead = left.withLock { count in
                count -= 1
                return count >= 0
            }
            return isDead ? [] : FakeNode.relayed(request, to: port)
        }
        let sent = try bench.outcome(bench.send("0.1eth", "--wait", node: proxy.url))
        #expect(sent.state == "mined")
        #expect(left.withLock { $0 } < 0)
    }

    @Test("a node that takes neither a payment of which nothing is known nor its cancellation ends the command")
    func refusedOverAndOver() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "close""#)
        try bench.expect(try bench.send("0.1eth"), 69, "outcome_unknown")
        let first = try #require(bench.history().first?.id)
        let refusal = #"{"error": {"code": -32000, "message": "insufficient funds"}}"#
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", \#(refusal)"#)
        try bench.expect(bench.replace("cancel", first), 69, "not_accepted")
        let asked = try bench.asked("eth_sendRawTransaction")
        try bench.expect(try bench.send("0.2eth", to: EthereumBench.carol), 69, "unsettled", first)
        #expect(try bench.asked("eth_sendRawTransaction") == asked + 1)
    }

    @Test("what was mined and failed is not taken for the payment that was ordered")
    func reverted() throws {
        let bench = try EthereumBench()
        let token = try bench.token(10_000_000)
        _ = try bench.sent("10", to: EthereumBench.carol, "--token", token, "--decimals", "6")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "swallow""#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", "close""#)
        let lost = try bench.send("10", "--token", token, "--decimals", "6")
        try bench.expect(lost, 69, "outcome_unknown")
        let unanswered = try #require(bench.history().last)
        let failure = try JSONDecoder().decode(SignedFailure.self, from: Data(lost.errors.utf8))
        #expect(unanswered.state == "unanswered" && failure.id == unanswered.id)
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)
        try bench.mine()
        let same = try bench.send("10", "--token", token, "--decimals", "6")
        try bench.expect(same, 1, "reverted", "and failed: it cost its fee")
        #expect(try bench.balance(of: EthereumBench.bob, token: token) == 0)
        #expect(same.errors.contains("the same order once more is another payment"))
        // Told once; then the order is an order again.
        try bench.expect(
            try bench.send("10", "--token", token, "--decimals", "6"), 2, "insufficient_tokens")
        // Once there is something to pay with, it is asked about: that the first failed, only the node says.
        let data =
            "0xa9059cbb" + String(repeating: "0", count: 24) + bench.account.dropFirst(2).lowercased()
            + String(repeating: "0", count: 58) + "989680"
        try bench.node.tell("evm_execute", "\"\(token)\", \"\(data)\"")
        let asked = try bench.send("10", "--token", token, "--decimals", "6")
        try bench.expect(asked, 2, "needs_confirmation", "the node says that it failed in block")
        let digest = try #require(EthereumBench.Refusal(asked).intent).digest
        _ = try bench.sent("10", "--token", token, "--decimals", "6", "--expect", digest, "--accept", "repeated")
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob, token: token) == 10_000_000)
    }
}
