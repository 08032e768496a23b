internal import Bitcoin
import Encoding
internal import HDKeys
import Nodes
import Testing
import Wallet

/// A coin that an unconfirmed payment spends, whose change another unconfirmed payment spends, whose change is
/// unconfirmed.
private struct Chained {
    static let script = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 7, count: 20)))
    static let address = "bcrt1qqurswpc8qurswpc8qurswpc8qurswpc8dxm0gk"
    static let mined = transaction(spending: nil, paying: [10_000])
    static let first = transaction(spending: mined, paying: [1_000, 8_000])
    static let second = transaction(spending: first, paying: [7_000])

    /// The first output is ours, and the last; it spends the last one of another.
    private static func transaction(spending other: Transaction?, paying amounts: [UInt64]) -> Transaction {
        let stranger = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 8, count: 20)))
        let unknown = try? TransactionID(String(repeating: "ab", count: 32))
        let previous = other.map { OutPoint(transaction: $0.id, index: UInt32($0.outputs.count - 1)) }
        return Transaction(
            version: 2,
            inputs: (previous ?? unknown.map { OutPoint(transaction: $0, index: 0) }).map {
                [TransactionInput(previousOutput: $0, sequence: 0)]
            } ?? [],
            outputs: amounts.enumerated().map { index, amount in
                TransactionOutput(
                    amount: (try? Amount(satoshis: amount)) ?? .zero,
                    scriptPubKey: index == amounts.count - 1 ? script : stranger)
            }, lockTime: 0)
    }

    static func name(_ transaction: Transaction) -> JSON { .string(transaction.id.description) }
    static func hex(_ transaction: Transaction) -> JSON { .string(Hex.encode(transaction.encoded)) }

    static func number(_ text: String) -> JSON {
        guard let number = try? JSON.Number(text) else { return .null }
        return .number(number)
    }

    static let waiting: JSON = [
        "fees": ["base": number("0.00001000"), "ancestor": number("0.00001500"), "descendant": number("0.00003000")],
        "ancestorsize": 250, "descendantcount": 3,
    ]

    /// - Parameter size: the number of unconfirmed transactions.
    static func node(
        waiting size: Int64 = 5_000, _ lies: [String: ScriptedNode.Reply] = [:]
    ) async throws(NodeError) -> (node: BitcoinNode, script: ScriptedNode) {
        let script = ScriptedNode { call in
            if let lie = lies[call.method] { return lie }
            let id = call.parameters.first ?? .null
            switch call.method {
            case "getblockchaininfo": return .result(["chain": "regtest"])
            case "getblockhash": return .result(.string(String(repeating: "1", count: 64)))
            case "getblockcount": return .result(100)
            case "getmempoolinfo": return .result(["size": JSON(size)])
            case "getrawmempool": return .result([name(second), name(first)])
            case "getmempoolentry": return .result(waiting)
            case "getnetworkinfo": return .result(["incrementalfee": number("0.00001234")])
            case "scantxoutset":
                let coin: JSON = [
                    "txid": name(mined), "vout": 0, "scriptPubKey": .string(Hex.encode(Self.script.bytes)),
                    "amount": number("0.00010000"), "height": 90,
                ]
                return .result(["success": true, "height": 100, "unspents": [coin]])
            case "gettxout":
                let isThere = id == name(second) || call.parameters.last == false
                return .result(isThere ? ["confirmations": 11] : .null)
            case "gettxspendingprevout":
                let place = call.parameters[0].array?[0]
                let spender = place?["txid"] == name(mined) ? name(first) : name(second)
                return .result([["txid": place?["txid"] ?? .null, "vout": 0, "spendingtxid": spender]])
            case "getrawtransaction":
                return [mined, first, second].first { name($0) == id }.map { .result(hex($0)) } ?? .fault(-5, "none")
            default: return .fault(-32_601, "Method not found")
            }
        }
        return (
            try await BitcoinNode(at: try NodeAddress("http://localhost"), on: .regtest, over: script, .hasty), script
        )
    }
}

