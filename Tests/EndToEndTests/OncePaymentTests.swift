internal import Foundation
import TestSupport
import Testing

/// `send --once KEY`: a payment with a key is made once, whatever a node says.
@Suite(
    "A payment with a key of its own",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct OncePaymentTests {
    private let once = ["--once", "invoice-17"]

    @Test(
        "on Ethereum: told while it waits and once it is mined, also by a node that shows none of it; a new key pays anew"
    )
    func ethereum() throws {
        let bench = try EthereumBench()
        let first = try bench.sent("0.1eth", "--once", "invoice-17")
        #expect(!first.earlier)
        let waiting = try bench.sent("0.1eth", "--once", "invoice-17")
        #expect(waiting.earlier && waiting.hash == first.hash && waiting.state == "sent")
        try bench.expect(try bench.send("0.2eth", "--once", "invoice-17"), 2, "other_order")
        try bench.mine()

        // The book does not know yet that it is mined. Nonce 0 is used, and the transaction with it is hidden.
        let hidden: [String: LyingNode.Lie] = [
            "eth_getTransactionByHash": .result("null"), "eth_getTransactionReceipt": .result("null"),
        ]
        let hiding = try bench.liar(hidden)
        try bench.expect(
            try bench.send("0.1eth", "--once", "invoice-17", node: hiding.url), 2, "earlier_payment_unclear")

        let mined = try bench.sent("0.1eth", "--once", "invoice-17")
        #expect(mined.earlier && mined.hash == first.hash && mined.state == "mined")
        // From now on no node is needed.
        let empty = try bench.liar(
            hidden.merging(["eth_getTransactionCount": .result("\"0x0\"")]) { _, other in other })
        let told = try bench.outcome(try bench.send("0.1eth", "--once", "invoice-17", node: empty.url))
        #expect(told.earlier && told.hash == first.hash && told.state == "mined")
        #expect(!empty.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("sendRawTransaction") })

        let other = try bench.sent("0.1eth", "--once", "invoice-18")
        #expect(!other.earlier && other.nonce == 1)
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.2"))
    }

    @Test(
        "on Bitcoin: told while it waits and once it is mined, also by a node that shows none of it; a new key pays anew"
    )
    func bitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.fund(from: node)
        let options = try wallet.options(node)
        func send(_ options: [String]) throws -> SentBitcoin {
            try wallet.fueki.json(wallet.order("1btc", options, once))
        }
        let first = try send(options)
        #expect(!first.earlier)
        let waiting = try send(options)
        #expect(waiting.earlier && waiting.txid == first.txid && waiting.state == "sent")
        let another = try wallet.fueki.run(wallet.order("2btc", options, once + ["--json"]))
        #expect(another.status == 2 && another.errors.contains("other_order"), "\(another.errors)")
        try node.mineBlocks(1, to: "51")

        // The book does not know yet that it is mined. Its coin is spent, and the spending transaction is hidden.
        let hiding = try LyingNode.before(
            node.rpc().port,
            ["getmempoolentry": .unknown, "getrawtransaction": .unknown, "gettxout": .result("null")])
        let hidden = try wallet.options(hiding, before: node)
        let unclear = try wallet.fueki.run(wallet.order("1btc", hidden, once + ["--json"]))
        #expect(unclear.status == 2 && unclear.errors.contains("earlier_payment_unclear"), "\(unclear.errors)")

        let mined = try send(options)
        #expect(mined.earlier && mined.txid == first.txid && mined.state == "mined")
        // From now on no node is needed.
        let told = try send(hidden)
        #expect(told.earlier && told.txid == first.txid && told.state == "mined")

        let other = try wallet.fueki.json(
            wallet.order("1btc", options, ["--once", "invoice-18"]), as: SentBitcoin.self)
        #expect(!other.earlier)
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [100_000_000, 100_000_000])
    }

    @Test(
        "two proposals of one key wait for an approval: once one is signed, the other is gone, and the payment is made once"
    )
    func proposals() throws {
        struct Waiting: Decodable { let digest: String }
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.fund(from: node)
        let options = try wallet.options(node)
        func setPolicy(_ rule: String) throws {
            try wallet.fueki.folder.write(#"{"version": 1, "rules": [\#(rule)]}"#, to: "policy.json")
            let set = try wallet.fueki.run(["policy", "set", wallet.name, "policy.json"] + TestWallet.unasked)
            #expect(set.isSuccess, "\(set.errors)")
        }
        func waiting() throws -> [String] {
            try wallet.fueki.json(
                ["pending", "list", wallet.name, "--passphrase-file", "passphrase"], as: [Waiting].self
            ).map(\.digest)
        }
        try setPolicy(#"{"name": "slow", "if": {"effect": "payment"}, "then": {"delay": "1h"}}"#)
        for rate in ["2", "3"] {
            let order = try wallet.fueki.run(wallet.order("1btc", options, once + ["--fee-rate", rate, "--json"]))
            #expect(order.status == 2 && order.errors.contains("not_yet"), "\(order.errors)")
        }
        let both = try waiting()
        try #require(both.count == 2)
        try setPolicy(#"{"name": "all", "then": "allow"}"#)
        let sign = ["pending", "sign", wallet.name]
        let signed = try wallet.fueki.run(sign + [both[1], "-o", "signed"] + TestWallet.unasked)
        #expect(signed.isSuccess, "\(signed.errors)")
        #expect(try waiting().isEmpty)
        let second = try wallet.fueki.run(sign + [both[0], "-o", "second", "--json"] + TestWallet.unasked)
        #expect(!second.isSuccess && !wallet.files.contains("second"), "\(second.errors)")
        let sent = try wallet.fueki.json(wallet.order("1btc", options, once), as: SentBitcoin.self)
        #expect(sent.earlier)
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [100_000_000])
    }
}
