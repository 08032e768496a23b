internal import Foundation
import TestSupport
import Testing

/// `fueki wallet sweep`: everything that a mnemonic holds goes to a wallet of shares.
@Suite(
    "Sweeping a mnemonic",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct SweepTests {
    private struct Swept: Decodable {
        let id: String
        let chain: String
        let amount: String
        let to: String
        let highest_fee: String
    }
    private struct Found: Decodable { let segwit, taproot, ethereum: [String] }

    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    /// Where another implementation finds the accounts of the words: scripts, and the address on Ethereum.
    private static func accounts() throws -> Found {
        try Python.ask("mnemonic_accounts.py", ["words": words])
    }

    @Test(
        "coins at addresses of both kinds, to receive and for change, go to the wallet in one transaction that is mined"
    )
    func bitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let rpc = try node.rpc()
        let scripts = try Self.accounts()
        let coins = try node.fund(scriptPubKeys: scripts.segwit + scripts.taproot).map(\.coin)
        try wallet.fueki.folder.write(Self.words + "\n", to: "words")
        let command =
            ["wallet", "sweep", "--mnemonic-file", "words", "--into", "savings", "--addresses", "8"]
            + ["--node", "http://127.0.0.1:\(rpc.port)", "--cookie-file", rpc.cookieFile]
        // Nothing is moved that nobody confirmed, and nothing for words that are none.
        try wallet.fueki.folder.write(Self.words.replacing("yellow", with: "zoo") + "\n", to: "wrong")
        let wrong = try wallet.fueki.run(
            command.map { $0 == "words" ? "wrong" : $0 } + ["--yes"])
        #expect(wrong.status == 65 && !wrong.errors.contains("winner"))

        let swept = try wallet.fueki.json(command + ["--yes"], as: Swept.self)
        #expect(try swept.to == wallet.address().address)
        let total = coins.map(\.value).reduce(0, +)
        #expect(Int64(swept.amount).map { $0 + (Int64(swept.highest_fee) ?? 0) } == total)
        let (hex, spent, paid) = try node.waiting(swept.id)
        #expect(spent.count == coins.count && paid.count == 1)
        #expect(try paid.first?.scriptPubKey == wallet.address().script_pubkey)
        #expect(try Kernel.verdicts(on: hex, spending: spent).allSatisfy { $0 })
        // Of a second time nothing is left.
        _ = try node.mineBlocks(1, to: scripts.taproot[0])
        let again = try wallet.fueki.run(command + ["--yes"])
        #expect(again.status == 2 || again.isSuccess)
    }

    @Test("what the first account on Ethereum has goes to the wallet's, less the highest fee")
    func ethereum() throws {
        let node = try EVMNode()
        let wallet = try TestWallet()
        let account = try #require(Self.accounts().ethereum.first)
        _ = try ask(node, "evm_fund", [account, "0xde0b6b3a7640000"])
        try wallet.fueki.folder.write(Self.words + "\n", to: "words")
        let command = [
            "wallet", "sweep", "--mnemonic-file", "words", "--into", "savings", "--chain", "ethereum:31337", "--node",
            node.url, "--yes",
        ]
        let swept = try wallet.fueki.json(command, as: Swept.self)
        #expect(swept.chain == "ethereum:31337")
        _ = try ask(node, "evm_mine", [])
        let balance = try ask(node, "eth_getBalance", [swept.to, "latest"])
        let received = try #require(UInt64(balance.dropFirst(2), radix: 16))
        #expect(received == UInt64(swept.amount))
        #expect(received + (UInt64(swept.highest_fee) ?? 0) == 1_000_000_000_000_000_000)
        let mine = try wallet.fueki.json("address", "savings", "--type", "ethereum", as: Account.self)
        #expect(mine.address == swept.to)
        // What is left is no more than a fee.
        let again = try wallet.fueki.run(command)
        #expect(again.status == 2, "\(again.errors)")
        // Another chain than the node's: nothing is signed.
        let other = try wallet.fueki.run(command.map { $0 == "ethereum:31337" ? "ethereum" : $0 })
        #expect(other.status == 69)
    }

    private struct Account: Decodable { let address: String }

    /// One call over JSON-RPC, by the standard library of Python; the result as text.
    private func ask(_ node: borrowing EVMNode, _ method: String, _ parameters: [String]) throws -> String {
        let code = """
            import json, sys, urllib.request
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": sys.argv[2], "params": sys.argv[3:]}).encode()
            request = urllib.request.Request(sys.argv[1], body, {"Content-Type": "application/json"})
            print(json.load(urllib.request.urlopen(request)).get("result"))
            """
        return try Program.output(Python.system, ["-c", code, node.url, method] + parameters)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
