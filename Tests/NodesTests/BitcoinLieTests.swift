internal import Bitcoin
import Curves
internal import DisplayText
import Encoding
internal import HDKeys
import Nodes
import PinnedHTTP
import Synchronization
import Testing
import Wallet

/// A chain with one coin, as reported by a node and by an explorer; a test changes one fact.
private struct SmallChain {
    static let script = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 7, count: 20)))
    static let transaction = Self.paying(1_500)
    static var id: TransactionID { transaction.id }
    static let genesis = String(repeating: "1", count: 64)
    static let address = "bcrt1qqurswpc8qurswpc8qurswpc8qurswpc8dxm0gk"

    static func paying(_ satoshis: UInt64, to script: ScriptPubKey = Self.script) -> Transaction {
        let amount = (try? Amount(satoshis: satoshis)) ?? .zero
        let previous = (try? TransactionID(String(repeating: "ab", count: 32))) ?? Self.transaction.id
        return Transaction(
            version: 2,
            inputs: [TransactionInput(previousOutput: OutPoint(transaction: previous, index: 0), sequence: 0)],
            outputs: [TransactionOutput(amount: amount, scriptPubKey: script)], lockTime: 0)
    }

    static func hex(_ transaction: Transaction) -> JSON { .string(Hex.encode(transaction.encoded)) }

    /// The answers of a node by method, and of an explorer by path.
    static var truth: [String: ScriptedNode.Reply] {
        let unspent: JSON = [
            "txid": .string(id.description), "vout": 0, "scriptPubKey": .string(Hex.encode(script.bytes)),
            "amount": number("0.00001500"), "height": 90,
        ]
        let status: JSON = ["confirmed": true, "block_height": 90]
        let utxo: JSON = ["txid": .string(id.description), "vout": 0, "value": 1_500, "status": status]
        return [
            "getblockchaininfo": .result(["chain": "regtest"]), "getblockhash": .result(.string(genesis)),
            "getblockcount": .result(100),
            "scantxoutset": .result(["success": true, "height": 100, "unspents": [unspent]]),
            "gettxout": .result(["confirmations": 11]), "getrawtransaction": .result(hex(transaction)),
            "estimatesmartfee": .result(["feerate": number("0.00012345"), "blocks": 2]),
            "testmempoolaccept": .result([["txid": .string(id.description), "allowed": true]]),
            "sendrawtransaction": .result(.string(id.description)),
            "getmempoolentry": .fault(-5, "Transaction not in mempool"),
            "getmempoolinfo": .result(["size": 0]), "getrawmempool": .result([]),
            "GET /block-height/0": .raw(genesis), "GET /blocks/tip/height": .raw("100"),
            "GET /address/\(address)/utxo": .raw(JSON.array([utxo]).text),
            "GET /tx/\(id)/hex": .raw(Hex.encode(transaction.encoded) + "\n"),
            "GET /tx/\(id)/status": .raw(status.text),
            "GET /fee-estimates": .raw(#"{"2":12.3451,"6":5.0,"144":1e-1}"#),
            "POST /tx": .raw(id.description),
        ]
    }

    static func number(_ text: String) -> JSON {
        guard let number = try? JSON.Number(text) else { return .null }
        return .number(number)
    }

    enum Kind: CaseIterable { case node, explorer }

    static func connect(
        _ kind: Kind, on network: Network = .regtest, _ lies: [String: ScriptedNode.Reply] = [:]
    ) async throws(NodeError) -> (chain: any BitcoinChain, script: ScriptedNode) {
        let replies = truth.merging(lies) { $1 }
        let script = ScriptedNode { call in replies[call.method] ?? .raw("", status: 404) }
        let address = try NodeAddress("http://localhost")
        switch kind {
        case .node: return (try await BitcoinNode(at: address, on: network, over: script, .hasty), script)
        case .explorer: return (try await EsploraNode(at: address, on: network, over: script, .hasty), script)
        }
    }
}

