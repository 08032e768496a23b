internal import Foundation
import TestSupport
import Testing

/// An explorer with Esplora's interface that has a real node's data, and knows which addresses were used.
private struct Explorer {
    let server: FakeNode

    /// - Parameter used: scripts by address.
    init(of node: borrowing Node, used: [String: String]) throws {
        let program = "\(node.path)/node/rpc"
        server = try FakeNode { request in
            let words = request.head.split(separator: " ")
            let path = words.count > 1 ? words[1].split(separator: "/").map(String.init) : []
            func ask(_ arguments: String...) throws -> String {
                try Program.output(program, arguments).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            do {
                switch (path.first, path.last, path.count) {
                case ("block-height", _, 2): return FakeNode.http(try ask("getblockhash", "0"))
                case ("blocks", "height", _): return FakeNode.http(try ask("getblockcount"))
                case ("fee-estimates", _, _): return FakeNode.http(#"{"2":3,"6":2,"144":1}"#)
                case ("address", _, 2):
                    let count = used[path[1]] == nil ? 0 : 1
                    return FakeNode.http(
                        #"{"chain_stats":{"tx_count":\#(count)},"mempool_stats":{"tx_count":0}}"#)
                case ("address", "utxo", _):
                    return FakeNode.http(
                        try Self.coins(try ask("scantxoutset", "start", #"["raw(\#(used[path[1]] ?? ""))"]"#)))
                case ("tx", "hex", _): return FakeNode.http(try ask("getrawtransaction", path[1]))
                case ("tx", "status", _): return FakeNode.http(#"{"confirmed":false}"#)
                case ("tx", _, 1):
                    return FakeNode.http(try ask("sendrawtransaction", String(decoding: request.body, as: UTF8.self)))
                default: return FakeNode.http("", status: "404 Not Found")
                }
            } catch {
                return FakeNode.http("", status: "404 Not Found")
            }
        }
    }

    private struct Scan: Decodable {
        struct Coin: Decodable {
            let txid: String
            let vout: Int
            let amount: Decimal
            let height: Int
        }
        let unspents: [Coin]
    }

    private static func coins(_ scan: String) throws -> String {
        let coins = try JSONDecoder().decode(Scan.self, from: Data(scan.utf8)).unspents.map {
            #"{"txid":"\#($0.txid)","vout":\#($0.vout),"value":\#($0.amount * 100_000_000),"#
                + #""status":{"confirmed":true,"block_height":\#($0.height)}}"#
        }
        return "[\(coins.joined(separator: ","))]"
    }
}

@Suite(
    "An explorer in place of a node",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct BitcoinExplorerTests {
    @Test(
        "addresses are asked for until twenty in a row were never used; what was found is sent, with fresh change; a node mines it"
    )
    func explorer() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let addresses = try [0, 19, 38].map { try wallet.address($0) } + [wallet.address(21, type: "segwit")]
        let coins = try node.fund(scriptPubKeys: addresses.map(\.script_pubkey)).map(\.coin)
        // Used, and spent since.
        let change = try wallet.address(0, change: true)
        let explorer = try Explorer(
            of: node,
            used: Dictionary(uniqueKeysWithValues: (addresses + [change]).map { ($0.address, $0.script_pubkey) }))
        let options = ["--node", explorer.server.url, "--esplora"]
        // As on a machine that has shown none of these addresses.
        let memory = "\(wallet.folder)/home/wallets/savings/shown.json"
        try FileManager.default.removeItem(atPath: memory)
        let balance = try wallet.fueki.json(["balance", wallet.name] + options, as: BitcoinBalance.self)
        // After twenty unused addresses the search ends: that segwit coin is not found.
        #expect(balance.total == .init(confirmed: coins[..<3].reduce(0) { $0 + $1.value }, waiting: 0, immature: 0))
        let asked = explorer.server.requests.filter { $0.head.contains("/address/") && !$0.head.contains("/utxo") }
        #expect(asked.count == 60 + 40 + 20 + 20)
        // It is found with a wider gap, if its index is named, and if this machine has shown it.
        let all = coins.reduce(0) { $0 + $1.value }
        for more in [["--gap", "30"], ["--addresses", "39"], ["--index-range", "21-21"]] {
            let further = try wallet.fueki.json(["balance", wallet.name] + options + more, as: BitcoinBalance.self)
            #expect(further.total.confirmed == all, "\(more)")
        }
        _ = try wallet.address(21, type: "segwit")
        #expect(
            try wallet.fueki.json(["balance", wallet.name] + options, as: BitcoinBalance.self).total.confirmed == all)
        try FileManager.default.removeItem(atPath: memory)
        // The next address that was neither shown nor paid.
        _ = try wallet.address(1)
        struct Shown: Decodable {
            let path: String
            let used: Bool?
            let shown_before: Bool
        }
        let new = try wallet.fueki.json(["address", wallet.name, "--new"] + options, as: Shown.self)
        #expect(new.path == "m/0/2" && new.used == false && !new.shown_before)
        let old = try wallet.fueki.json(["address", wallet.name, "--index", "19"] + options, as: Shown.self)
        #expect(old.used == true && !old.shown_before)
        try FileManager.default.removeItem(atPath: memory)

        let sent = try wallet.fueki.json(wallet.order("120btc", options, ["--fee", "high"]), as: SentBitcoin.self)
        let transaction = try node.waiting(sent.txid)
        #expect(transaction.paid.map(\.scriptPubKey).contains(try wallet.address(1, change: true).script_pubkey))
        #expect(!transaction.paid.map(\.scriptPubKey).contains(change.script_pubkey))
        try node.mineBlocks(1, to: "51")
        #expect(try wallet.history(wallet.options(node)).map(\.state) == ["mined"])

        let other = try TestWallet(network: "mainnet")
        try other.expectUnavailable(
            other.fueki.run(["balance", other.name, "--json"] + options), "wrong_chain")
    }

    @Test(
        "an explorer that says of every address that it was paid gets no address far behind those that were shown, and an advice"
    )
    func lyingAboutPaid() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let genesis = try node.ask("getblockhash", "0").trimmingCharacters(in: .whitespacesAndNewlines)
        let liar = try FakeNode { request in
            request.head.contains("/address/")
                ? FakeNode.http(#"{"chain_stats":{"tx_count":2},"mempool_stats":{"tx_count":0}}"#)
                : FakeNode.http(genesis)
        }
        let new = ["address", wallet.name, "--new", "--node", liar.url, "--esplora"]
        let refused = try wallet.fueki.run(new)
        #expect(refused.status == 2 && refused.errors.contains("up to number 1000"), "\(refused.errors)")
        #expect(refused.errors.contains("--index 1001") && refused.output.isEmpty, "\(refused.errors)")
        #expect(try wallet.fueki.run("address", wallet.name, "--index", "1001").isSuccess)
        #expect(try wallet.fueki.run(new).errors.contains("up to number 2001"))
    }

    @Test(
        "a wallet of which the first 130 addresses were paid takes a sweep, also where all its addresses count as shown"
    )
    func sweep() throws {
        struct Swept: Decodable { let to: String }
        let node = try Node()
        let wallet = try TestWallet()
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        try wallet.fueki.folder.write(words + "\n", to: "words")
        let imported = try wallet.fueki.run(
            "wallet", "import", "old", "--network", "regtest", "--mnemonic-file", "words", "--backup-dir", "backup",
            "--recovery-dir", "recovery", "--passphrase-file", "passphrase")
        #expect(imported.isSuccess, "\(imported.errors)")
        let sources = try [[], ["--change"], ["--type", "segwit"], ["--type", "segwit", "--change"]].map {
            try wallet.fueki.json(["address", "old"] + $0, as: TestWallet.Address.self)
        }
        _ = try node.fund(scriptPubKeys: [sources[0].script_pubkey])
        let paid = try (0..<130).map { try wallet.address($0) }
        let explorer = try Explorer(
            of: node, used: Dictionary(uniqueKeysWithValues: (paid + sources).map { ($0.address, $0.script_pubkey) }))
        let memory = "\(wallet.folder)/home/wallets/savings/shown.json"
        let command = [
            "wallet", "sweep", "--mnemonic-file", "words", "--into", "savings", "--addresses", "1", "--dry-run",
            "--passphrase-file", "passphrase", "--node", explorer.server.url, "--esplora",
        ]
        let expected = try wallet.address(130).address
        let whole = try String(contentsOfFile: memory, encoding: .utf8)
        #expect(whole.contains("[[0,130]]"))
        try FileManager.default.removeItem(atPath: memory)
        #expect(try wallet.fueki.json(command, as: Swept.self).to == expected)
        // The explorer learns a few addresses, and not all.
        #expect(explorer.server.requests.count { $0.head.contains("/address/") } < 40)
        try Data(whole.replacing("[[0,130]]", with: "[[0,19999]]").utf8).write(to: URL(fileURLWithPath: memory))
        #expect(try wallet.fueki.json(command, as: Swept.self).to == expected)
        let options = ["--node", explorer.server.url, "--esplora"]
        let shown = try wallet.fueki.run(["address", wallet.name, "--new"] + options)
        #expect(shown.output.contains(expected), "\(shown.errors)")
        #expect(shown.errors.contains("all 20000 addresses that can be remembered count as shown"))
        // As on a machine on which the wallet was restored.
        try FileManager.default.removeItem(atPath: memory)
        #expect(
            try wallet.fueki.json(["address", wallet.name, "--new"] + options, as: TestWallet.Address.self).address
                == expected)
    }
}
