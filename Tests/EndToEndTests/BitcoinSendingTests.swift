internal import Foundation
import TestSupport
import Testing

/// The result of `fueki send`, `speed-up` and `cancel` on Bitcoin with `--json`.
struct SentBitcoin: Decodable {
    let txid: String
    let chain: String
    let state: String
    let height: Int?
    let earlier: Bool
    let replaced: String?
    let digest: String?
    private let feeText: String?

    /// The amount in satoshi.
    var fee: Int64? { feeText.flatMap { Int64($0) } }

    enum CodingKeys: String, CodingKey {
        case txid = "id"
        case feeText = "fee"
        case chain, state, height, earlier, replaced, digest
    }
}

/// The result with `--json` of a command that fails after signing.
struct SignedFailure: Decodable {
    struct Intent: Decodable { let digest: String }
    let id: String
    let intent: Intent
}

/// The result of `fueki history --json`.
struct HistoryLine: Decodable {
    struct Effect: Decodable {
        let effect: String
        let amount: String?
        let to: String?
    }
    let chain: String?
    let state: String
    let height: Int?
    let id: String?
    let replaced_by: String?
    let effects: [Effect]
}

extension TestWallet {
    static let unasked = ["--passphrase-file", "passphrase", "--yes"]

    /// The arguments of `fueki send` to ``Bob``.
    func order(_ amount: String, _ node: [String], _ more: [String] = []) -> [String] {
        ["send", name, "--to", Bob.address, "--amount", amount] + node + Self.unasked + more
    }

    /// What the wallet has signed.
    borrowing func history(_ more: [String] = []) throws -> [HistoryLine] {
        try fueki.json(["history", name, "--sent", "--passphrase-file", "passphrase"] + more)
    }
}

extension Node {
    /// Returns an unconfirmed transaction (hex), and the coins that it spends.
    ///
    /// - Parameter unmined: whether the coins come from unconfirmed transactions, too.
    borrowing func waiting(
        _ txid: String, unmined: Bool = false
    ) throws -> (hex: String, spent: [Coin], paid: [Payment]) {
        let hex = try ask("getrawtransaction", txid).trimmingCharacters(in: .whitespacesAndNewlines)
        let details = try JSONDecoder().decode(Details.self, from: Data(ask("decoderawtransaction", hex).utf8))
        let spent = try details.vin.map { input in
            if unmined {
                let output = try waiting(input.txid).paid[input.vout]
                return Coin(
                    txid: input.txid, vout: input.vout, value: output.value, scriptPubKey: output.scriptPubKey)
            }
            let output = try JSONDecoder().decode(
                Output.self, from: Data(ask("gettxout", input.txid, "\(input.vout)", "false").utf8))
            return Coin(
                txid: input.txid, vout: input.vout, value: output.satoshi, scriptPubKey: output.scriptPubKey.hex)
        }
        return (hex, spent, details.vout.map { Payment(value: $0.satoshi, scriptPubKey: $0.scriptPubKey.hex) })
    }

    borrowing func virtualSize(_ txid: String) throws -> Int64 {
        try JSONDecoder().decode(Entry.self, from: Data(ask("getmempoolentry", txid).utf8)).vsize
    }

    struct Payment: Equatable {
        let value: Int64
        let scriptPubKey: String
    }

    private struct Entry: Decodable { let vsize: Int64 }
    private struct Details: Decodable {
        let vin: [Input]
        let vout: [Output]
    }
    private struct Input: Decodable {
        let txid: String
        let vout: Int
    }
    private struct Output: Decodable {
        struct Script: Decodable { let hex: String }
        let value: Decimal
        let scriptPubKey: Script
        var satoshi: Int64 { NSDecimalNumber(decimal: value * 100_000_000).int64Value }
    }
}

