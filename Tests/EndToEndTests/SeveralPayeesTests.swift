import Foundation
import TestSupport
import Testing

/// `fueki send --to A=AMOUNT --to B=AMOUNT` on Bitcoin: one transaction pays all of them, or none is paid.
@Suite(
    "Paying several on Bitcoin",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct SeveralPayeesTests {
    /// Another payee beside ``Bob``: another wallet's first address.
    private static func carol() throws -> TestWallet.Address { try TestWallet(named: "carol").address() }

    private func order(_ wallet: borrowing TestWallet, _ payees: [String], _ more: [String]) -> [String] {
        ["send", wallet.name] + payees.flatMap { ["--to", $0] } + TestWallet.unasked + more
    }

    @Test("one transaction pays each payee the given amount, is mined, and the history shows both")
    func both() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let carol = try Self.carol()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: (0..<2).map { try wallet.address($0).script_pubkey })
        let added = try wallet.fueki.run(
            "contact", "add", wallet.name, "carol", carol.address, "--passphrase-file", "passphrase")
        #expect(added.isSuccess, "\(added.errors)")
        let sent = try wallet.fueki.json(
            order(wallet, ["\(Bob.address)=1btc", "carol=0.25btc"], options), as: SentBitcoin.self)
        let (_, spent, paid) = try node.waiting(sent.txid)
        #expect(paid.contains(.init(value: 100_000_000, scriptPubKey: Bob.scriptPubKey)))
        #expect(paid.contains(.init(value: 25_000_000, scriptPubKey: carol.script_pubkey)))
        let (all, fee) = (spent.map(\.value).reduce(0, +), try #require(sent.fee))
        #expect(paid.count == 3 && paid.map(\.value).reduce(0, +) == all - fee)
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [100_000_000])
        #expect(try node.amounts(paidTo: carol.script_pubkey) == [25_000_000])
        let line = try #require(wallet.history(options).last)
        #expect((line.state, line.id) == ("mined", sent.txid))
        #expect(
            Set(line.effects.map { "\($0.to ?? "") \($0.amount ?? "")" })
                == ["\(Bob.address) 100000000", "\(carol.address) 25000000"])
        let text = try wallet.fueki.run("history", wallet.name, "--passphrase-file", "passphrase").output
        for words in ["1.00000000 BTC to \(Bob.address)", "0.25000000 BTC to \(carol.address) (carol)"] {
            #expect(text.contains("payment \(words)"), "\(text)")
        }
    }

    @Test("a payment request is paid to the satoshi, and its text is shown as foreign, unable to rewrite the screen")
    func request() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKeys: [try wallet.address().script_pubkey])
        let asked = "bitcoin:\(Bob.address.uppercased())?amount=0.12345678&label=Shop%E2%80%AE%1B[2J"
        let sent = try wallet.fueki.json(order(wallet, [asked], try wallet.options(node)), as: SentBitcoin.self)
        #expect(try node.waiting(sent.txid).paid.contains(.init(value: 12_345_678, scriptPubKey: Bob.scriptPubKey)))
        let told = try wallet.fueki.run(order(wallet, [asked], try wallet.options(node) + ["--dry-run"]))
        #expect(
            told.errors.contains("the payment request says: 'Shop<U+202E><U+001B>[2J'"), "\(told.errors)")
    }

    @Test("another order of the payees is the same payment for a payment key, and another amount is a different one")
    func key() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let carol = try Self.carol().address
        let options = try wallet.options(node) + ["--once", "bill-7"]
        _ = try node.fund(scriptPubKeys: (0..<2).map { try wallet.address($0).script_pubkey })
        let (one, other) = ("\(Bob.address)=1btc", "\(carol)=0.25btc")
        let sent = try wallet.fueki.json(order(wallet, [one, other], options), as: SentBitcoin.self)
        let again = try wallet.fueki.json(order(wallet, [other, one], options), as: SentBitcoin.self)
        #expect(again.earlier && again.txid == sent.txid)
        let changed = try wallet.fueki.run(order(wallet, [one, "\(carol)=0.26btc"], options + ["--json"]))
        #expect(!changed.isSuccess && changed.errors.contains("bill-7"), "\(changed.errors)")
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [100_000_000])
    }

    @Test("a repeated or unpayable payee leaves all of them unpaid, and nothing is signed")
    func none() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let carol = try Self.carol().address
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let added = try wallet.fueki.run(
            "contact", "add", wallet.name, "bob", Bob.address, "--passphrase-file", "passphrase")
        #expect(added.isSuccess, "\(added.errors)")
        let good = "\(Bob.address)=1btc"
        for (payees, status, words) in [
            ([good, "\(Bob.address)=2btc"], 64, "is paid twice"), ([good, "bob=2btc"], 64, "is paid twice"),
            ([good, Bob.address], 64, "has no amount"), ([good, "\(carol)="], 64, "has no amount"),
            ([good, "nobody=1btc"], nil, "nobody"), ([good, "\(carol)=x"], 64, "--amount"),
            ([good, "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr=1btc"], nil, "regtest"),
            // Below the relay minimum; zero; more than the balance, together.
            ([good, "\(carol)=1sat"], 2, ""), ([good, "\(carol)=0btc"], nil, ""), ([good, "\(carol)=49.5btc"], 2, ""),
            (["\(Bob.address)=all", "\(carol)=all"], 2, ""),
        ] as [([String], Int32?, String)] {
            let refused = try wallet.fueki.run(order(wallet, payees, options))
            #expect(!refused.isSuccess && refused.output.isEmpty, "\(payees)")
            #expect(status == nil || refused.status == status, "\(payees) \(refused.status) \(refused.errors)")
            #expect(words.isEmpty || refused.errors.contains(words), "\(payees) \(refused.errors)")
        }
        let single = try wallet.fueki.run(order(wallet, [Bob.address, carol], options + ["--amount", "1btc"]))
        #expect(single.status == 64 && single.errors.contains("--amount is for one payee"), "\(single.errors)")
        #expect(try wallet.history().isEmpty)
        #expect(try node.ask("getrawmempool").matches(of: /[0-9a-f]{64}/).isEmpty)
    }

    @Test("the policy sees the sum and each payee: one that is not on the list leaves all of them unpaid")
    func policy() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let carol = try Self.carol().address
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        try wallet.fueki.folder.write(
            """
            {"version":1,"rules":[{"name":"few","if":{"to":["\(Bob.address)","\(carol)"],
              "at_most":"2 BTC@bitcoin:regtest"},"then":"allow"}]}
            """, to: "policy.json")
        let set = try wallet.fueki.run(["policy", "set", wallet.name, "policy.json"] + TestWallet.unasked)
        #expect(set.isSuccess, "\(set.errors)")
        let dave = try TestWallet(named: "dave").address().address
        for payees in [["\(Bob.address)=1btc", "\(carol)=1btc"], ["\(Bob.address)=1btc", "\(dave)=0.1btc"]] {
            let denied = try wallet.fueki.run(order(wallet, payees, options))
            #expect(denied.status == 2 && denied.errors.contains("no rule"), "\(denied.errors)")
        }
        #expect(try wallet.history().isEmpty)
        let allowed = try wallet.fueki.run(order(wallet, ["\(Bob.address)=1btc", "\(carol)=0.9btc"], options))
        #expect(allowed.isSuccess, "\(allowed.errors)")
    }
}
