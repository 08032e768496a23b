import Foundation
import Synchronization
import TestSupport
import Testing

/// A node of a chain of Ethereum's kind with one rich account, which suggests no prices and accepts every transaction.
private final class UnpricedNode: Sendable {
    let server: FakeNode
    private let log: Log

    private final class Log: Sendable {
        let methods = Mutex<[String]>([])
        let sent = Mutex<[String]>([])
    }

    init() throws {
        let log = Log()
        self.log = log
        server = try FakeNode { request in
            guard let question = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
                let id = question["id"] as? Int, let method = question["method"] as? String
            else { return FakeNode.http("", status: "400 Bad Request") }
            let first = (question["params"] as? [Any])?.first as? String ?? ""
            log.methods.withLock { $0.append(method) }
            let answer: String
            switch method {
            case "eth_chainId": answer = #""result":"0x7a69""#
            case "eth_blockNumber": answer = #""result":"0xa""#
            case "eth_getBalance": answer = #""result":"0xde0b6b3a7640000""#
            case "eth_getTransactionCount": answer = #""result":"0x0""#
            case "eth_getCode", "eth_call": answer = #""result":"0x""#
            case "eth_estimateGas": answer = #""result":"0x5208""#
            case "eth_syncing": answer = #""result":false"#
            case "eth_getTransactionReceipt": answer = #""result":null"#
            case "eth_getTransactionByHash":
                // The hash is known once a transaction was sent: the test reads its bytes itself.
                let isSent = log.sent.withLock { !$0.isEmpty }
                answer = isSent ? #""result":{"hash":"\#(first)"}"# : #""result":null"#
            case "eth_sendRawTransaction":
                log.sent.withLock { $0.append(first) }
                answer = #""error":{"code":-32000,"message":"already known"}"#
            case "eth_getBlockByNumber":
                let hash = "0x" + String(repeating: "bb", count: 32)
                answer = #""result":{"number":"0xa","hash":"\#(hash)","baseFeePerGas":"0x3b9aca00"}"#
            case "eth_gasPrice", "eth_maxPriorityFeePerGas": answer = #""result":null"#
            default: answer = #""error":{"code":-32601,"message":"no such method"}"#
            }
            return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(id),\#(answer)}"#)
        }
    }

    /// The methods that were called, in order.
    var methods: [String] { log.methods.withLock { $0 } }
    /// The transactions that were sent, in hexadecimal.
    var sent: [String] { log.sent.withLock { $0 } }
}

@Suite("The price of a unit of gas that a person names")
struct GasPriceTests {
    private struct Sent: Decodable {
        struct Intent: Decodable { let highest_fee: String }
        let transaction: String
        let intent: Intent
    }

    private struct Refused: Decodable {
        struct Reason: Decodable {
            let code: String
            let hint: String?
        }
        let error: Reason
    }

    private func words(_ node: UnpricedNode, _ more: String...) -> [String] {
        [
            "send", "savings", "--chain", "ethereum:31337", "--to", "0x3535353535353535353535353535353535353535",
            "--amount", "0.1eth", "--node", node.server.url, "--passphrase-file", "passphrase", "--yes", "--json",
        ] + more
    }

    @Test("all of the named price is signed as fee and tip, and the node is asked for no price")
    func named() throws {
        let fueki = try FuekiCommand()
        let node = try UnpricedNode()
        try fueki.makeSavings()
        let ended = try fueki.run(words(node, "--gas-price", "12gwei"))
        try #require(ended.isSuccess, "\(ended.errors)")
        let sent = try JSONDecoder().decode(Sent.self, from: Data(ended.output.utf8))
        #expect(sent.intent.highest_fee == "252000000000000")
        #expect(node.sent.count == 1)
        // RLP: the tip and the fee, 12,000,000,000 wei each, and then 21,000 gas.
        #expect(node.sent.first?.contains("8502cb4178008502cb417800825208") == true, "\(node.sent)")
        for method in ["eth_feeHistory", "eth_gasPrice", "eth_maxPriorityFeePerGas"] {
            #expect(!node.methods.contains(method), "\(method)")
        }
    }

    @Test("a node without a price is answered with this option, and a price above --max-fee is not signed")
    func refused() throws {
        let fueki = try FuekiCommand()
        let node = try UnpricedNode()
        try fueki.makeSavings()
        func reason(_ ended: Program.Outcome) throws -> Refused.Reason {
            try JSONDecoder().decode(Refused.self, from: Data(ended.errors.utf8)).error
        }
        let unpriced = try fueki.run(words(node))
        #expect(unpriced.status == 69)
        #expect(try reason(unpriced).hint?.contains("--gas-price") == true, "\(unpriced.errors)")
        // 21,000 gas at 12 gwei are 0.000252 ETH.
        let above = try fueki.run(words(node, "--gas-price", "12gwei", "--max-fee", "0.000251eth"))
        #expect(above.status == 2, "\(above.errors)")
        #expect(try reason(above).code == "fee_above_ceiling")
        #expect(node.sent.isEmpty)
        #expect(try fueki.run(words(node, "--gas-price", "12gwei", "--max-fee", "0.000252eth")).isSuccess)
    }

    @Test("no price, a price of 0, and a price on Bitcoin are errors in the command line")
    func usage() throws {
        let fueki = try FuekiCommand()
        let node = try UnpricedNode()
        try fueki.makeSavings()
        for price in ["0gwei", "0", "fast", "12sat", "-1gwei"] {
            let ended = try fueki.run(words(node, "--gas-price", price))
            #expect(ended.status == 64 && ended.errors.contains("--gas-price"), "\(price): \(ended.errors)")
        }
        let bitcoin = try fueki.run(
            "send", "savings", "--to", "bcrt1pqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqsws5gfa", "--amount",
            "1btc", "--gas-price", "12gwei", "--node", node.server.url, "--passphrase-file", "passphrase", "--yes")
        #expect(bitcoin.status == 64 && bitcoin.errors.contains("--gas-price"), "\(bitcoin.errors)")
        #expect(node.methods.isEmpty)
    }
}