/// Real parts: a node that mines, and Bitcoin Core's engine.
@Suite(
    "Sending bitcoin",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct BitcoinSendingTests {
    @Test(
        "each of the three pairs of shares sends coins of both accounts together; the engine accepts it, a node mines it; the balance and the history follow"
    )
    func threePairs() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        let addresses =
            try (0..<3).map { try wallet.address($0) } + (0..<3).map { try wallet.address($0, type: "segwit") }
        let coins = try node.fund(scriptPubKeys: addresses.map(\.script_pubkey)).map(\.coin)
        var total = coins.reduce(0) { $0 + $1.value }
        #expect(try wallet.balance(node).total == .init(confirmed: total, waiting: 0, immature: 0))
        var changes: Set<String> = []
        for (number, pair) in ["device,backup", "device,recovery", "backup,recovery"].enumerated() {
            // More than all coins of one account.
            let amount = number == 0 ? "160.00000001btc" : "1btc"
            let sent = try wallet.fueki.json(wallet.order(amount, options, ["--with", pair]), as: SentBitcoin.self)
            #expect((sent.state, sent.height, sent.chain, sent.earlier) == ("sent", nil, "bitcoin:regtest", false))
            let (transaction, spent, paid) = try node.waiting(sent.txid)
            #expect(try Kernel.verdicts(on: transaction, spending: spent).allSatisfy { $0 }, "\(pair)")
            if number == 0 { #expect(Set(spent.map { $0.scriptPubKey.prefix(4) }) == ["5120", "0014"]) }
            let value: Int64 = number == 0 ? 16_000_000_001 : 100_000_000
            #expect(paid.contains(.init(value: value, scriptPubKey: Bob.scriptPubKey)))
            let change = try #require(paid.first { $0.scriptPubKey != Bob.scriptPubKey })
            #expect(changes.insert(change.scriptPubKey).inserted, "change never goes to the same address again")
            let fee = try #require(sent.fee)
            total -= value + fee
            let spentValue = spent.reduce(0) { $0 + $1.value }
            #expect(spentValue == value + fee + change.value)
            // The change waits until a block has it.
            #expect(
                try wallet.balance(node).total
                    == .init(confirmed: total - change.value, waiting: change.value, immature: 0))
            #expect(try wallet.history().map(\.state).last == "sent")
            try node.mineBlocks(1, to: "51")
            #expect(try wallet.balance(node).total == .init(confirmed: total, waiting: 0, immature: 0))
            let line = try #require(wallet.history(options).last)
            #expect((line.state, line.id, line.chain) == ("mined", sent.txid, "bitcoin:regtest"))
            #expect((line.effects.map(\.to), line.effects.map(\.amount)) == ([Bob.address], ["\(value)"]))
        }
        let text = try wallet.fueki.run("history", wallet.name, "--passphrase-file", "passphrase").output
        #expect(text.contains("payment 160.00000001 BTC to \(Bob.address)"), "\(text)")
        let wrong = try wallet.fueki.run("history", wallet.name, "--passphrase-file", "/dev/stdin", input: "wrong\n")
        #expect(wrong.status == 3)
    }

    @Test(
        "all: the whole wallet is paid to one, nothing comes back; --wait returns when it is mined, and has the history know"
    )
    func everything() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let coins = try node.fund(
            scriptPubKeys: [wallet.address(0).script_pubkey, wallet.address(5, type: "segwit").script_pubkey]
        ).map(\.coin)
        let total = coins.reduce(0) { $0 + $1.value }
        let fake = try LyingNode.before(node.rpc().port, ["getmempoolentry": .mines])
        let outcome = try wallet.fueki.run(
            wallet.order("all", wallet.options(fake, before: node), ["--fee-rate", "2.5", "--wait"]))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("is mined, in block 103"), "\(outcome.output)")
        for words in ["asking the node for the wallet's coins", "handing it to the node", "waiting until"] {
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
        #expect(try wallet.balance(node).total == .init(confirmed: 0, waiting: 0, immature: 0))
        let line = try #require(wallet.history().last)
        #expect((line.state, line.height) == ("mined", 103))
        let paid = try #require(line.effects.first?.amount.flatMap { Int64($0) })
        #expect((total - 1_000..<total - 300).contains(paid), "two inputs and one output at 2.5 sat/vB")
    }

    @Test(
        "a node that lies, is late, sends a page or is of another chain before anything is signed: named, and nothing is in the history"
    )
    func lies() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let coin = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let before = try wallet.balance(node).total
        let lie =
            #"{"success":true,"height":101,"unspents":[{"txid":"\#(coin.txid)","vout":0,"scriptPubKey":"\#(coin.scriptPubKey)","amount":51,"height":1}]}"#
        for (lies, name) in [
            (["scantxoutset": .page], "bad_answer"),
            (["estimatesmartfee": .silent], "node_unreachable"),
            (["getblockchaininfo": .result(#"{"chain":"test"}"#)], "wrong_chain"),
            (["scantxoutset": .result(lie)], "bad_answer"), (["getrawtransaction": .result(#""00""#)], "bad_answer"),
            (["getblockcount": .dead], "node_unreachable"), (["estimatesmartfee": .result("7")], "bad_answer"),
            (["scantxoutset": .result("null")], "bad_answer"),
        ] as [([String: LyingNode.Lie], String)] {
            let fake = try LyingNode.before(node.rpc().port, lies)
            try wallet.expectUnavailable(
                wallet.fueki.run(wallet.order("1btc", wallet.options(fake, before: node, telling: lies), ["--json"])),
                name)
            #expect(!fake.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("sendraw") })
        }
        #expect(try wallet.history().isEmpty)
        // The person's limit bounds a false fee.
        let greedy = try LyingNode.before(
            node.rpc().port, ["estimatesmartfee": .result(#"{"feerate":1.0,"blocks":2}"#)])
        let costly = try wallet.fueki.run(
            wallet.order("1btc", wallet.options(greedy, before: node), ["--max-fee", "10000sat"]))
        #expect(costly.status == 2 && costly.errors.contains("above the ceiling of 0.00010000 BTC"), "\(costly.errors)")
        // A script does not confirm a rate far above the node's.
        let unseen = try wallet.fueki.run(wallet.order("1btc", wallet.options(node), ["--fee-rate", "50"]))
        #expect(unseen.status == 2 && unseen.errors.contains("5 times what the node expects"), "\(unseen.errors)")
        #expect(try wallet.history().isEmpty)
        #expect(try wallet.balance(node).total == before)
        // Nor one that is large against the payment, even if the node expects it: only the person's consent allows it.
        let sly = try LyingNode.before(
            node.rpc().port, ["estimatesmartfee": .result(#"{"feerate":0.001,"blocks":2}"#)])
        let large = try wallet.fueki.run(wallet.order("20000sat", wallet.options(sly, before: node)))
        #expect(large.status == 2 && large.errors.contains("add --accept large_fee"), "\(large.errors)")
        #expect(try wallet.history().isEmpty)
        let named = try wallet.fueki.run(
            wallet.order("20000sat", wallet.options(sly, before: node), ["--max-fee", "20000sat"]))
        #expect(named.isSuccess, "\(named.errors)")
    }

    @Test(
        "a node that does not take it, or does not say whether it did: it is signed and not sent; ordered again, the same bytes go"
    )
    func undelivered() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: (0..<3).map { try wallet.address($0).script_pubkey })
        let dead = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .dead])
        let unknown = try wallet.fueki.run(wallet.order("1btc", wallet.options(dead, before: node), ["--json"]))
        try wallet.expectUnavailable(unknown, "outcome_unknown")
        #expect(unknown.errors.contains("give the same order again"))
        let failed = try JSONDecoder().decode(SignedFailure.self, from: Data(unknown.errors.utf8))
        let signed = try #require(wallet.history(options).last)
        #expect(signed.state == "unanswered")
        #expect(failed.id == signed.id && failed.intent.digest.utf8.count == 64)

        let no = #"[{"txid":"\#(signed.id ?? "")","allowed":false,"reject-reason":"min relay fee not met"}]"#
        let refusing = try LyingNode.before(node.rpc().port, ["testmempoolaccept": .result(no)])
        let refused = try wallet.fueki.run(wallet.order("1btc", wallet.options(refusing, before: node), ["--json"]))
        try wallet.expectUnavailable(refused, "not_accepted")
        #expect(!refusing.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("sendraw") })
        #expect(refused.errors.contains("fueki cancel"), "\(refused.errors)")
        // Not within this order's limits.
        let digest = String(repeating: "00", count: 32)
        for more in [["--max-fee", "1sat"], ["--expect", digest]] {
            let other = try wallet.fueki.run(
                wallet.order("1btc", options, ["--json"] + more).filter { $0 != "--yes" || more[0] != "--expect" })
            #expect(other.status == 2 && other.errors.contains("earlier_payment"), "\(other.errors)")
        }
        // An additional payment may be mined beside it: a script does not order that.
        let further = try wallet.fueki.run(wallet.order("1btc", options, ["--again"]))
        #expect(further.status == 2 && further.errors.contains("is on its way already"), "\(further.errors)")

        // The answer is lost, and the node has the transaction.
        let lossy = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .lost])
        let sent = try wallet.fueki.json(
            wallet.order("1btc", wallet.options(lossy, before: node)), as: SentBitcoin.self)
        #expect((sent.txid, sent.state) == (signed.id, "sent"))
        try node.mineBlocks(1, to: "51")
        #expect(try wallet.history(options).map(\.state) == ["mined"])
        // Paid and mined, the same order is another payment.
        let again = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        #expect(again.txid != sent.txid)

        // The node has it, but the answer is lost: ordered again when it is mined, it is not paid twice either.
        let mute = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .lost, "getmempoolentry": .page])
        let unheard = try wallet.fueki.run(wallet.order("2btc", wallet.options(mute, before: node), ["--json"]))
        try wallet.expectUnavailable(unheard, "outcome_unknown")
        try node.mineBlocks(1, to: "51")
        let mined = try wallet.fueki.json(wallet.order("2btc", options), as: SentBitcoin.self)
        #expect(mined.state == "mined" && mined.earlier)
        #expect(try wallet.history().map(\.state) == ["mined", "sent", "mined"])
    }

    @Test(
        "what was sent is not ordered again unseen: neither after a wait that failed, nor without one; once it is mined, it is another payment"
    )
    func repeated() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: (0..<3).map { try wallet.address($0).script_pubkey })
        let closed = try LyingNode.before(node.rpc().port, ["getmempoolentry": .unauthorised])
        let unseen = try wallet.fueki.run(
            wallet.order("1btc", wallet.options(closed, before: node), ["--wait", "--json"]))
        try wallet.expectUnavailable(unseen, "sent_not_seen")
        let sent = try #require(wallet.history().last)
        #expect(sent.state == "sent" && unseen.errors.contains("transaction \(sent.id ?? "") was sent"))
        // The order that ended without a result gets its outcome reported, once.
        let told = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        #expect(told.earlier && told.txid == sent.id)
        let repeated = try wallet.fueki.run(wallet.order("1btc", options, ["--json"]))
        #expect(repeated.status == 2 && repeated.errors.contains("needs_confirmation"), "\(repeated.errors)")
        #expect(try wallet.history().count == 1)
        try node.mineBlocks(1, to: "51")
        let other = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        #expect(other.txid != sent.id)
    }

    @Test("a payment can be mined even if the book is gone")
    func lostBook() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let book = "\(wallet.folder)/home/wallets/\(wallet.name)/book.vault"
        let fake = try LyingNode.before(
            node.rpc().port,
            ["getmempoolentry": .minesAfter { try? FileManager.default.removeItem(atPath: book) }])
        let outcome = try wallet.fueki.run(
            wallet.order("1btc", wallet.options(fake, before: node), ["--wait"]))
        #expect(outcome.status == 0 && outcome.output.contains("is mined, in block"), "\(outcome.output)")
        #expect(outcome.errors.contains("the wallet's book does not know it"), "\(outcome.errors)")
    }

    @Test("a transaction signed in a PSBT file and never sent is not the payment that an order means")
    func signedElsewhere() throws {
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.writePayment()
        let signed = try wallet.fueki.run(
            ["psbt", "sign", wallet.name, "payment.psbt", "-o", "signed.psbt"] + TestWallet.unasked)
        #expect(signed.status == 0, "\(signed.errors)")
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let sent = try wallet.fueki.json(wallet.order("12.345btc", wallet.options(node)), as: SentBitcoin.self)
        #expect(sent.state == "sent" && !sent.earlier)
        #expect(try wallet.history().map(\.state) == ["signed", "sent"])
    }

    @Test(
        "what is wrong with an order is said before a node or a passphrase is asked for, and too little is said with how much"
    )
    func orders() throws {
        let wallet = try TestWallet()
        let node = ["--node", "http://127.0.0.1:1"]
        for (arguments, status, words) in [
            (["--to", Bob.address, "--amount", "1"], 64, "--amount takes an amount with its unit"),
            (["--to", Bob.address, "--amount", "1eth"], 64, "--amount is in another coin"),
            (["--to", Bob.address, "--amount", "21000001btc"], 64, "exceeds the supply of bitcoin"),
            (["--to", Bob.address, "--amount", "1btc", "--fee-rate", "0"], 64, "--fee-rate takes satoshi"),
            (["--to", Bob.address, "--amount", "1btc", "--fee-rate", "1.2345"], 64, "--fee-rate takes satoshi"),
            (["--to", Bob.address, "--amount", "1btc", "--max-fee", "1"], 64, "--max-fee takes an amount"),
            (["--to", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "--amount", "1btc"], 65, "network: mainnet"),
            (["--to", EthereumBench.bob, "--amount", "1btc"], 65, "add --chain ethereum"),
            (["--to", Bob.address.dropLast() + "q", "--amount", "1btc"], 65, "this address is mistyped"),
        ] as [([String], Int32, String)] {
            let outcome = try wallet.fueki.run(["send", wallet.name] + arguments + node + TestWallet.unasked)
            #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        let real = try Node()
        let options = try wallet.options(real)
        let nobody = try wallet.fueki.run(
            ["send", wallet.name, "--to", "alice", "--amount", "1btc"] + options + TestWallet.unasked)
        #expect(nobody.status == 65 && nobody.errors.contains("'alice' is neither an address nor a contact"))
        let poor = try wallet.fueki.run(wallet.order("1btc", options))
        #expect(poor.status == 2 && poor.errors.contains("1.00000"), "\(poor.errors)")
        _ = try real.fund(scriptPubKey: wallet.address().script_pubkey)
        let dust = try wallet.fueki.run(wallet.order("10sat", options))
        #expect(dust.status == 2 && dust.errors.contains("would get less than"), "\(dust.errors)")
        let own = try wallet.fueki.run(
            ["send", wallet.name, "--to", wallet.address(4).address, "--amount", "1btc"] + options + TestWallet.unasked)
        #expect(own.status == 2 && own.errors.contains("is this wallet itself"), "\(own.errors)")
        #expect(try wallet.history().isEmpty)
    }

    @Test(
        "an address for change that was used is not used again, though its coin is spent and the node shows nothing of it"
    )
    func freshChange() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        // One of them has a coin, of which this machine has no history.
        let addresses = [try wallet.address(), try wallet.address(4, change: true)]
        for round in 0..<2 {
            _ = try node.fund(scriptPubKeys: addresses.prefix(2 - round).map(\.script_pubkey))
            let sent = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
            let change = try wallet.address(5 + round, change: true).script_pubkey
            #expect(try node.waiting(sent.txid).paid.map(\.scriptPubKey).contains(change), "\(round)")
            try node.mineBlocks(1, to: "51")
            _ = try wallet.fueki.json(wallet.order("all", options), as: SentBitcoin.self)
            try node.mineBlocks(1, to: "51")
        }
    }

    @Test(
        "a payment of unknown outcome is made anew where its coin is spent, not where a node does not know the coin")
    func spentElsewhere() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let dead = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .dead])
        #expect(try wallet.fueki.run(wallet.order("1btc", wallet.options(dead, before: node))).status == 69)
        let unsent = try #require(wallet.history().last?.id)
        // The other machine has no such book.
        let folder = "\(wallet.folder)/home/wallets/\(wallet.name)"
        let book = ["book.vault", "book.seen"]
        for name in book {
            try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/\(name).a")
        }
        _ = try wallet.fueki.json(wallet.order("3btc", options), as: SentBitcoin.self)
        try node.mineBlocks(1, to: "51")
        for name in book {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            try FileManager.default.moveItem(atPath: "\(folder)/\(name).a", toPath: "\(folder)/\(name)")
        }
        // Spent, or not seen yet: the answer does not tell.
        let behind = try LyingNode.before(
            node.rpc().port, ["getrawtransaction": .unknown, "gettxout": .result("null")])
        let unclear = try wallet.fueki.run(wallet.order("1btc", wallet.options(behind, before: node), ["--json"]))
        #expect(unclear.status == 2 && unclear.errors.contains("earlier_payment_unclear"), "\(unclear.errors)")
        #expect(try wallet.history().map(\.state) == ["unanswered"])
        // The claim that another transaction has spent its coin is the node's: it needs consent.
        let asked = try wallet.fueki.run(wallet.order("1btc", options, ["--json"]))
        #expect(asked.status == 2 && asked.errors.contains("transaction has spent its coins"), "\(asked.errors)")
        let sent = try wallet.fueki.json(
            wallet.order("1btc", options, ["--accept", "repeated"]), as: SentBitcoin.self)
        #expect(sent.state == "sent" && sent.txid != unsent)
    }

    @Test(
        "on a terminal it asks for the passphrase, shows who gets what and at which fee, and asks; a no sends nothing")
    func confirmed() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let order = try ["send", wallet.name, "--to", Bob.address, "--amount", "1.23btc"] + wallet.options(node)
        for answer in ["n", "y"] {
            let session = try wallet.fueki.converse(
                order, answers: [("Passphrase: ", "correct horse battery staple"), ("[y/N] ", answer)])
            let asked = try #require(session.screen.range(of: "Sign this?"), "\(session.screen)")
            let shown = session.screen[..<asked.lowerBound]
            #expect(shown.contains("1.23000000 BTC") && shown.contains(Bob.address) && shown.contains("fee"))
            #expect(session.exit == (answer == "y" ? 0 : 2), "\(session.screen)")
            #expect(try wallet.history().map(\.state) == (answer == "y" ? ["sent"] : []))
        }
    }

    @Test("--expect sends only the transaction that was shown with that digest")
    func expected() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let order = ["send", wallet.name, "--to", Bob.address, "--amount", "2btc"] + options
        let file = ["--passphrase-file", "passphrase"]
        let shown = try wallet.fueki.run(order + file + ["--expect", String(repeating: "00", count: 32)])
        #expect(shown.status == 2, "\(shown.errors)")
        let digest = try #require(
            shown.errors.split(separator: "\n").first { $0.hasPrefix("  digest") }?.split(separator: " ").last)
        let other = try wallet.fueki.run(
            ["send", wallet.name, "--to", Bob.address, "--amount", "3btc"] + options + file + ["--expect", "\(digest)"])
        #expect(other.status == 2)
        #expect(try wallet.history().isEmpty)
        let sent = try wallet.fueki.json(order + file + ["--expect", "\(digest)"], as: SentBitcoin.self)
        #expect(sent.state == "sent")
    }
}
