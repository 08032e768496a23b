internal import Foundation
import TestSupport
import Testing

extension TestWallet {
    func bump(_ command: String, _ txid: String, _ node: [String], _ more: [String] = []) -> [String] {
        [command, name, txid] + node + Self.unasked + more
    }
}

@Suite(
    "What waits for a block is sped up and cancelled",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct BitcoinBumpTests {
    @Test(
        "a payment is replaced by one that pays the same and more to the miner; the engine accepts it, a node mines it")
    func speedUp() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: [
            wallet.address(0).script_pubkey, wallet.address(1, type: "segwit").script_pubkey,
        ])
        let slow = try wallet.fueki.json(wallet.order("1btc", options, ["--fee-rate", "1"]), as: SentBitcoin.self)
        let first = try node.waiting(slow.txid)
        let same = try wallet.fueki.run(wallet.bump("speed-up", slow.txid, options, ["--fee-rate", "1", "--json"]))
        #expect(same.status == 2 && same.errors.contains("fee_rate_not_higher"), "\(same.errors)")
        // Without a rate, the increase is the minimum that nodes require.
        let fast = try wallet.fueki.json(wallet.bump("speed-up", slow.txid, options), as: SentBitcoin.self)
        let second = try node.waiting(fast.txid)
        #expect(try Kernel.verdicts(on: second.hex, spending: second.spent).allSatisfy { $0 })
        #expect(Set(second.spent.map(\.txid)).isSuperset(of: first.spent.map(\.txid)))
        #expect(second.paid.filter { $0.scriptPubKey == Bob.scriptPubKey }.map(\.value) == [100_000_000])
        #expect(Set(second.paid.map(\.scriptPubKey)) == Set(first.paid.map(\.scriptPubKey)))
        #expect(try #require(fast.fee) > #require(slow.fee))
        let waiting = try wallet.history(options)
        #expect(waiting.map(\.state) == ["sent", "sent"] && waiting.map(\.replaced_by) == [fast.txid, nil])
        let list = try wallet.fueki.run("history", wallet.name, "--passphrase-file", "passphrase").output
        #expect(list.contains("sent, replaced\n") && list.contains("replaced by \(fast.txid.prefix(8))"), "\(list)")
        // Again, by a rate, and until it is mined.
        let fake = try LyingNode.before(node.rpc().port, [:])
        let fastest = try wallet.fueki.json(
            wallet.bump("speed-up", fast.txid, wallet.options(fake, before: node), ["--fee-rate", "4.5"]),
            as: SentBitcoin.self)
        // Its change pays for it: no search for coins.
        #expect(!fake.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("scantxoutset") })
        try node.mineBlocks(1, to: "51")
        let mined = try wallet.history(options)
        #expect(mined.map(\.state) == ["sent", "sent", "mined"])
        #expect(mined.map(\.replaced_by) == [fastest.txid, fastest.txid, nil])
        let inPlace = try wallet.fueki.run("history", wallet.name, "--passphrase-file", "passphrase").output
        #expect(inPlace.contains("\(fastest.txid.prefix(8)) is mined in its place"), "\(inPlace)")
        try node.mineBlocks(5, to: "51")
        #expect(try wallet.history(options).map(\.state) == ["replaced", "replaced", "mined"])
        #expect(try wallet.history().last?.id == fastest.txid)
        let late = try wallet.fueki.run(wallet.bump("cancel", fastest.txid, options))
        #expect(late.status == 2 && late.errors.contains("already, and stays as it is"), "\(late.errors)")
    }

    @Test("a payment without change is replaced with an additional coin, and all payments stay unchanged")
    func furtherCoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        let other = try TestWallet(named: "other")
        _ = try node.fund(scriptPubKeys: [wallet.address().script_pubkey, other.address().script_pubkey])
        let slow = try wallet.fueki.json(wallet.order("all", options, ["--fee-rate", "1"]), as: SentBitcoin.self)
        let first = try node.waiting(slow.txid)
        let poor = try wallet.fueki.run(wallet.bump("speed-up", slow.txid, options, ["--json"]))
        #expect(poor.status == 2 && poor.errors.contains("insufficient_funds"), "\(poor.errors)")
        // An additional coin from a payer, in a block without the payment.
        let more = try other.fueki.json(
            ["send", "other", "--to", wallet.address(3, type: "segwit").address, "--amount", "1btc"] + options
                + TestWallet.unasked, as: SentBitcoin.self)
        try node.ask("generateblock", "raw(51)", #"["\#(more.txid)"]"#)
        let fast = try wallet.fueki.json(
            wallet.bump("speed-up", slow.txid, options, ["--fee-rate", "4"]), as: SentBitcoin.self)
        let second = try node.waiting(fast.txid)
        #expect(try Kernel.verdicts(on: second.hex, spending: second.spent) == [true, true])
        #expect(second.paid.count == 2 && second.paid.contains(first.paid[0]))
        // A replaced payment names its replacement: a second replacement by its own fee is refused.
        for command in ["speed-up", "cancel"] {
            let old = try wallet.fueki.run(wallet.bump(command, slow.txid, options, ["--json"]))
            #expect(old.status == 2 && old.errors.contains("\(fast.txid) has replaced it"), "\(old.errors)")
        }
        try node.mineBlocks(6, to: "51")
        #expect(try wallet.history(options).map(\.state) == ["replaced", "mined"])
    }

    @Test("a cancelled payment returns all coins, and the payee gets nothing")
    func cancel() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        let coins = try node.fund(scriptPubKeys: [
            wallet.address(0).script_pubkey, wallet.address(1, type: "segwit").script_pubkey,
        ]).map(\.coin)
        let total = coins.reduce(0) { $0 + $1.value }
        let sent = try wallet.fueki.json(wallet.order("60btc", options), as: SentBitcoin.self)
        let cancelled = try wallet.fueki.json(
            wallet.bump("cancel", sent.txid, options, ["--with", "backup,recovery"]), as: SentBitcoin.self)
        let transaction = try node.waiting(cancelled.txid)
        #expect(try Kernel.verdicts(on: transaction.hex, spending: transaction.spent).allSatisfy { $0 })
        #expect(!transaction.paid.contains { $0.scriptPubKey == Bob.scriptPubKey })
        try node.mineBlocks(6, to: "51")
        #expect(try wallet.balance(node).total.confirmed == total - (try #require(cancelled.fee)))
        let history = try wallet.history(options)
        #expect(history.map(\.state) == ["replaced", "mined"])
        #expect(history.last?.effects.map(\.effect) == ["nothing"])
    }

    @Test("an incoming payment is sped up by a child that pays for both, and cannot be cancelled")
    func child() throws {
        let node = try Node()
        let alice = try TestWallet(named: "alice")
        let bob = try TestWallet(named: "bob")
        let options = try alice.options(node)
        _ = try node.fund(scriptPubKey: alice.address().script_pubkey)
        let paid = try alice.fueki.json(
            ["send", "alice", "--to", bob.address(2, type: "segwit").address, "--amount", "1btc", "--fee-rate", "1"]
                + options + TestWallet.unasked, as: SentBitcoin.self)
        #expect(try bob.balance(node).segwit == .init(confirmed: 0, waiting: 100_000_000, immature: 0))
        let refused = try bob.fueki.run(bob.bump("cancel", paid.txid, options, ["--json"]))
        #expect(refused.status == 2 && refused.errors.contains("not_ours"), "\(refused.errors)")
        let child = try bob.fueki.json(
            bob.bump("speed-up", paid.txid, options, ["--fee-rate", "4"]), as: SentBitcoin.self)
        let (hex, spent, _) = try node.waiting(child.txid, unmined: true)
        #expect(try Kernel.verdicts(on: hex, spending: spent) == [true])
        // Four satoshi for each virtual byte of both.
        let sizes = try [paid.txid, child.txid].map { try node.virtualSize($0) }
        let fees = try #require(paid.fee) + #require(child.fee)
        #expect((4 * (sizes[0] + sizes[1])...4 * (sizes[0] + sizes[1]) + 20).contains(fees))
        try node.mineBlocks(1, to: "51")
        #expect(
            try bob.balance(node).total
                == .init(confirmed: 100_000_000 - (try #require(child.fee)), waiting: 0, immature: 0))
        #expect(try bob.history(options).map(\.state) == ["mined"])
    }

    @Test("a failed cancellation ends no payment: the same order sends the same transaction")
    func emptyCancellation() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: (0..<3).map { try wallet.address($0).script_pubkey })
        let fake = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .dead])
        let dead = try wallet.options(fake, before: node)
        #expect(try wallet.fueki.run(wallet.order("1btc", dead)).status == 69)
        let id = try #require(wallet.history().last?.id)
        #expect(try wallet.fueki.run(wallet.bump("cancel", id, dead)).status == 69)
        let sent = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        #expect(sent.txid == id && sent.earlier == true)
        let none = try wallet.fueki.run(wallet.order("1btc", options))
        #expect(none.status == 2 && none.errors.contains("is on its way already"), "\(none.errors)")
    }

    @Test("a transaction that the node does not have is sent again as signed, or cancelled before any node has it")
    func unsent() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: [wallet.address(0).script_pubkey, wallet.address(1).script_pubkey])
        let dead = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .dead])
        for (number, command) in ["speed-up", "cancel"].enumerated() {
            let amount = "\(number + 1)btc"
            #expect(try wallet.fueki.run(wallet.order(amount, wallet.options(dead, before: node))).status == 69)
            let id = try #require(wallet.history().last?.id)
            let done = try wallet.fueki.json(wallet.bump(command, id, options), as: SentBitcoin.self)
            #expect((done.txid == id) == (command == "speed-up"))
            if command == "speed-up" { try node.mineBlocks(1, to: "51") }
        }
        // A cancelled payment that is ordered again is another payment, even while the cancellation waits.
        let cancellation = try #require(wallet.history().last?.id)
        let again = try wallet.fueki.json(wallet.order("2btc", options), as: SentBitcoin.self)
        // It cannot be mined without the cancellation, so that not both payments can be.
        #expect(try node.waiting(again.txid, unmined: true).spent.map(\.txid) == [cancellation])
        try node.mineBlocks(6, to: "51")
        let history = try wallet.history(options)
        #expect(history.map(\.state) == ["mined", "replaced", "mined", "mined"])
        #expect(history.last?.id == again.txid)
        for (id, status, words) in [
            (String(repeating: "00", count: 32), 69, "the node does not know the transaction"),
            ("1234", 64, "64 digits"),
        ] as [(String, Int32, String)] {
            let outcome = try wallet.fueki.run(wallet.bump("speed-up", id, options))
            #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }
}