@Suite("Unconfirmed transactions")
struct BitcoinWaitingTests {
    @Test(
        "what comes back from payments that wait is found: among few by looking at all, among many by who spends what",
        arguments: [2, 5_000])
    func chained(waiting: Int64) async throws {
        let (node, script) = try await Chained.node(waiting: waiting)
        let coins = try await node.coins(of: [Chained.script]).coins
        #expect(coins.map(\.outPoint) == [OutPoint(transaction: Chained.second.id, index: 0)])
        #expect(coins.map(\.confirmations) == [0])
        #expect(script.methods.contains("getrawmempool") == (waiting == 2))
        #expect(script.methods.contains("gettxspendingprevout") == (waiting == 5_000))
    }

    @Test(
        "an old node, on which many wait, does not tell who spends what: what waits is not found, and nothing else changes"
    )
    func oldNode() async throws {
        let (node, _) = try await Chained.node(["gettxspendingprevout": .fault(-32_601, "Method not found")])
        #expect(try await node.coins(of: [Chained.script]).coins.isEmpty)
    }

    @Test("a coin that an unconfirmed payment spends is shown where it is requested by name")
    func namedCoin() async throws {
        let (node, _) = try await Chained.node()
        let coin = try #require(await node.coin(at: OutPoint(transaction: Chained.mined.id, index: 0)))
        #expect((coin.confirmations, coin.previousTransaction) == (11, Chained.mined))
        let (wrong, _) = try await Chained.node(["getrawtransaction": .result(Chained.hex(Chained.first))])
        await #expect(throws: NodeError.inconsistent(.transaction)) {
            try await wrong.coin(at: OutPoint(transaction: Chained.mined.id, index: 0))
        }
        let (late, _) = try await Chained.node(["gettxout": .result(["confirmations": 102])])
        await #expect(throws: NodeError.inconsistent(.output)) {
            try await late.coin(at: OutPoint(transaction: Chained.mined.id, index: 0))
        }
    }

    @Test("ancestors and descendants of a transaction, without itself; and false answers about them, by name")
    func queue() async throws {
        let (node, _) = try await Chained.node()
        let queue = try #require(await node.queue(of: Chained.first.id))
        #expect((queue.ancestorFees.satoshis, queue.ancestorSize) == (1_500, 250))
        #expect((queue.descendantCount, queue.descendantFees.satoshis) == (2, 2_000))
        #expect(try await node.incrementalFeeRate() == FeeRate(satoshisPerKilobyte: 1_234))
        let gone = try await Chained.node(["getmempoolentry": .fault(-5, "Transaction not in mempool")]).node
        #expect(try await gone.queue(of: Chained.first.id) == nil)
        let object = try #require(Chained.waiting.object)
        for (name, value, error) in [
            ("ancestorsize", 0, NodeError.inconsistent(.fee)), ("ancestorsize", -1, .unexpected(.transaction)),
            ("descendantcount", 0, .inconsistent(.fee)), ("descendantcount", "3", .unexpected(.transaction)),
            ("fees", [:], .unexpected(.fee)),
            (
                "fees",
                [
                    "base": Chained.number("1"), "ancestor": Chained.number("1"),
                    "descendant": Chained.number("0.5"),
                ], .inconsistent(.fee)
            ),
            (
                "fees",
                ["base": "1", "ancestor": Chained.number("1"), "descendant": Chained.number("21000001")],
                .unexpected(.fee)
            ),
        ] as [(String, JSON, NodeError)] {
            let members = object.members.map { $0.name == name ? JSON.Object.Member(name: name, value: value) : $0 }
            let lie = JSON.object(try JSON.Object(members))
            let (liar, _) = try await Chained.node(["getmempoolentry": .result(lie)])
            await #expect(throws: error) { try await liar.queue(of: Chained.first.id) }
        }
        for rate in ["0", "-1", "1"] {
            let (liar, _) = try await Chained.node([
                "getnetworkinfo": .result(["incrementalfee": Chained.number(rate)])
            ])
            await #expect(throws: NodeError.unexpected(.fee)) { try await liar.incrementalFeeRate() }
        }
    }

    // MARK: - An explorer

    private func explorer(_ lies: [String: ScriptedNode.Reply] = [:]) async throws(NodeError) -> EsploraNode {
        let script = ScriptedNode { call in
            if let lie = lies[call.method] { return lie }
            let path = call.method.dropFirst(4)
            if path == "/block-height/0" { return .raw(String(repeating: "1", count: 64)) }
            if path == "/blocks/tip/height" { return .raw("100") }
            if path == "/address/\(Chained.address)" {
                return .raw(#"{"chain_stats":{"tx_count":1},"mempool_stats":{"tx_count":0}}"#)
            }
            for (transaction, next) in [
                (Chained.mined, Chained.first), (Chained.first, Chained.second), (Chained.second, nil),
            ] as [(Transaction, Transaction?)] {
                let isMined = transaction == Chained.mined
                let status = isMined ? #"{"confirmed":true,"block_height":90}"# : #"{"confirmed":false}"#
                switch path {
                case "/tx/\(transaction.id)/hex": return .raw(Hex.encode(transaction.encoded))
                case "/tx/\(transaction.id)/status": return .raw(status)
                case "/tx/\(transaction.id)":
                    let previous = transaction.inputs[0].previousOutput.transaction
                    return .raw(#"{"vin":[{"txid":"\#(previous)"}],"fee":1000,"weight":401,"status":\#(status)}"#)
                case "/tx/\(transaction.id)/outspends":
                    let spent = next.map { #"{"spent":true,"txid":"\#($0.id)","status":{"confirmed":false}}"# }
                    let all =
                        Array(repeating: #"{"spent":false}"#, count: transaction.outputs.count - 1)
                        + [spent ?? #"{"spent":false}"#]
                    return .raw("[\(all.joined(separator: ","))]")
                default: continue
                }
            }
            return .raw("", status: 404)
        }
        return try await EsploraNode(at: try NodeAddress("http://localhost"), on: .regtest, over: script, .hasty)
    }

    @Test("an explorer reports used addresses, unconfirmed ancestors and descendants, and spending transactions")
    func explored() async throws {
        let node = try await explorer()
        #expect(try await node.used([Chained.script]) == [Chained.script])
        let queue = try #require(await node.queue(of: Chained.first.id))
        #expect((queue.ancestorFees.satoshis, queue.ancestorSize) == (1_000, 101))
        #expect((queue.descendantCount, queue.descendantFees.satoshis) == (1, 1_000))
        let later = try #require(await node.queue(of: Chained.second.id))
        #expect((later.ancestorFees.satoshis, later.ancestorSize, later.descendantCount) == (2_000, 202, 0))
        #expect(try await node.queue(of: Chained.mined.id) == nil)
        #expect(try await node.coins(of: [Chained.script], in: Chained.first).isEmpty)
        #expect(try await node.coins(of: [Chained.script], in: Chained.second).count == 1)
        #expect(try await node.coin(at: OutPoint(transaction: Chained.mined.id, index: 0))?.confirmations == 11)
        #expect(try await node.incrementalFeeRate() == nil)
    }

    @Test("an explorer's false answers about unconfirmed transactions, each with its name")
    func exploredLies() async throws {
        let unused = try await explorer([
            "GET /address/\(Chained.address)": .raw(#"{"chain_stats":{"tx_count":0},"mempool_stats":{"tx_count":0}}"#)
        ])
        #expect(try await unused.used([Chained.script]) == [])
        let odd = try await explorer(["GET /address/\(Chained.address)": .raw(#"{"chain_stats":{"tx_count":-1}}"#)])
        await #expect(throws: NodeError.unexpected(.coins)) { try await odd.used([Chained.script]) }
        let short = try await explorer(["GET /tx/\(Chained.first.id)/outspends": .raw(#"[{"spent":false}]"#)])
        await #expect(throws: NodeError.inconsistent(.output)) {
            try await short.coins(of: [Chained.script], in: Chained.first)
        }
        let free = try await explorer(["GET /tx/\(Chained.first.id)": .raw(#"{"vin":[],"fee":-1,"weight":1}"#)])
        await #expect(throws: NodeError.unexpected(.transaction)) { try await free.queue(of: Chained.second.id) }
        let mined = #"[{"spent":true,"txid":"\#(Chained.first.id)","status":{"confirmed":true,"block_height":91}}]"#
        let spent = try await explorer(["GET /tx/\(Chained.mined.id)/outspends": .raw(mined)])
        #expect(try await spent.coin(at: OutPoint(transaction: Chained.mined.id, index: 0)) == nil)
    }
}
