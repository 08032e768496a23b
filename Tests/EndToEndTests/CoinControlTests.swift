internal import Foundation
import TestSupport
import Testing

/// The result of `fueki coins list --json`.
private struct CoinList: Decodable {
    struct Entry: Decodable {
        let coin: String
        @SmallestUnit var amount: Int64
        let confirmations: Int
        let path: String
        let frozen: Bool
        let dust: Bool
    }
    let coins: [Entry]
    let frozen_elsewhere: [String]
}

@Suite(
    "Coins that a person chooses",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct CoinControlTests {
    private func coins(_ wallet: borrowing TestWallet, _ node: [String]) throws -> CoinList {
        try wallet.fueki.json(["coins", "list", wallet.name, "--passphrase-file", "passphrase"] + node)
    }

    @Test(
        "coins are listed, put aside, named for a payment and joined; what is put aside is spent by nothing until it is given back"
    )
    func control() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        let large = try (0..<3).map { try wallet.address($0).script_pubkey }
        _ = try node.fund(scriptPubKeys: large)
        let small = try wallet.address(3).script_pubkey
        try node.scatter(10_000, to: Array(repeating: small, count: 6), perTransaction: 6)
        try node.scatter(20, to: [small], perTransaction: 6)

        let listed = try coins(wallet, options).coins
        #expect(listed.map(\.amount) == listed.map(\.amount).sorted(by: >) && listed.count == 10)
        #expect(listed.filter(\.dust).map(\.amount) == [20] && !listed.contains(where: \.frozen))
        #expect(Set(listed.map(\.path)) == ["m/0/0", "m/0/1", "m/0/2", "m/0/3"])
        let (aside, chosen) = (listed[0].coin, listed[1].coin)
        let smallest = listed.filter { $0.amount == 10_000 }.map(\.coin)

        func freezing(_ name: String, _ coins: [String]) throws -> Program.Outcome {
            try wallet.fueki.run(["coins", name, wallet.name] + coins + ["--passphrase-file", "passphrase", "--json"])
        }
        let foreign = String(repeating: "5a", count: 32) + ":7"
        #expect(try freezing("freeze", [aside, smallest[0], foreign]).isSuccess)
        #expect(try freezing("freeze", ["5a:1"]).status == 64)
        #expect(try freezing("unfreeze", [chosen]).errors.contains("\"not_frozen\""))
        let shown = try coins(wallet, options)
        #expect(Set(shown.coins.filter(\.frozen).map(\.coin)) == [aside, smallest[0]])
        #expect(shown.frozen_elsewhere == [foreign])
        let text = try wallet.fueki.run(
            ["coins", "list", wallet.name, "--passphrase-file", "passphrase"] + options
        ).output
        #expect(text.contains("50.00000000 BTC, taproot m/0/") && text.contains(", frozen\n  \(aside)"), "\(text)")

        // Two of the large coins are left.
        let short = try wallet.fueki.run(wallet.order("120btc", options))
        #expect(short.status == 2 && short.errors.contains("is frozen"), "\(short.errors)")
        for (coin, name) in [(aside, "coin_frozen"), (foreign, "coin_frozen")] {
            let refused = try wallet.fueki.run(wallet.order("1btc", options, ["--coin", coin, "--json"]))
            #expect(refused.status == 2 && refused.errors.contains("\"\(name)\""), "\(refused.errors)")
        }
        let unknown = try wallet.fueki.run(
            wallet.order("1btc", options, ["--coin", String(repeating: "5b", count: 32) + ":0", "--json"]))
        #expect(unknown.status == 2 && unknown.errors.contains("\"no_such_coin\""), "\(unknown.errors)")
        let poor = try wallet.fueki.run(wallet.order("60btc", options, ["--coin", chosen]))
        #expect(poor.status == 2, "only the named coin is spent: \(poor.errors)")

        let named = [chosen, smallest[1]]
        let sent = try wallet.fueki.json(
            wallet.order("1btc", options, named.flatMap { ["--coin", $0] }), as: SentBitcoin.self)
        let payment = try node.waiting(sent.txid)
        #expect(Set(payment.spent.map { "\($0.txid):\($0.vout)" }) == Set(named))
        try node.mineBlocks(1, to: "51")

        let joining = ["coins", "consolidate", wallet.name, "--most", "4"] + options + TestWallet.unasked
        let joined = try wallet.fueki.json(joining, as: SentBitcoin.self)
        let one = try node.waiting(joined.txid)
        #expect(Set(one.spent.map { "\($0.txid):\($0.vout)" }) == Set(smallest[2...]))
        #expect(one.paid.count == 1)
        let change = try (0..<4).map { try wallet.address($0, change: true).script_pubkey }
        #expect(one.paid.map(\.scriptPubKey).allSatisfy(change.contains))
        #expect(!payment.paid.map(\.scriptPubKey).contains(one.paid[0].scriptPubKey))
        let dear = try wallet.fueki.run(joining + ["--max-fee", "1sat", "--json"])
        #expect(dear.status == 2 && dear.errors.contains("fee_above_ceiling"), "\(dear.errors)")

        #expect(try freezing("unfreeze", [aside, smallest[0], foreign]).isSuccess)
        #expect(try !coins(wallet, options).coins.contains(where: \.frozen))
    }

    @Test("a coin at an index beyond the search is found, counted and spent if the index is named")
    func farIndex() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        let far = try wallet.address(1_000_000, change: true, type: "segwit")
        let coin = try node.fund(scriptPubKey: far.script_pubkey)
        let range = ["--index-range", "999990-1000001"]
        #expect(try wallet.balance(node).total.confirmed == 0)
        let found = try wallet.fueki.json(["balance", wallet.name] + options + range, as: BitcoinBalance.self)
        #expect(found.segwit.confirmed == coin.value)
        let listed: CoinList = try coins(wallet, options + range)
        #expect(listed.coins.map(\.path) == ["m/1/1000000"])
        let sent = try wallet.fueki.json(wallet.order("49btc", options, range), as: SentBitcoin.self)
        let payment = try node.waiting(sent.txid)
        #expect(payment.spent.map(\.txid) == [coin.txid])
        // The change goes to an address within the search.
        #expect(
            try payment.paid.map(\.scriptPubKey).contains(wallet.address(0, change: true, type: "segwit").script_pubkey)
        )
        for (more, words) in [
            (["--index-range", "5-4"], "--index-range takes two indices"), (["--index-range", "x"], "takes two"),
            (["--index-range", "1-2147483648"], "takes two indices"), (["--index-range", "-1-2"], "index-range"),
            (["--index-range", "0-20000"], "at most 20000"), (["--gap", "0"], "--gap is 1 to 1000"),
        ] {
            let outcome = try wallet.fueki.run(["balance", wallet.name] + options + more)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }
}
