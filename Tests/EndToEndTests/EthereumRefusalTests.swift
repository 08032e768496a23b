internal import Foundation
import TestSupport
import Testing

/// Failures before and after a signature: each has a name, and none pays twice.
@Suite(
    "What is not paid on Ethereum",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumRefusalTests {
    /// A single fault of a node.
    struct Trouble: CustomTestStringConvertible {
        let method: String
        /// The name that `evm_disturb` takes.
        let how: String
        let status: Int32
        let code: String
        var testDescription: String { "\(method) \(how.prefix(40)): \(code)" }
    }

    @Test(
        "a node that lies, is late, shows a page, or breaks off: nothing is signed, and no number is lost",
        arguments: [
            Trouble(method: "eth_chainId", how: #"{"result": "0x1"}"#, status: 69, code: "wrong_chain"),
            Trouble(method: "eth_chainId", how: #""late""#, status: 69, code: "node_unreachable"),
            Trouble(method: "eth_chainId", how: #""html""#, status: 69, code: "bad_answer"),
            Trouble(method: "eth_getTransactionCount", how: #""500""#, status: 69, code: "bad_answer"),
            Trouble(
                method: "eth_getTransactionCount", how: #"{"result": "0xffffffffffffffff"}"#, status: 69,
                code: "bad_answer"),
            Trouble(method: "eth_blockNumber", how: #"{"result": "0x"}"#, status: 69, code: "bad_answer"),
            Trouble(
                method: "eth_blockNumber", how: #"{"result": "0xffffffffffffffff"}"#, status: 69, code: "bad_answer"),
            Trouble(method: "eth_getBalance", how: #"{"result": "0x0"}"#, status: 2, code: "refused"),
            Trouble(method: "eth_getCode", how: #""close""#, status: 69, code: "node_unreachable"),
            Trouble(
                method: "eth_feeHistory",
                how:
                    #"{"result": {"baseFeePerGas": ["0xffffffffff", "0xffffffffff"], "reward": [["0x1", "0x1", "0x1"]]}}"#,
                status: 2, code: "fee_above_ceiling"),
            Trouble(
                method: "eth_call", how: #"{"error": {"code": 3, "message": "execution reverted"}}"#, status: 2,
                code: "needs_confirmation"),
        ])
    func trouble(_ trouble: Trouble) throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", "\"\(trouble.method)\", \(trouble.how)")
        let seconds = trouble.how.contains("late") ? 1 : Patience.seconds
        try bench.expect(try bench.send("0.1eth", "--node-timeout", "\(seconds)"), trouble.status, trouble.code)
        #expect(try bench.asked("eth_sendRawTransaction") == 0)
        try bench.node.tell("evm_disturb", "\"\(trouble.method)\", null")
        #expect(try bench.sent("0.1eth").nonce == 0)
    }

    @Test(
        "a contract that is paid is told, and of what a node suggests for whoever makes a block no more is paid than a bound"
    )
    func bounds() throws {
        let bench = try EthereumBench()
        // The command stops at once, whatever the answer is.
        let contract: String = try bench.node.ask("evm_deploy", "\"0x6001600c60003960016000f300\"")
        let paid = try bench.sent("1gwei", to: contract)
        #expect(paid.intent?.remarks.contains { $0.name == "contract_recipient" } == true)

        let greedy = #"{"baseFeePerGas": ["0x1", "0x1"], "reward": [["0xe8d4a51000", "0xe8d4a51000", "0xe8d4a51000"]]}"#
        try bench.node.tell("evm_disturb", "\"eth_feeHistory\", {\"result\": \(greedy)}")
        // Not 1,000 gwei, but 100, and the base fee twice.
        #expect(
            try bench.sent("1gwei", "--accept", "large_fee").intent?.highest_fee == "\((100_000_000_000 + 2) * 21_000)")
    }

    @Test("without a node nothing is signed")
    func nobody() throws {
        let bench = try EthereumBench(ether: 0)
        // The error names the node, without the password and the path, which often is a key.
        let dead = try bench.send("0.1eth", node: "http://user:SECRET@127.0.0.1:1/SECRET")
        try bench.expect(dead, 69, "node_unreachable", "(the node is http://127.0.0.1:1)")
        #expect(!dead.errors.contains("SECRET"))
        let cookie = try bench.send("0.1eth", "--cookie-file", "no.cookie", node: "http://127.0.0.1:1")
        try bench.expect(cookie, 66, "bad_cookie", "no.cookie: the cookie file does not exist")
        try bench.expect(try bench.send("0.1eth", node: "gopher://127.0.0.1"), 64, "usage")
    }

    @Test("options for Ethereum only are refused on Bitcoin")
    func otherChain() throws {
        let bench = try EthereumBench(ether: 0)
        for wish in ["--token", "--nonce", "--gas-limit", "--account"] {
            let value = wish == "--token" ? EthereumBench.bob : "30000"
            let ended = try bench.wallet.fueki.run(
                "send", "savings", "--to", "alice", "--amount", "1btc", wish, value, "--node", bench.node.url, "--json")
            try bench.expect(ended, 64, "usage", "\(wish) is for Ethereum")
        }
    }

    @Test("a payment without an answer: the same order finds it, or sends the same transaction, and pays once")
    func unknownOutcome() throws {
        let bench = try EthereumBench()
        // It never arrives.
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "close""#)
        try bench.expect(try bench.send("0.1eth"), 69, "outcome_unknown", "is signed, but the node did not answer")
        // It has not arrived yet: nothing else is signed before.
        try bench.expect(try bench.send("0.2eth"), 69, "unsettled", "nothing was signed now")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        let first = try bench.sent("0.1eth")
        #expect(first.earlier && first.nonce == 0)
        #expect(try EthAccount.senders(of: [bench.raw(first.hash)]) == [bench.account])

        // It arrives, the answer does not, and the node hides it. Another order follows.
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "swallow""#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", "close""#)
        try bench.expect(try bench.send("0.3eth"), 69, "outcome_unknown")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)
        let third = try bench.sent("0.4eth", to: EthereumBench.carol)
        #expect(!third.earlier && third.nonce == 2)
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.4"))
        #expect(try bench.balance(of: EthereumBench.carol) == EthereumBench.ether("0.4"))
        // The order without an answer is told, once, even if another order found it first and it is mined by now.
        let second = try bench.sent("0.3eth", "--wait")
        #expect(second.earlier && second.nonce == 1 && second.state == "mined")
        let again = try bench.sent("0.3eth")
        #expect(!again.earlier && again.nonce == 3)
        #expect(try bench.history().map(\.state) == ["mined", "mined", "mined", "sent"])
    }

    @Test("a payment without an answer that is mined before the same order is repeated is not paid twice")
    func minedMeanwhile() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "swallow""#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", "close""#)
        try bench.expect(try bench.send("0.1eth"), 69, "outcome_unknown")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        try bench.node.tell("evm_disturb", #""eth_getTransactionReceipt", null"#)
        try bench.mine()
        let same = try bench.sent("0.1eth")
        #expect(same.earlier && same.nonce == 0)
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
        #expect(try bench.sent("0.1eth").nonce == 1)
    }

    @Test("a transaction that the node has without having answered counts as sent")
    func swallowed() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "swallow""#)
        #expect(try bench.sent("0.1eth").state == "sent")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        #expect(try bench.sent("0.1eth", to: EthereumBench.carol).nonce == 1)
    }

    @Test("a lost transaction that is no longer accepted is cancelled; then the same payment is made on request")
    func cancelled() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", "close""#)
        let lost = try bench.send("0.1eth")
        try bench.expect(lost, 69, "outcome_unknown")
        let refusal = try JSONDecoder().decode(EthereumBench.Refusal.self, from: Data(lost.errors.utf8))
        let hash = try #require(refusal.error.message.split(separator: " ").first { $0.hasPrefix("0x") })
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        #expect(try bench.outcome(bench.replace("cancel", String(hash))).nonce == 0)
        let asked = try bench.send("0.1eth")
        try bench.expect(asked, 2, "needs_confirmation", "was signed already, as transaction \(hash)")
        let digest = try #require(EthereumBench.Refusal(asked).intent).digest
        let next = try bench.sent("0.1eth", "--expect", digest, "--accept", "repeated")
        #expect(!next.earlier && next.nonce == 1)
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
    }

    @Test("a transaction that the node refuses leaves its nonce to the next one")
    func refusedByNode() throws {
        let bench = try EthereumBench()
        let no = #"{"error": {"code": -32000, "message": "nonce too low"}}"#
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", \#(no)"#)
        try bench.expect(try bench.send("0.1eth"), 69, "not_accepted", "its nonce is used")
        try bench.node.tell("evm_disturb", #""eth_sendRawTransaction", null"#)
        let next = try bench.sent("0.2eth")
        #expect(!next.earlier && next.nonce == 0)
    }

    @Test("nonces that are used, reserved, or after a gap are refused; the next one is not")
    func badNonces() throws {
        let bench = try EthereumBench()
        _ = try bench.sent("1gwei")
        try bench.mine()
        _ = try bench.sent("1gwei")
        try bench.expect(try bench.send("2gwei", "--nonce", "0"), 2, "bad_nonce", "0 is used")
        try bench.expect(try bench.send("2gwei", "--nonce", "1"), 2, "bad_nonce", "which waits")
        try bench.expect(try bench.send("2gwei", "--nonce", "3"), 2, "bad_nonce", "leaves a gap")
        #expect(try bench.sent("2gwei", "--nonce", "2").nonce == 2)
    }

    @Test(
        "payees: a bad checksum, the zero address, a double of somebody known, an unknown name; small letters are told")
    func payees() throws {
        let bench = try EthereumBench()
        let mistyped = EthereumBench.bob.replacingOccurrences(of: "ead", with: "eaD")
        try bench.expect(try bench.send("1gwei", to: mistyped), 65, "bad_checksum")
        try bench.expect(try bench.send("1gwei", to: String(EthereumBench.bob.dropLast())), 65, "bad_address")
        try bench.expect(try bench.send("1gwei", to: "nobody"), 65, "unknown_payee")
        let zero = "0x" + String(repeating: "0", count: 40)
        try bench.expect(try bench.send("1gwei", to: zero), 2, "refused", "zero address")
        try bench.expect(try bench.send("0eth"), 2, "refused", "it pays nothing")
        try bench.expect(try bench.send("10eth"), 2, "refused", "does not have what is paid and the highest fee")
        try bench.expect(try bench.send("1btc"), 64, "usage", "another coin")
        try bench.expect(try bench.send("1"), 64, "usage", "with its unit")
        try bench.expect(
            try bench.send("1gwei", "--max-fee", "1wei"), 2, "fee_above_ceiling",
            "all 21000 units may cost 0.000000000000000001 ")
        try bench.expect(try bench.send("all"), 64, "usage", "'all' is for Bitcoin")
        #expect(try bench.asked("eth_sendRawTransaction") == 0)

        // A mistyped address cannot be excluded: a script does not pay it, unless it is known.
        let known = EthereumBench.bob.lowercased()
        let unchecked = try bench.send("1gwei", to: known)
        try bench.expect(unchecked, 2, "needs_confirmation", "all of one case")
        #expect(try bench.asked("eth_sendRawTransaction") == 0)
        #expect(try bench.sent("1gwei").nonce == 0)
        try bench.mine()
        let lower = try bench.sent("1wei", to: known)
        #expect(lower.nonce == 1 && lower.intent?.remarks.contains { $0.name == "one_case" } == false)
        let slip = "0x80" + known.dropFirst(4)
        try bench.expect(try bench.send("1gwei", to: slip), 2, "refused", "looks like")
        let double = known.prefix(6) + String(repeating: "1", count: 32) + known.suffix(4)
        try bench.expect(try bench.send("1gwei", to: String(double)), 2, "refused", "looks like")
        #expect(try bench.sent("2gwei").intent?.remarks.contains { $0.name == "one_case" } == false)
    }
}
