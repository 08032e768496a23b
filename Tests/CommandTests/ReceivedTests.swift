import Foundation
import TestSupport
import Testing

/// An explorer with Esplora's interface, of a chain with one payment to one script.
final class SmallExplorer: Sendable {
    let server: FakeNode

    /// - Parameters:
    ///   - address: that was paid.
    ///   - transaction: the payment, in hexadecimal.
    ///   - failing: the beginning of a path on which it fails.
    init(_ address: String, script: String, transaction: String, id: String, failing: String = "never") throws {
        let genesis = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"
        let block = String(repeating: "7", count: 64)
        let status = #"{"confirmed":true,"block_height":90,"block_hash":"\#(block)","block_time":1764062040}"#
        server = try FakeNode { request in
            let words = request.head.split(separator: " ")
            let path = words.count > 1 ? String(words[1]) : ""
            if path.hasPrefix(failing) { return FakeNode.http("", status: "500 Internal Server Error") }
            switch path {
            case "/block-height/0": return FakeNode.http(genesis)
            case "/block-height/90": return FakeNode.http(block)
            case "/block/\(block)": return FakeNode.http(#"{"id":"\#(block)","height":90,"timestamp":1764062040}"#)
            case "/blocks/tip/height": return FakeNode.http("100")
            case "/address/\(address)":
                return FakeNode.http(#"{"chain_stats":{"tx_count":2},"mempool_stats":{"tx_count":0}}"#)
            // What was paid is spent.
            case "/address/\(address)/utxo": return FakeNode.http("[]")
            case "/address/\(address)/txs":
                return FakeNode.http(
                    #"[{"txid":"\#(id)","vin":[],"vout":[{"scriptpubkey":"\#(script)","value":250000}],"#
                        + #""status":\#(status)}]"#)
            case "/address/\(address)/txs/chain/\(id)": return FakeNode.http("[]")
            case "/tx/\(id)/hex": return FakeNode.http(transaction)
            case "/tx/\(id)/status": return FakeNode.http(status)
            default:
                guard path.hasPrefix("/address/") else { return FakeNode.http("", status: "404 Not Found") }
                return FakeNode.http(#"{"chain_stats":{"tx_count":0},"mempool_stats":{"tx_count":0}}"#)
            }
        }
    }
}

@Suite("Payments to a wallet", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ReceivedTests {
    private struct Entry: Decodable {
        struct Output: Decodable {
            let address: String
            let amount: String
            let path: String
        }
        let direction: String
        let time: String?
        let state: String
        let amount: String?
        let confirmations: Int?
        let outputs: [Output]?
        let id: String?
    }

    struct Shown: Decodable {
        let address: String
        let script_pubkey: String
    }

    /// A wallet, and the transaction that pays 250,000 satoshi to its second address.
    static func bench(_ fueki: borrowing FuekiCommand) throws -> (shown: Shown, transaction: String, id: String) {
        try fueki.makeSavings()
        let shown = try fueki.json("address", "savings", "--index", "1", as: Shown.self)
        let spent = String(repeating: "5a", count: 32)
        let transaction = "0200000001\(spent)0000000000feffffff0190d003000000000022\(shown.script_pubkey)00000000"
        let id = try Program.output(
            "/usr/bin/env",
            [
                "python3", "-c",
                "import hashlib, sys; h = lambda b: hashlib.sha256(b).digest(); "
                    + "print(h(h(bytes.fromhex(sys.argv[1])))[::-1].hex())", transaction,
            ]
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        return (shown, transaction, id)
    }

    @Test("an explorer's payment that is spent is listed with amount, address, time and confirmations")
    func received() throws {
        let fueki = try FuekiCommand()
        let (shown, transaction, id) = try Self.bench(fueki)
        let explorer = try SmallExplorer(
            shown.address, script: shown.script_pubkey, transaction: transaction, id: id)
        let node = ["--node", explorer.server.url, "--esplora", "--passphrase-file", "passphrase"]
        let entry = try #require(fueki.json(["history", "savings"] + node, as: [Entry].self).first)
        #expect(entry.direction == "received" && entry.state == "mined" && entry.confirmations == 11)
        #expect(entry.time == "2025-11-25T09:14:00Z" && entry.amount == "250000" && entry.id == id)
        let output = try #require(entry.outputs?.first)
        #expect(output.address == shown.address && output.amount == "250000" && output.path == "m/0/1")

        let text = try fueki.run(["history", "savings"] + node)
        #expect(text.output.contains("  \(id.prefix(8))  received, 11 confirmations\n"), "\(text.output)")
        #expect(text.output.contains("  0.00250000 BTC at \(shown.address) (m/0/1)\n"), "\(text.output)")
        #expect(!text.errors.contains("keeps no record"), "\(text.errors)")
        // In the unit that is set for this wallet; programs read satoshi in any case.
        #expect(try fueki.run("config", "set", "wallet.savings.unit", "sat").isSuccess)
        let small = try fueki.run(["history", "savings"] + node)
        #expect(small.output.contains("  250000 sat at \(shown.address) (m/0/1)\n"), "\(small.output)")
        let balance = try fueki.run(["balance", "savings"] + node.dropLast(2))
        #expect(balance.output.contains("total        0 sat    0 sat\n"), "\(balance.output) \(balance.errors)")
        // Its short id is taken back.
        let one = try fueki.run(["history", "savings", String(id.prefix(8))] + node)
        #expect(one.output.contains(id) && one.isSuccess, "\(one.output) \(one.errors)")
        // With --sent no address is named to the node.
        let asked = explorer.server.requests.count { $0.head.contains("/address/") }
        let sent = try fueki.run(["history", "savings", "--sent"] + node)
        #expect(sent.output == "nothing was signed on this machine\n", "\(sent.output)")
        #expect(explorer.server.requests.count { $0.head.contains("/address/") } == asked)
    }

    @Test("an explorer that fails or lies hides no list, and its failure is told after it")
    func failing() throws {
        let fueki = try FuekiCommand()
        let (shown, transaction, id) = try Self.bench(fueki)
        let failing = try SmallExplorer(
            shown.address, script: shown.script_pubkey, transaction: transaction, id: id, failing: "/address/")
        let node = ["--esplora", "--node-timeout", "1", "--passphrase-file", "passphrase"]
        let dead = try fueki.run(["history", "savings", "--node", failing.server.url] + node)
        #expect(dead.status == 69 && dead.output == "nothing was signed on this machine\n", "\(dead.output)")
        #expect(dead.errors.contains("(the node is \(failing.server.url)"), "\(dead.errors)")
        // Another transaction than the one that it names.
        let other = transaction.replacing("90d0030000000000", with: "91d0030000000000")
        let liar = try SmallExplorer(shown.address, script: shown.script_pubkey, transaction: other, id: id)
        let lied = try fueki.run(["history", "savings", "--node", liar.server.url] + node)
        #expect(lied.status == 69 && lied.output == "nothing was signed on this machine\n", "\(lied.output)")
    }
}
