internal import Foundation
import TestSupport
import Testing

/// The result of `fueki balance --json` on Bitcoin.
struct BitcoinBalance: Decodable {
    struct Part: Decodable, Equatable {
        @SmallestUnit var confirmed: Int64
        @SmallestUnit var waiting: Int64
        @SmallestUnit var immature: Int64
    }
    let wallet: String
    let chain: String
    let height: Int
    let taproot: Part
    let segwit: Part
    let total: Part
    struct Unseen: Decodable {
        let count: Int
        @SmallestUnit var amount: Int64
        let crowded: [String]
    }
    let not_looked_at: Unseen?
}

extension TestWallet {
    /// The options that name a node of this machine.
    func options(_ node: borrowing Node) throws -> [String] {
        let (port, cookieFile) = try node.rpc()
        return ["--node", "http://127.0.0.1:\(port)", "--cookie-file", cookieFile]
            + ["--node-timeout", "\(Patience.seconds)"]
    }

    /// - Parameter lies: the false answers; with a silent one among them, the time limit is a second.
    func options(
        _ fake: FakeNode, before node: borrowing Node, telling lies: [String: LyingNode.Lie] = [:]
    ) throws -> [String] {
        let seconds = lies.values.contains(where: \.isSilent) ? 1 : Patience.seconds
        return ["--node", fake.url, "--cookie-file", try node.rpc().cookieFile, "--node-timeout", "\(seconds)"]
    }

    borrowing func balance(_ node: borrowing Node) throws -> BitcoinBalance {
        try fueki.json(["balance", name] + options(node))
    }
}

@Suite(
    "The balance on Bitcoin",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct BitcoinBalanceTests {
    /// The hash of Bitcoin's first block.
    private static let mainnet = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"

    @Test(
        "coins of both accounts, at receive and change addresses, are counted; new ones are told apart; no passphrase is asked for"
    )
    func balance() throws {
        let node = try Node()
        let wallet = try TestWallet()
        #expect(try wallet.balance(node).total == .init(confirmed: 0, waiting: 0, immature: 0))
        let addresses = [
            try wallet.address(0), try wallet.address(199), try wallet.address(3, change: true),
            try wallet.address(7, type: "segwit"), try wallet.address(9, change: true, type: "segwit"),
        ]
        let coins = try node.fund(scriptPubKeys: addresses.map(\.script_pubkey)).map(\.coin)
        try node.mineBlocks(1, to: addresses[3].script_pubkey)
        // Beyond the search.
        try node.mineBlocks(1, to: wallet.address(200).script_pubkey)
        // As on a machine that has shown none of these addresses.
        try FileManager.default.removeItem(atPath: "\(wallet.folder)/home/wallets/savings/shown.json")
        let balance = try wallet.balance(node)
        let (taproot, segwit) = (coins[..<3].reduce(0) { $0 + $1.value }, coins[3...].reduce(0) { $0 + $1.value })
        #expect(balance.taproot == .init(confirmed: taproot, waiting: 0, immature: 0))
        #expect(balance.segwit == .init(confirmed: segwit, waiting: 0, immature: coins[0].value))
        #expect(balance.total == .init(confirmed: taproot + segwit, waiting: 0, immature: coins[0].value))
        #expect((balance.wallet, balance.chain, balance.height) == ("savings", "bitcoin:regtest", 107))
        let further = try wallet.fueki.json(
            ["balance", wallet.name, "--addresses", "201"] + wallet.options(node), as: BitcoinBalance.self)
        #expect(further.taproot.immature == coins[0].value)

        let text = try wallet.fueki.run(["balance", wallet.name] + wallet.options(node)).output
        #expect(text.contains("at block 107"))
        #expect(text.contains("total    250.00000000 BTC  0.00000000 BTC    50.00000000 BTC"), "\(text)")
    }

    @Test(
        "an address that was paid 2,001 times locks nobody out: the most valuable coins count, the rest is told, and it can be spent"
    )
    func dusted() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let coin = try node.fund(scriptPubKey: wallet.address(1).script_pubkey)
        try node.scatter(1_000, to: Array(repeating: wallet.address().script_pubkey, count: 2_001), perTransaction: 700)
        let balance = try wallet.balance(node)
        #expect(balance.total.confirmed == coin.value + 1_999 * 1_000)
        #expect(balance.not_looked_at?.count == 2 && balance.not_looked_at?.amount == 2_000)
        let text = try wallet.fueki.run(["balance", wallet.name] + wallet.options(node))
        #expect(text.errors.contains("2 smaller ones, worth 0.00002 BTC together, are not"), "\(text.errors)")
        let sent = try wallet.fueki.json(wallet.order("49btc", wallet.options(node)), as: SentBitcoin.self)
        #expect(try node.waiting(sent.txid).spent.contains { $0.txid == coin.txid })
    }

    // One false answer for each error that BitcoinLieTests and BitcoinSendingTests cover.
    @Test("a node that lies, is late, or is on another chain causes a named error, and exit code 69")
    func lies() throws {
        let node = try Node()
        let port = try node.rpc().port
        let wallet = try TestWallet()
        for (lies, name) in [
            (["getblockcount": .silent], "node_unreachable"),
            (["scantxoutset": .result(#"{"success":true,"height":1,"unspents":[{"txid":"00"}]}"#)], "bad_answer"),
            (["getblockhash": .result(#""\#(Self.mainnet)""#)], "wrong_chain"),
        ] as [([String: LyingNode.Lie], String)] {
            let fake = try LyingNode.before(port, lies)
            try wallet.expectUnavailable(
                wallet.fueki.run(
                    ["balance", wallet.name, "--json"] + wallet.options(fake, before: node, telling: lies)), name)
        }
        let dead = try DeadPort()
        try wallet.expectUnavailable(
            wallet.fueki.run("balance", wallet.name, "--json", "--node", "http://127.0.0.1:\(dead.number)"),
            "node_unreachable")
        try wallet.expectUnavailable(
            wallet.fueki.run("balance", wallet.name, "--json", "--node", "http://127.0.0.1:\(port)"),
            "node_unauthorised")
        let other = try TestWallet(network: "signet")
        try other.expectUnavailable(
            other.fueki.run(["balance", other.name, "--json"] + other.options(node)), "wrong_chain")
        for (arguments, words) in [
            ([], "no node is named"), (["--node", "127.0.0.1"], "this is not the address of a node"),
            (["--node", "http://a:b@node.example"], "the password would go through the network unprotected"),
            (["--addresses", "0"], "--addresses is 1 to 20000"),
        ] {
            let outcome = try wallet.fueki.run(["balance", wallet.name] + arguments)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        let absent = try wallet.fueki.run(
            "balance", wallet.name, "--node", "http://127.0.0.1:1", "--cookie-file", "absent")
        #expect(absent.status == 66 && absent.errors.contains("absent: the cookie file does not exist"))
    }
}

extension TestWallet {
    /// Expects an error of a node with this name.
    func expectUnavailable(
        _ outcome: Program.Outcome, _ name: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(outcome.status == 69, "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.output.isEmpty, sourceLocation: location)
        #expect(outcome.errors.contains(#""code" : "\#(name)""#), "\(outcome.errors)", sourceLocation: location)
    }
}
