internal import Foundation
internal import Synchronization
import TestSupport
import Testing

/// Once the node has a payment, no later failure makes it another payment.
@Suite(
    "What became of a payment on Ethereum",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumDeliveryTests {
    @Test("after a malformed answer the error names the transaction that was sent, and the same order asks a person")
    func sentNotSeen() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", {"result": "0x1"}"#)
        let lost = try bench.send("0.1eth", "--wait")
        try bench.expect(lost, 69, "sent_not_seen", "was sent, but then an error occurred")
        let sent = try #require(bench.history().first)
        let hash = try #require(sent.id)
        #expect(sent.state == "sent" && lost.errors.contains(hash))
        let failure = try JSONDecoder().decode(SignedFailure.self, from: Data(lost.errors.utf8))
        #expect(failure.id == hash && failure.intent.digest.utf8.count == 64)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)

        // The order that ended without a result gets its outcome reported, once. A script that retries does not pay
        // twice.
        let told = try bench.sent("0.1eth")
        #expect(told.earlier && told.hash == hash)
        let again = try bench.send("0.1eth")
        try bench.expect(again, 2, "needs_confirmation", "the same payment is on its way already, as transaction 0x")
        #expect(try bench.sent("0.2eth").nonce == 1)
        try bench.mine()
        #expect(try bench.sent("0.1eth").nonce == 2)
    }

    @Test("a node that is unavailable for a while does not end the wait")
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

    @Test("a node that accepts neither an unknown payment nor its cancellation ends the command")
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

    @Test("a transaction that was mined and failed does not count as the payment")
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
        #expect(same.errors.contains("repeating the same order is a further payment"))
        // It is reported once; then the same order is a new order.
        try bench.expect(
            try bench.send("10", "--token", token, "--decimals", "6"), 2, "insufficient_tokens")
        // With enough balance the order asks a question: only the node claims that the first failed.
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

    @Test("'resume' finishes what a node did not answer for, without the order; run again, it pays nothing more")
    func resumed() throws {
        struct Resumed: Decodable {
            struct Payment: Decodable {
                let state: String
                let id: String?
            }
            let payments: [Payment]
        }
        let bench = try EthereumBench()
        let resume = ["resume", bench.wallet.name, "--passphrase-file", "passphrase", "--node", bench.node.url]
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "swallow""#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", "close""#)
        try bench.expect(try bench.send("0.1eth"), 69, "outcome_unknown")
        let id = try #require(bench.history().last?.id)
        // The node still fails: the payment is shown as it is, and the failure after it.
        let failed = try bench.wallet.fueki.run(resume + ["--node-timeout", "2"])
        #expect(failed.status == 69 && failed.output.contains("did not say whether it took it"), "\(failed.output)")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)
        let found = try bench.wallet.fueki.json(resume, as: Resumed.self)
        #expect(found.payments.map(\.id) == [id] && found.payments.map(\.state) == ["sent"])
        try bench.mine()
        #expect(try bench.wallet.fueki.json(resume, as: Resumed.self).payments.isEmpty)
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
    }

    /// What `fueki resume --json` prints.
    private struct Resumed: Decodable {
        struct Payment: Decodable { let state: String }
        let payments: [Payment]
    }

    /// Returns a bench whose node has not answered for a payment.
    private func interrupted() throws -> EthereumBench {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "close""#)
        try bench.expect(try bench.send("0.1eth"), 69, "outcome_unknown")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        return bench
    }

    @Test("'resume' sends the cookie of Bitcoin Core to no node of Ethereum")
    func cookie() throws {
        let bench = try interrupted()
        let resume = ["resume", bench.wallet.name, "--passphrase-file", "passphrase"]
        let port = try #require(UInt16(bench.node.url.split(separator: ":").last ?? ""))
        let proxy = try FakeNode { FakeNode.relayed($0, to: port) }
        try bench.wallet.fueki.folder.write("__cookie__:0123456789", to: "cookie")
        for chain in [[], ["--chain", EthereumBench.chain]] {
            let ended = try bench.wallet.fueki.run(
                resume + chain + ["--node", proxy.url, "--cookie-file", "cookie"])
            #expect(ended.isSuccess, "\(ended.errors)")
        }
        #expect(!proxy.requests.isEmpty)
        #expect(proxy.requests.allSatisfy { $0.header("authorization") == nil })
    }

    @Test("'resume' prints a payment that the node refuses, and ends with the refusal")
    func refusedAgain() throws {
        let bench = try interrupted()
        let resume = ["resume", bench.wallet.name, "--passphrase-file", "passphrase"]
        let refusal = #"{"error": {"code": -32000, "message": "insufficient funds"}}"#
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", \#(refusal)"#)
        let ended = try bench.wallet.fueki.run(resume + ["--node", bench.node.url, "--json"])
        let printed = try JSONDecoder().decode(Resumed.self, from: Data(ended.output.utf8))
        #expect(printed.payments.map(\.state) == ["unanswered"])
        let error = try EthereumBench.Refusal(ended).error
        #expect(ended.status == 69 && error.code == "unsettled", "\(ended.errors)")
    }

    @Test("a result of 'resume' that no reader has taken is shown again")
    func readerIsGone() throws {
        let bench = try interrupted()
        let resume = ["resume", bench.wallet.name, "--passphrase-file", "passphrase"]
        _ = try Program.run(
            Python.system,
            [
                "-c",
                """
                import os, signal, sys
                reading, writing = os.pipe()
                os.close(reading)
                os.dup2(writing, 1)
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                os.execv(sys.argv[1], sys.argv[1:])
                """, "\(FuekiCommand.binaries)/fueki",
            ] + resume + ["--node", bench.node.url],
            environment: ["FUEKI_HOME": "\(bench.wallet.folder)/home"], in: bench.wallet.folder)
        let again = try bench.wallet.fueki.json(resume + ["--node", bench.node.url], as: Resumed.self)
        #expect(again.payments.map(\.state) == ["sent"])
        #expect(try bench.wallet.fueki.json(resume, as: Resumed.self).payments.isEmpty)
    }

    @Test("'resume --node' wants a chain if payments are open on several, and asks no node")
    func severalChains() throws {
        let bench = try interrupted()
        let resume = ["resume", bench.wallet.name, "--passphrase-file", "passphrase"]
        let second = try EVMNode(chain: 11_155_111)
        try second.tell("evm_fund", "\"\(bench.account)\", \"0x8ac7230489e80000\"")
        try second.tell("evm_disturb", #""eth_sendRawTransaction", "close""#)
        let lost = try bench.wallet.fueki.run([
            "send", bench.wallet.name, "--to", EthereumBench.bob, "--amount", "0.1eth", "--chain", "sepolia",
            "--node", second.url, "--passphrase-file", "passphrase", "--yes", "--json",
        ])
        #expect(lost.status == 69, "\(lost.errors)")
        let port = try #require(UInt16(bench.node.url.split(separator: ":").last ?? ""))
        let proxy = try FakeNode { FakeNode.relayed($0, to: port) }
        let ended = try bench.wallet.fueki.run(resume + ["--node", proxy.url])
        #expect(ended.status == 64 && ended.errors.contains("--chain local, or --chain sepolia"), "\(ended.errors)")
        #expect(proxy.requests.isEmpty && ended.output.isEmpty)
        let one = try bench.wallet.fueki.run(resume + ["--node", proxy.url, "--chain", EthereumBench.chain])
        #expect(one.isSuccess, "\(one.errors)")
    }

    @Test("'resume' handles every account, and lists the others if one is named")
    func everyAccount() throws {
        let bench = try EthereumBench()
        let first = try bench.wallet.fueki.json(
            "address", bench.wallet.name, "--type", "ethereum", "--index", "1", as: EthereumBench.Account.self)
        try bench.node.tell("evm_fund", "\"\(first.address)\", \"0x8ac7230489e80000\"")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "close""#)
        try bench.expect(try bench.send("0.1eth", "--account", "1"), 69, "outcome_unknown")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        let resume = ["resume", bench.wallet.name, "--passphrase-file", "passphrase", "--node", bench.node.url]
        let zero = try bench.wallet.fueki.run(resume + ["--account", "0"])
        #expect(zero.isSuccess && zero.output.contains("no node has told what became of it"), "\(zero.output)")
        #expect(zero.errors.contains("--account"))
        #expect(try bench.wallet.fueki.json(resume, as: Resumed.self).payments.map(\.state) == ["sent"])
    }
}
