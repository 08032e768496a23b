internal import Foundation
import TestSupport
import Testing

@Suite(
    "A chain that changes its mind",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct BitcoinReorganisationTests {
    /// A node that does not show one transaction, and answers truthfully otherwise.
    private func forgetting(_ txid: String, before node: borrowing Node) throws -> FakeNode {
        let port = try node.rpc().port
        return try FakeNode { request in
            let body = String(decoding: request.body, as: UTF8.self)
            guard body.contains(txid), let question = try? JSONDecoder().decode(Question.self, from: Data(request.body))
            else { return FakeNode.relayed(request, to: port) }
            let answer =
                question.method == "gettxout"
                ? #""result":null"# : #""error":{"code":-5,"message":"No such mempool or blockchain transaction"}"#
            return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(question.id),\#(answer)}"#)
        }
    }

    private struct Question: Decodable {
        let method: String
        let id: Int
    }

    @Test("a transaction in an abandoned block is sent again, and final after six blocks")
    func takenOut() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let sent = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        func states(_ options: [String]) throws -> [String] { try wallet.history(options).map(\.state) }
        let first = try node.mineBlocks(1, to: "51")
        #expect(try states(options) == ["mined"])
        // Its absence from the node proves nothing while its inputs are spent.
        let forgetful = try forgetting(sent.txid, before: node)
        let asking = try wallet.options(forgetful, before: node)
        #expect(try states(asking) == ["mined"])
        try node.ask("invalidateblock", first)
        #expect(try states(asking) == ["sent"])
        let second = try node.mineBlocks(1, to: "52")
        #expect(try states(options) == ["mined"])
        try node.ask("invalidateblock", second)
        #expect(try states(options) == ["sent"])

        let third = try node.mineBlocks(1, to: "53")
        try node.mineBlocks(5, to: "53")
        #expect(try states(options) == ["mined"])
        // So deep that no node is still asked.
        try node.ask("invalidateblock", third)
        #expect(try states(options) == ["mined"])
    }

    @Test("a mined replacement ends the first payment only after six blocks")
    func overtaken() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let sent = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        let block = try node.mineBlocks(1, to: "51")
        _ = try wallet.history(options)
        try node.ask("invalidateblock", block)
        _ = try wallet.fueki.json(wallet.bump("cancel", sent.txid, options), as: SentBitcoin.self)
        func states() throws -> [String] { try wallet.history(options).map(\.state) }
        try node.mineBlocks(5, to: "52")
        #expect(try states() == ["sent", "mined"])
        try node.mineBlocks(1, to: "52")
        #expect(try states() == ["replaced", "mined"])
    }
}