@Suite("False answers of a Bitcoin node or an explorer")
struct BitcoinLieTests {
    @Test("control: a true answer with a coin and the transaction that made it", arguments: SmallChain.Kind.allCases)
    fileprivate func truth(kind: SmallChain.Kind) async throws {
        let (chain, _) = try await SmallChain.connect(kind)
        let coins = try await chain.coins(of: [SmallChain.script]).coins
        let coin = try #require(coins.first)
        #expect(coins.count == 1)
        #expect(coin.outPoint == OutPoint(transaction: SmallChain.id, index: 0))
        #expect(coin.previousTransaction == SmallChain.transaction)
        #expect((coin.output.amount.satoshis, coin.confirmations, coin.isCoinbase) == (1_500, 11, false))
        #expect(try await chain.coins(of: []).coins.isEmpty)
        #expect(try await chain.height() == 100)
        #expect(try await chain.transaction(SmallChain.id) == SmallChain.transaction)
        try await chain.broadcast(SmallChain.transaction)
    }

    @Test(
        "fees are rounded up, bounded, and rise",
        arguments: [
            ("0.00012345", 12_345), ("0.000123451", 12_346), ("1e-5", 1_000), ("1.5e-05", 1_500), ("0.00000001", 1_000),
            ("0", 1_000),
            ("9999", 500_000), ("0.005", 500_000), ("0.00500001", 500_000),
        ])
    func fees(text: String, rate: UInt64) async throws {
        let (chain, _) = try await SmallChain.connect(
            .node, ["estimatesmartfee": .result(["feerate": SmallChain.number(text)])])
        let rates = try await chain.feeRates()
        #expect([rates.low, rates.normal, rates.high].map { $0?.satoshisPerKilobyte } == [rate, rate, rate])
    }

    @Test(
        "the time of a block is read by its height; one that is no time is refused", arguments: SmallChain.Kind.allCases
    )
    fileprivate func time(kind: SmallChain.Kind) async throws {
        let hash = String(repeating: "2", count: 64)
        func connect(_ time: String, hash word: String) async throws -> any BitcoinChain {
            try await SmallChain.connect(
                kind,
                [
                    "getblockheader": .result(["time": SmallChain.number(time)]), "GET /block-height/90": .raw(word),
                    "GET /block/\(hash)": .raw("{\"timestamp\":\(time)}"),
                ]
            ).chain
        }
        let chain = try await connect("1700000000", hash: hash)
        #expect(try await chain.time(ofBlockAt: 90) == 1_700_000_000)
        #expect(try await chain.time(ofBlockAt: 101) == nil)
        for time in ["-1", "4294967296", "1.5"] {
            let chain = try await connect(time, hash: hash)
            await #expect(throws: NodeError.unexpected(.block)) { try await chain.time(ofBlockAt: 90) }
        }
        guard kind == .explorer else { return }
        let lie = try await connect("1700000000", hash: "../tx/2")
        await #expect(throws: NodeError.unexpected(.block)) { try await lie.time(ofBlockAt: 90) }
    }

    @Test("an amount with an exponent is read exactly", arguments: ["1.5e-5", "1.500e-05", "15E-6", "0.0015e-2"])
    func exponents(text: String) async throws {
        let unspent: JSON = [
            "txid": .string(SmallChain.id.description), "vout": 0,
            "scriptPubKey": .string(Hex.encode(SmallChain.script.bytes)), "amount": SmallChain.number(text),
            "height": 90,
        ]
        let (node, _) = try await SmallChain.connect(
            .node, ["scantxoutset": .result(["success": true, "height": 100, "unspents": [unspent]])])
        #expect(try await node.coins(of: [SmallChain.script]).coins.map(\.output.amount.satoshis) == [1_500])
    }

    @Test("a search for another program is waited for, and not for ever")
    func anotherSearch() async throws {
        let busy = ScriptedNode.Reply.fault(-8, "Scan already in progress, use action \"abort\" or \"status\"")
        func scanned(after searches: Int) async throws -> Int {
            let script = ScriptedNode { call, earlier in
                if call.method == "scantxoutset", earlier < searches { return busy }
                return SmallChain.truth[call.method] ?? .raw("", status: 404)
            }
            let node = try await BitcoinNode(
                at: try NodeAddress("http://localhost"), on: .regtest, over: script, .hasty)
            return try await node.coins(of: [SmallChain.script]).coins.count
        }
        #expect(try await scanned(after: 3) == 1)
        await #expect(throws: NodeError.searching) { _ = try await scanned(after: .max) }
    }

    @Test("a node that loads the chain says so; a block that arrives is no distance")
    func lag() async throws {
        let genesis = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
        func lag(_ state: JSON, on network: Network) async throws -> ChainLag? {
            let first = network == .mainnet ? genesis : SmallChain.genesis
            let (node, _) = try await SmallChain.connect(
                .node, on: network, ["getblockchaininfo": .result(state), "getblockhash": .result(.string(first))])
            return try await node.lag()
        }
        let loading: JSON = ["chain": "main", "blocks": 800, "headers": 900, "initialblockdownload": true]
        #expect(try await lag(loading, on: .mainnet) == ChainLag(height: 800, newest: 900))
        let early: JSON = ["chain": "main", "blocks": 0, "headers": 0, "initialblockdownload": true]
        #expect(try await lag(early, on: .mainnet) == ChainLag(height: 0, newest: nil))
        for (headers, isBehind) in [(100, false), (101, false), (102, true)] as [(Int64, Bool)] {
            let state: JSON = [
                "chain": "regtest", "blocks": 100, "headers": JSON(headers), "initialblockdownload": true,
            ]
            #expect(
                try await lag(state, on: .regtest)
                    == (isBehind ? ChainLag(height: 100, newest: UInt64(headers)) : nil))
        }
        #expect(try await SmallChain.connect(.explorer).chain.lag() == nil)
    }

    /// The estimates for 2, 6 and 144 blocks, where the node knows them, and the rates that follow.
    private struct Estimates: CustomTestStringConvertible {
        let known: [String: String]
        let rates: [UInt64?]
        var testDescription: String { "\(known)" }

        static let all = [
            Estimates(known: ["2": "20", "6": "7", "144": "3"], rates: [3_000, 7_000, 20_000]),
            // A missing estimate is that of the next faster speed; a faster one cannot be known from a slower one.
            Estimates(known: ["2": "20", "6": "7"], rates: [7_000, 7_000, 20_000]),
            Estimates(known: ["2": "20"], rates: [20_000, 20_000, 20_000]),
            Estimates(known: ["2": "20", "144": "3"], rates: [3_000, 20_000, 20_000]),
            Estimates(known: ["6": "7"], rates: [7_000, 7_000, nil]),
            Estimates(known: ["144": "3"], rates: [3_000, nil, nil]),
            Estimates(known: [:], rates: [nil, nil, nil]),
            Estimates(known: ["2": "0", "6": "0", "144": "0"], rates: [nil, nil, nil]),
            Estimates(known: ["2": "9", "6": "0", "144": "0"], rates: [9_000, 9_000, 9_000]),
        ]
    }

    @Test("a feerate that the node does not know is that of a faster speed, or unknown", arguments: Estimates.all)
    private func unknownFees(_ example: Estimates) async throws {
        let genesis = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
        let object = example.known.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        let (explorer, _) = try await SmallChain.connect(
            .explorer, on: .mainnet,
            ["GET /block-height/0": .raw(genesis), "GET /fee-estimates": .raw("{\(object)}")])
        let rates = try await explorer.feeRates()
        #expect([rates.low, rates.normal, rates.high].map { $0?.satoshisPerKilobyte } == example.rates)
    }

    @Test(
        "Bitcoin Core without data knows no feerate on the main network, and the least one on a test chain of its own")
    func insufficientData() async throws {
        let genesis = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
        let none = ScriptedNode.Reply.result(["errors": ["Insufficient data or no feerate found"], "blocks": 2])
        let (main, _) = try await SmallChain.connect(
            .node, on: .mainnet,
            [
                "getblockchaininfo": .result(["chain": "main"]), "getblockhash": .result(.string(genesis)),
                "estimatesmartfee": none,
            ])
        #expect(try await main.feeRates() == FeeRateSuggestion(low: nil, normal: nil, high: nil, on: .mainnet))
        #expect(try await main.feeRates().normal == nil)
        let (test, _) = try await SmallChain.connect(.node, ["estimatesmartfee": none])
        #expect(try await test.feeRates().normal?.satoshisPerKilobyte == NodeLimits.leastFeeRate)
    }

    @Test("an explorer's fees, of which the slow one is below the minimum")
    func explorersFees() async throws {
        let rates = try await SmallChain.connect(.explorer).chain.feeRates()
        #expect([rates.low, rates.normal, rates.high].map { $0?.satoshisPerKilobyte } == [1_000, 5_000, 12_346])
    }

    @Test("fees that are not numbers, or fall", arguments: ["-1", "1e400", "99999999999999999999999", "-0.1"])
    func wrongFees(text: String) async throws {
        let (node, _) = try await SmallChain.connect(
            .node, ["estimatesmartfee": .result(["feerate": SmallChain.number(text)])])
        await #expect(throws: NodeError.unexpected(.fee)) { try await node.feeRates() }
        let (explorer, _) = try await SmallChain.connect(.explorer, ["GET /fee-estimates": .raw("{\"6\":\(text)}")])
        await #expect(throws: NodeError.unexpected(.fee)) { try await explorer.feeRates() }
        let falling = try await SmallChain.connect(
            .explorer, ["GET /fee-estimates": .raw(#"{"2":2,"6":7,"144":3}"#)])
        let rates = try await falling.chain.feeRates()
        #expect([rates.low, rates.normal, rates.high].map { $0?.satoshisPerKilobyte } == [3_000, 7_000, 7_000])
    }

    @Test("another chain that uses the network's name")
    func otherChain() async throws {
        for kind in SmallChain.Kind.allCases {
            for network in [Network.mainnet, .signet, .testnet] {
                let names: [Network: String] = [.mainnet: "main", .signet: "signet", .testnet: "test"]
                await #expect {
                    _ = try await SmallChain.connect(
                        kind, on: network, ["getblockchaininfo": .result(["chain": .string(names[network] ?? "")])])
                } throws: { error in
                    guard case .wrongChain(expected: network.name, _) = error as? NodeError else { return false }
                    return true
                }
            }
            let mainnet = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
            await #expect(throws: NodeError.wrongChain(expected: "regtest", found: SanitizedText(ofNode: "mainnet"))) {
                _ = try await SmallChain.connect(
                    kind, ["getblockhash": .result(.string(mainnet)), "GET /block-height/0": .raw(mainnet)])
            }
        }
    }

    /// One fact changed in the list of coins.
    private static func unspent(_ name: String, _ value: JSON) -> [String: ScriptedNode.Reply] {
        var members: [String: JSON] = [
            "txid": .string(SmallChain.id.description), "vout": 0,
            "scriptPubKey": .string(Hex.encode(SmallChain.script.bytes)),
            "amount": SmallChain.number("0.00001500"), "height": 90,
        ]
        members[name] = value
        let entry = try? JSON.Object(members.map { JSON.Object.Member(name: $0.key, value: $0.value) })
        return [
            "scantxoutset": .result(["success": true, "height": 100, "unspents": [entry.map { .object($0) } ?? .null]])
        ]
    }

    @Test(
        "lies about coins, each with its name",
        arguments: [
            (unspent("amount", SmallChain.number("0.00001501")), .inconsistent(.amount)),
            (unspent("amount", SmallChain.number("1e-5")), .inconsistent(.amount)),
            (unspent("amount", SmallChain.number("1.5000001e-5")), .unexpected(.amount)),
            (unspent("amount", SmallChain.number("1e99")), .unexpected(.amount)),
            (unspent("amount", SmallChain.number("21000001")), .unexpected(.amount)),
            (unspent("amount", "0.00001500"), .unexpected(.amount)), (unspent("vout", 1), .inconsistent(.transaction)),
            (unspent("vout", -1), .unexpected(.coins)), (unspent("height", 101), .inconsistent(.coins)),
            (unspent("scriptPubKey", "51"), .inconsistent(.coins)), (unspent("scriptPubKey", "5"), .unexpected(.coins)),
            (unspent("txid", "00"), .unexpected(.hash)),
            (["scantxoutset": .result(["success": false])], .unexpected(.coins)),
            (["getrawtransaction": .result(SmallChain.hex(SmallChain.paying(9_999)))], .inconsistent(.transaction)),
            (["getrawtransaction": .result("00")], .unexpected(.transaction)),
            (["getrawtransaction": .fault(-5, "No such transaction")], .inconsistent(.transaction)),
        ] as [([String: ScriptedNode.Reply], NodeError)])
    fileprivate func coins(lie: [String: ScriptedNode.Reply], error: NodeError) async throws {
        let (chain, _) = try await SmallChain.connect(.node, lie)
        await #expect(throws: error) { try await chain.coins(of: [SmallChain.script]) }
    }

    @Test("a coin that is listed twice, or of a script that was not requested")
    func surplusCoins() async throws {
        guard case .result(let truth)? = SmallChain.truth["scantxoutset"], let entry = truth["unspents"]?.array?.first
        else {
            Issue.record("no truth")
            return
        }
        let twice: JSON = ["success": true, "height": 100, "unspents": [entry, entry]]
        let (chain, _) = try await SmallChain.connect(.node, ["scantxoutset": .result(twice)])
        await #expect(throws: NodeError.inconsistent(.coins)) { try await chain.coins(of: [SmallChain.script]) }
        let (other, _) = try await SmallChain.connect(.node)
        let script = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 8, count: 20)))
        await #expect(throws: NodeError.inconsistent(.coins)) { try await other.coins(of: [script]) }
    }

    @Test(
        "an explorer's lies about coins, each with its name",
        arguments: [
            (
                #"[{"txid":"ID","vout":0,"value":1501,"status":{"confirmed":true,"block_height":90}}]"#,
                .inconsistent(.amount)
            ),
            (
                #"[{"txid":"ID","vout":0,"value":"1500","status":{"confirmed":true,"block_height":90}}]"#,
                .unexpected(.amount)
            ),
            (
                #"[{"txid":"ID","vout":0,"value":1500.0,"status":{"confirmed":true,"block_height":90}}]"#,
                .unexpected(.amount)
            ),
            (
                #"[{"txid":"ID","vout":1,"value":1500,"status":{"confirmed":true,"block_height":90}}]"#,
                .inconsistent(.transaction)
            ),
            (
                #"[{"txid":"ID","vout":0,"value":1500,"status":{"confirmed":true,"block_height":102}}]"#,
                .inconsistent(.height)
            ),
            (#"[{"txid":"ID","vout":0,"value":1500,"status":{"confirmed":true}}]"#, .unexpected(.height)),
            (#"[{"txid":"ID","vout":0,"value":1500,"status":{}}]"#, .unexpected(.height)),
            (#"[{"txid":"ID","vout":0,"value":1500}]"#, .unexpected(.coins)), ("{}", .unexpected(.coins)),
            ("<html>", .notJSON(looksLikeHTML: true)),
        ] as [(String, NodeError)])
    func explorersCoins(lie: String, error: NodeError) async throws {
        let body = lie.replacing("ID", with: SmallChain.id.description)
        let (chain, _) = try await SmallChain.connect(
            .explorer, ["GET /address/\(SmallChain.address)/utxo": .raw(body)])
        await #expect(throws: error) { try await chain.coins(of: [SmallChain.script]) }
    }

    @Test("an explorer that shows another transaction, another script's coin, or a page instead of a word")
    func explorersWords() async throws {
        let other = SmallChain.paying(9_999)
        let path = "GET /tx/\(SmallChain.id)/hex"
        let (one, _) = try await SmallChain.connect(.explorer, [path: .raw(Hex.encode(other.encoded))])
        await #expect(throws: NodeError.inconsistent(.transaction)) { try await one.transaction(SmallChain.id) }
        let (page, _) = try await SmallChain.connect(
            .explorer, [path: .raw("<html>"), "GET /blocks/tip/height": .raw("0100")])
        await #expect(throws: NodeError.notJSON(looksLikeHTML: true)) { try await page.transaction(SmallChain.id) }
        await #expect(throws: NodeError.unexpected(.height)) { try await page.height() }
        let script = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 8, count: 20)))
        let address = try #require(Address<Checked>(script, on: .regtest))
        let truth = SmallChain.truth["GET /address/\(SmallChain.address)/utxo"] ?? .raw("")
        let (wrong, _) = try await SmallChain.connect(.explorer, ["GET /address/\(address)/utxo": truth])
        await #expect(throws: NodeError.inconsistent(.coins)) { try await wrong.coins(of: [script]) }
    }

    @Test(
        "an answer with another id, or none: the transaction may be sent anyway, and is looked up",
        arguments: SmallChain.Kind.allCases)
    fileprivate func otherID(kind: SmallChain.Kind) async throws {
        for answer in [JSON.string(SmallChain.paying(9_999).id.description), "", 7] {
            let lies: [String: ScriptedNode.Reply] = [
                "sendrawtransaction": .result(answer), "POST /tx": .raw(answer.text),
                "GET /tx/\(SmallChain.id)/status": .raw("", status: 404),
            ]
            let (chain, _) = try await SmallChain.connect(kind, lies)
            await #expect(throws: NodeError.outcomeUnknown) { try await chain.broadcast(SmallChain.transaction) }
            let shown: [String: ScriptedNode.Reply] = [
                "getmempoolentry": .result(["vsize": 100]),
                "GET /tx/\(SmallChain.id)/status": .raw(#"{"confirmed":false}"#),
            ]
            try await SmallChain.connect(kind, lies.merging(shown) { $1 }).chain.broadcast(SmallChain.transaction)
        }
    }

    @Test("impossible heights, from which nothing can be counted", arguments: [UInt32(1) << 31, .max])
    func heights(height: UInt32) async throws {
        let number = JSON(Int64(height))
        guard case .result(let truth)? = SmallChain.truth["scantxoutset"],
            let entry = Self.unspent("height", 0)["scantxoutset"], case .result(let lie) = entry
        else {
            Issue.record("no truth")
            return
        }
        let unspents = lie["unspents"] ?? truth["unspents"] ?? .null
        let (node, _) = try await SmallChain.connect(
            .node,
            [
                "scantxoutset": .result(["success": true, "height": number, "unspents": unspents]),
                "getblockcount": .result(number),
            ])
        await #expect(throws: NodeError.unexpected(.height)) { try await node.coins(of: [SmallChain.script]) }
        await #expect(throws: NodeError.unexpected(.height)) { try await node.height() }
        let (explorer, _) = try await SmallChain.connect(.explorer, ["GET /blocks/tip/height": .raw("\(height)")])
        await #expect(throws: NodeError.unexpected(.height)) { try await explorer.status(of: SmallChain.id) }
        let (late, _) = try await SmallChain.connect(
            .explorer,
            ["GET /tx/\(SmallChain.id)/status": .raw(#"{"confirmed":true,"block_height":\#(height)}"#)])
        await #expect(throws: NodeError.unexpected(.height)) { try await late.status(of: SmallChain.id) }
    }

    @Test(
        "a broadcast without an answer is looked up, and never sent a second time", arguments: SmallChain.Kind.allCases)
    fileprivate func unanswered(kind: SmallChain.Kind) async throws {
        let silence: [String: ScriptedNode.Reply] = [
            "sendrawtransaction": .fails(.timedOut(.answering)), "POST /tx": .fails(.closed),
        ]
        let waits: [String: ScriptedNode.Reply] = ["getmempoolentry": .result(["vsize": 100])]
        let (arrived, script) = try await SmallChain.connect(kind, silence.merging(waits) { $1 })
        try await arrived.broadcast(SmallChain.transaction)
        #expect(script.methods.count { $0 == "sendrawtransaction" || $0 == "POST /tx" } == 1)
        // A new connection, and no second attempt of the client; a question may have both.
        for call in script.calls {
            let isBroadcast = ["sendrawtransaction", "POST /tx"].contains(call.method)
            #expect((call.repetition == .never) == isBroadcast, "\(call.method)")
        }

        let unknown: [String: ScriptedNode.Reply] = [
            "getrawtransaction": .fault(-5, "no"), "gettxout": .result(.null),
            "GET /tx/\(SmallChain.id)/status": .raw("", status: 404),
        ]
        let (lost, again) = try await SmallChain.connect(kind, silence.merging(unknown) { $1 })
        await #expect(throws: NodeError.outcomeUnknown) { try await lost.broadcast(SmallChain.transaction) }
        #expect(again.methods.count { $0 == "sendrawtransaction" || $0 == "POST /tx" } == 1)

        for (reason, error) in [
            (.notConnected, .unreachable(.notConnected)), (.closed, .unreachable(.closed)),
            (.notPinned(.noPins), .notPinned(.noPins)),
        ] as [(HTTPFailure.Reason, NodeError)] {
            let dead: [String: ScriptedNode.Reply] = [
                "sendrawtransaction": .fails(reason, mayHaveArrived: false),
                "POST /tx": .fails(reason, mayHaveArrived: false),
            ]
            let (nobody, script) = try await SmallChain.connect(kind, dead)
            let before = script.calls.count
            await #expect(throws: error) { try await nobody.broadcast(SmallChain.transaction) }
            #expect(script.calls.count == before + 1, "nothing left, so nothing is looked up")
        }
    }

    @Test(
        "a transaction that a node has already counts as broadcast; what it refuses is refused by name",
        arguments: SmallChain.Kind.allCases)
    fileprivate func refusals(kind: SmallChain.Kind) async throws {
        func broadcast(_ code: Int64, _ words: String) async throws(NodeError) {
            let body = "sendrawtransaction RPC error: {\"code\":\(code),\"message\":\"\(words)\"}"
            let (chain, _) = try await SmallChain.connect(
                kind, ["sendrawtransaction": .fault(code, words), "POST /tx": .raw(body, status: 400)])
            try await chain.broadcast(SmallChain.transaction)
        }
        try await broadcast(-27, "Transaction already in block chain")
        for (words, refusal) in [
            ("bad-txns-inputs-missingorspent", .missingInputs),
            ("insufficient fee, rejecting replacement", .replacementUnderpriced),
            ("min relay fee not met, 0 < 111", .feeTooLow), ("max-fee-exceeded", .feeTooHigh),
            ("txn-mempool-conflict", .conflict),
            ("dust", .other), ("non-final", .notYet),
        ] as [(String, NodeError.Refusal)] {
            await #expect {
                try await broadcast(-26, words)
            } throws: { error in
                guard case .refused(refusal, let shown) = error as? NodeError else { return false }
                return shown.text.contains(words)
            }
        }
    }

    @Test("the state of a transaction: waiting, mined, gone with its block, or unknown")
    func status() async throws {
        func node(_ lies: [String: ScriptedNode.Reply]) async throws -> TransactionStatus {
            try await SmallChain.connect(.node, lies).chain.status(of: SmallChain.id)
        }
        let hex = SmallChain.hex(SmallChain.transaction)
        #expect(try await node(["getmempoolentry": .result(["vsize": 1])]) == .waiting)
        #expect(
            try await node(["getrawtransaction": .result(["hex": hex, "confirmations": 11])])
                == .mined(height: 90, confirmations: 11))
        #expect(try await node(["getrawtransaction": .result(["hex": hex, "blockhash": "00"])]) == .unknown)
        #expect(
            try await node(["getrawtransaction": .result(["hex": hex, "blockhash": "00", "confirmations": 0])])
                == .unknown)
        #expect(try await node(["getrawtransaction": .fault(-5, "no index")]) == .mined(height: 90, confirmations: 11))
        #expect(try await node(["getrawtransaction": .fault(-5, "no"), "gettxout": .result(.null)]) == .unknown)
        await #expect(throws: NodeError.inconsistent(.height)) {
            try await node(["getrawtransaction": .result(["hex": hex, "confirmations": 102])])
        }
        await #expect(throws: NodeError.inconsistent(.transaction)) {
            try await node([
                "getrawtransaction": .result(["hex": SmallChain.hex(SmallChain.paying(1)), "confirmations": 1])
            ])
        }

        func explorer(_ lies: [String: ScriptedNode.Reply]) async throws -> TransactionStatus {
            try await SmallChain.connect(.explorer, lies).chain.status(of: SmallChain.id)
        }
        let status = "GET /tx/\(SmallChain.id)/status"
        #expect(try await explorer([:]) == .mined(height: 90, confirmations: 11))
        #expect(try await explorer([status: .raw(#"{"confirmed":false}"#)]) == .waiting)
        #expect(
            try await explorer([
                status: .raw(#"{"confirmed":false}"#), "GET /tx/\(SmallChain.id)/hex": .raw("", status: 404),
            ]) == .unknown)
        #expect(try await explorer([status: .raw("", status: 404)]) == .unknown)
    }

    @Test("a verdict about another transaction, or about none")
    func verdicts() async throws {
        func acceptance(_ reply: JSON) async throws -> Acceptance {
            try await SmallChain.connect(.node, ["testmempoolaccept": .result(reply)]).chain.acceptance(
                of: SmallChain.transaction)
        }
        let id = JSON.string(SmallChain.id.description)
        #expect(
            try await acceptance([["txid": id, "allowed": false, "reject-reason": "dust"]])
                == .refused(.other, SanitizedText(ofNode: "dust")))
        #expect(
            try await acceptance([["txid": id, "allowed": false, "reject-reason": "non-final"]])
                == .refused(.notYet, SanitizedText(ofNode: "non-final")))
        #expect(
            try await acceptance([["txid": id, "allowed": false, "reject-reason": "txn-already-in-mempool"]])
                == .accepted)
        let other = JSON.string(SmallChain.paying(1).id.description)
        await #expect(throws: NodeError.inconsistent(.acceptance)) {
            try await acceptance([["txid": other, "allowed": true]])
        }
        await #expect(throws: NodeError.unexpected(.acceptance)) { try await acceptance([]) }
        await #expect(throws: NodeError.unexpected(.acceptance)) {
            try await acceptance([["txid": id, "allowed": "true"]])
        }
    }
}
