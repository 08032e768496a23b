internal import Amounts
internal import DisplayText
import Encoding
internal import Ethereum
import Nodes
import PinnedHTTP
import Testing
import Wallet

/// A chain with one transaction, as reported by a node; a test changes one fact.
private struct SmallChain {
    static let blockHash = JSON.string("0x" + String(repeating: "bb", count: 32))
    static let account = "0x" + String(repeating: "35", count: 20)

    static func transaction(nonce: UInt64 = 0) throws -> SignedEthereumTransaction {
        try TestAccount.sign(nonce: nonce, to: .zero, fees: try TestAccount.fees())
    }

    static func hash() throws -> JSON { .string("0x" + Hex.encode(try transaction().hash)) }

    static func receipt(_ name: String = "", _ value: JSON = .null) throws -> JSON {
        var members: [(String, JSON)] = [
            ("transactionHash", try hash()), ("blockNumber", "0x5"), ("blockHash", blockHash), ("status", "0x1"),
            ("gasUsed", "0x5208"), ("effectiveGasPrice", "0x3b9aca00"), ("contractAddress", .null),
        ]
        for index in members.indices where members[index].0 == name { members[index].1 = value }
        return .object(try JSON.Object(members.map { JSON.Object.Member(name: $0.0, value: $0.1) }))
    }

    static func history(
        bases: JSON = ["0x3b9aca00", "0x3b9aca00", "0x77359400"],
        rewards: JSON = [["0x1", "0x2", "0x3"], ["0x5f5e100", "0x3b9aca00", "0x77359400"]]
    ) -> ScriptedNode.Reply {
        .result(["oldestBlock": "0x1", "baseFeePerGas": bases, "gasUsedRatio": [0], "reward": rewards])
    }

    static func truth() throws -> [String: ScriptedNode.Reply] {
        [
            "eth_chainId": .result("0x7a69"), "eth_blockNumber": .result("0x6"), "eth_getBalance": .result("0x0"),
            "eth_getTransactionCount": .result("0x0"), "eth_getCode": .result("0x"), "eth_feeHistory": history(),
            "eth_maxPriorityFeePerGas": .result("0x5f5e100"), "eth_estimateGas": .result("0x5208"),
            "eth_call": .result("0x"),
            "eth_sendRawTransaction": .result(try hash()), "eth_getTransactionReceipt": .result(try receipt()),
            "eth_getTransactionByHash": .result(["hash": try hash()]),
            "eth_getBlockByNumber": .result(["number": "0x5", "hash": blockHash]),
        ]
    }

    /// The transaction is hidden.
    static let hidden: [String: ScriptedNode.Reply] = [
        "eth_getTransactionReceipt": .result(.null), "eth_getTransactionByHash": .result(.null),
    ]

    static func connect(
        _ lies: [String: ScriptedNode.Reply] = [:]
    ) async throws -> (node: EthereumNode, script: ScriptedNode) {
        let replies = try truth().merging(lies) { $1 }
        let script = ScriptedNode { call in replies[call.method] ?? .fault(-32_601, "no such method") }
        let node = try await EthereumNode(
            at: try NodeAddress("http://localhost"), on: try ChainID(TestAccount.chain), over: script, .hasty)
        return (node, script)
    }
}

@Suite("False answers of an Ethereum node")
struct EthereumLieTests {
    private let bounds: GasPriceBounds
    private let call: EthereumCall

    init() throws {
        bounds = GasPriceBounds(maxFeePerGas: try Wei("100gwei"), maxPriorityFeePerGas: try Wei("5gwei"))
        call = EthereumCall(from: try EthereumAddress(SmallChain.account), to: .zero, value: .zero, data: [])
    }

    @Test(
        "the chain is asked for before anything else, and another one is refused",
        arguments: ["0x1", "0x0", "0x10000000000007a69"])
    func chain(answer: String) async throws {
        let script = ScriptedNode { _ in .result(.string(answer)) }
        await #expect {
            _ = try await EthereumNode(
                at: try NodeAddress("http://localhost"), on: try ChainID(TestAccount.chain), over: script, .hasty)
        } throws: { error in
            guard case .wrongChain = error as? NodeError else { return false }
            return true
        }
        #expect(script.methods == ["eth_chainId"])
    }

    @Test(
        "a number is written in one way",
        arguments: [
            "0x", "0x00", "0x01", "1", "0X1", "0xA", "0xg", "0x-1", " 0x1", "0x1 ", "",
            "0x" + String(repeating: "f", count: 65),
        ])
    func numbers(text: String) async throws {
        let (node, _) = try await SmallChain.connect([
            "eth_getBalance": .result(.string(text)), "eth_blockNumber": .result(.string(text)),
        ])
        await #expect(throws: NodeError.unexpected(.balance)) { try await node.balance(of: .zero) }
        await #expect(throws: NodeError.unexpected(.height)) { try await node.height() }
    }

    @Test("a number is text, and a height has 64 bits")
    func types() async throws {
        for value in [7, .null, true, [], ["0x1"]] as [JSON] {
            let (node, _) = try await SmallChain.connect(["eth_getBalance": .result(value)])
            await #expect(throws: NodeError.unexpected(.balance)) { try await node.balance(of: .zero) }
        }
        let (node, _) = try await SmallChain.connect(["eth_blockNumber": .result("0x10000000000000000")])
        await #expect(throws: NodeError.unexpected(.height)) { try await node.height() }
        let most = "0x" + String(repeating: "f", count: 64)
        let (rich, _) = try await SmallChain.connect(["eth_getBalance": .result(.string(most))])
        #expect(try await rich.balance(of: .zero) == Wei(.maximum))
    }

    @Test("nonces that contradict each other, or cannot be used")
    func nonces() async throws {
        for (latest, pending) in [("0x2", "0x1"), ("0x0", "0xffffffffffffffff")] {
            let script = ScriptedNode { call in
                .result(
                    .string(
                        call.method == "eth_chainId" ? "0x7a69" : call.parameters.last == "latest" ? latest : pending))
            }
            let node = try await EthereumNode(
                at: try NodeAddress("http://localhost"), on: try ChainID(TestAccount.chain), over: script, .hasty)
            await #expect(throws: NodeError.inconsistent(.nonce)) { try await node.nonces(of: .zero) }
        }
    }

    // MARK: - Fees and gas

    @Test("fees: the median of paid tips, with room for a rising base fee")
    func fees() async throws {
        let (node, _) = try await SmallChain.connect()
        let prices = try await node.gasPrices(within: bounds)
        #expect(prices.baseFee == (try Wei("2gwei")))
        #expect(
            prices.low
                == EthereumTransaction.Fees(maxPriorityFeePerGas: try Wei("0.1gwei"), maxFeePerGas: try Wei("2.6gwei")))
        #expect(
            prices.normal
                == EthereumTransaction.Fees(maxPriorityFeePerGas: try Wei("1gwei"), maxFeePerGas: try Wei("5gwei")))
        #expect(
            prices.high
                == EthereumTransaction.Fees(maxPriorityFeePerGas: try Wei("2gwei"), maxFeePerGas: try Wei("8gwei")))
    }

    @Test("an excessive tip is reduced, a zero one is raised, and the sum stays below the ceiling")
    func boundedFees() async throws {
        let greedy: JSON = [["0xffffffffffffffff", "0xffffffffffffffff", "0xffffffffffffffff"]]
        let (node, _) = try await SmallChain.connect(
            ["eth_feeHistory": SmallChain.history(bases: ["0x1", "0xa7a358200"], rewards: greedy)])
        let prices = try await node.gasPrices(within: bounds)
        #expect(prices.baseFee == (try Wei("45gwei")))
        #expect(prices.low.maxPriorityFeePerGas == (try Wei("5gwei")))
        #expect(prices.high.maxFeePerGas == (try Wei("100gwei")))
        let (humble, _) = try await SmallChain.connect(
            ["eth_feeHistory": SmallChain.history(rewards: [["0x0", "0x0", "0x1"], ["0x0", "0x0", "0x0"]])])
        #expect(try await humble.gasPrices(within: bounds).low.maxPriorityFeePerGas == Wei(1_000_000))
    }

    @Test("a base fee above the ceiling is refused, also one that would overflow")
    func feeAboveCeiling() async throws {
        for base in ["0x174876e800", "0x" + String(repeating: "f", count: 64)] {
            let (node, _) = try await SmallChain.connect(
                ["eth_feeHistory": SmallChain.history(bases: ["0x1", "0x1", .string(base)])])
            await #expect {
                _ = try await node.gasPrices(within: bounds)
            } throws: { error in
                guard case .feeAboveCeiling = error as? NodeError else { return false }
                return true
            }
        }
    }

    @Test("blocks without tips are ignored; if none has any, the node is asked for a tip, which is limited too")
    func emptyBlocks() async throws {
        let rewards: [JSON] = [[["0x0", "0x0", "0x0"], ["0x0", "0x0", "0x0"]], [], .null]
        for reward in rewards {
            let (node, script) = try await SmallChain.connect(
                [
                    "eth_feeHistory": SmallChain.history(rewards: reward),
                    "eth_maxPriorityFeePerGas": .result("0x174876e800"),
                ])
            #expect(try await node.gasPrices(within: bounds).low.maxPriorityFeePerGas == (try Wei("5gwei")))
            #expect(script.methods.contains("eth_maxPriorityFeePerGas"))
        }
    }

    @Test("an empty history of fees, or one without tips, is replaced by the newest block and the node's suggestion")
    func emptyHistories() async throws {
        let block = ScriptedNode.Reply.result(["baseFeePerGas": "0x77359400"])
        let histories: [ScriptedNode.Reply] = [
            .result(.null), .result([:]), SmallChain.history(bases: []), SmallChain.history(bases: .null),
            SmallChain.history(rewards: [.null, .null]),
            SmallChain.history(rewards: [[.null, .null, .null], ["0x0", "0x0", "0x0"]]),
        ]
        for history in histories {
            let (node, _) = try await SmallChain.connect([
                "eth_feeHistory": history, "eth_getBlockByNumber": block,
                "eth_maxPriorityFeePerGas": .result("0x3b9aca00"),
            ])
            let prices = try await node.gasPrices(within: bounds)
            #expect(prices.normal.maxPriorityFeePerGas == (try Wei("1gwei")))
        }
        // The node has no suggestion either: its price counts, and without one nothing is assumed.
        let silent: [String: ScriptedNode.Reply] = [
            "eth_feeHistory": .result(.null), "eth_getBlockByNumber": block,
            "eth_maxPriorityFeePerGas": .result(.null),
        ]
        let (priced, _) = try await SmallChain.connect(
            silent.merging(["eth_gasPrice": .result("0xb2d05e00")]) { $1 })
        #expect(try await priced.gasPrices(within: bounds).low.maxPriorityFeePerGas == (try Wei("0.75gwei")))
        let (unpriced, _) = try await SmallChain.connect(
            silent.merging(["eth_gasPrice": .result(.null)]) { $1 })
        await #expect(throws: NodeError.noFeeEstimate(.gasPrice)) { try await unpriced.gasPrices(within: bounds) }
    }

    @Test("a node that loads the chain says so (eth_syncing); one that does not know the question is believed")
    func lag() async throws {
        let states: [(ScriptedNode.Reply, ChainLag?)] = [
            (.result(false), nil), (.fault(-32601, "the method does not exist"), nil),
            (.result(["currentBlock": "0x6", "highestBlock": "0x64"]), ChainLag(height: 6, newest: 100)),
            (.result(["currentBlock": "0x6", "highestBlock": "0x7"]), nil),
            (.result(["stages": []]), ChainLag(height: 6, newest: nil)),
        ]
        for (state, lag) in states {
            let (node, _) = try await SmallChain.connect(["eth_syncing": state])
            #expect(try await node.lag() == lag)
        }
    }

    @Test("a named price is all that is paid, and stays below the ceiling")
    func namedPrice() throws {
        let price = try Wei("12gwei")
        let prices = try GasPriceSuggestion(naming: price, within: bounds)
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: price, maxFeePerGas: price)
        #expect([prices.low, prices.normal, prices.high] == [fees, fees, fees])
        #expect(throws: NodeError.feeAboveCeiling(SanitizedText(ofNode: "101 gwei"))) {
            try GasPriceSuggestion(naming: try Wei("101gwei"), within: bounds)
        }
    }

    @Test(
        "an invalid fee history",
        arguments: [
            (SmallChain.history(bases: ["0x1"]), .unexpected(.feeHistory)),
            (SmallChain.history(bases: "0x1"), .unexpected(.feeHistory)),
            (SmallChain.history(bases: ["0x1", "0x1", 1]), .unexpected(.feeHistory)),
            (SmallChain.history(bases: .array(Array(repeating: "0x1", count: 22))), .unexpected(.feeHistory)),
            (SmallChain.history(rewards: [["0x1", "0x2", "0x3"]]), .unexpected(.feeHistory)),
            (SmallChain.history(rewards: [["0x1", "0x2"], ["0x1", "0x2"]]), .unexpected(.feeHistory)),
            (SmallChain.history(rewards: [["0x1", "0x2", 3], ["0x1", "0x2", "0x3"]]), .unexpected(.feeHistory)),
            (
                SmallChain.history(rewards: [["0x3", "0x2", "0x3"], ["0x1", "0x2", "0x3"]]), .inconsistent(.feeHistory)
            ),
            (
                SmallChain.history(rewards: [["0x1", "0x2", "0x1"], ["0x1", "0x2", "0x3"]]), .inconsistent(.feeHistory)
            ),
        ] as [(ScriptedNode.Reply, NodeError)])
    func histories(history: ScriptedNode.Reply, error: NodeError) async throws {
        let (node, _) = try await SmallChain.connect(["eth_feeHistory": history])
        await #expect(throws: error) { try await node.gasPrices(within: bounds) }
    }

    @Test(
        "gas: the least stays, more gets a fifth more, and beyond all bounds it is refused",
        arguments: [
            ("0x5208", 21_000), ("0x5209", 25_201), ("0x186a0", 120_000), ("0xffffff", 16_777_216),
            ("0x1000000", 16_777_216),
        ] as [(String, UInt64)])
    func gas(answer: String, limit: UInt64) async throws {
        let (node, _) = try await SmallChain.connect(["eth_estimateGas": .result(.string(answer))])
        #expect(try await node.gasLimit(for: call) == limit)
        for wrong in ["0x5207", "0x0", "0x1000001"] {
            let (node, _) = try await SmallChain.connect(["eth_estimateGas": .result(.string(wrong))])
            await #expect(throws: NodeError.unexpected(.gas)) { try await node.gasLimit(for: call) }
        }
    }

    // MARK: - Calls

    @Test("code: none, a contract, a delegated account")
    func code() async throws {
        func code(_ text: String) async throws -> AccountCode {
            try await SmallChain.connect(["eth_getCode": .result(.string(text))]).node.code(at: .zero)
        }
        #expect(try await code("0x") == .none)
        #expect(try await code("0x6001") == .contract(bytes: 2))
        let delegate = try EthereumAddress(SmallChain.account)
        #expect(try await code("0xef0100" + String(repeating: "35", count: 20)) == .delegation(to: delegate))
        #expect(try await code("0xef0100" + String(repeating: "35", count: 21)) == .contract(bytes: 24))
        for wrong in ["", "6001", "0x600", "0x" + String(repeating: "00", count: 131_073)] {
            await #expect(throws: NodeError.unexpected(.code)) { try await code(wrong) }
        }
    }

    @Test(
        "a refusal of a contract is read, whichever way the node tells it",
        arguments: [
            (
                .fault(
                    3, "execution reverted",
                    data: .string("0x08c379a0" + word(32) + word(2) + "6e6f" + String(repeating: "0", count: 60))),
                .reverts(.words(SanitizedText(ofNode: "no")))
            ),
            (.fault(-32_000, "VM Exception: revert", data: nil), .reverts(.none)),
            (.fault(3, "x", data: "0x"), .reverts(.none)),
            (.fault(3, "x", data: .string("0x4e487b71" + word(17))), .reverts(.panic(17))),
            (.fault(3, "x", data: "0x0102030405"), .reverts(.custom(selector: [1, 2, 3, 4], bytes: 1))),
            (.fault(3, "x", data: "0x01"), .reverts(.custom(selector: [1], bytes: 0))),
            // An Error(string) with a false length, or without zero padding.
            (
                .fault(3, "x", data: .string("0x08c379a0" + word(32) + word(99) + "6e6f")),
                .reverts(.custom(selector: [8, 0xC3, 0x79, 0xA0], bytes: 66))
            ),
            (
                .fault(3, "x", data: .string("0x08c379a0" + word(64) + word(0))),
                .reverts(.custom(selector: [8, 0xC3, 0x79, 0xA0], bytes: 64))
            ),
            (
                .fault(3, "x", data: .string("0x08c379a0" + word(32) + word(1) + String(repeating: "6e", count: 32))),
                .reverts(.custom(selector: [8, 0xC3, 0x79, 0xA0], bytes: 96))
            ),
            (.fault(-32_000, "insufficient funds", data: nil), .fails(SanitizedText(ofNode: "insufficient funds"))),
            (.result("0x01"), .returns([1])),
        ] as [(ScriptedNode.Reply, Simulation)])
    func simulations(reply: ScriptedNode.Reply, simulation: Simulation) async throws {
        let (node, _) = try await SmallChain.connect(["eth_call": reply])
        #expect(try await node.simulate(call) == simulation)
    }

    private static func word(_ value: UInt64) -> String { Hex.encode(UInt256(value).bytes) }

    @Test("a contract's text cannot change the lines around it")
    func contractsWords() {
        let text = "a\u{202E}b\n"
        let bytes = Array(text.utf8)
        let data =
            [0x08, 0xC3, 0x79, 0xA0] + UInt256(32).bytes + UInt256(UInt64(bytes.count)).bytes + bytes
            + Array(repeating: 0, count: 32 - bytes.count)
        #expect(RevertReason(data).description == "a<U+202E>b<U+000A>")
        #expect(RevertReason([]).description == "it does not say why")
        #expect(
            RevertReason([0x4E, 0x48, 0x7B, 0x71] + UInt256(0x11).bytes).description
                == "a number would be too large or below zero")
        #expect(RevertReason([0x4E, 0x48, 0x7B, 0x71] + UInt256(0x99).bytes).description.contains("panic 0x99"))
        #expect(RevertReason([1, 2, 3, 4, 5]).description == "with an error of its own, 0x01020304")
    }

    @Test("the result of a call is limited, and a node without the method gives no information about the call")
    func wrongCalls() async throws {
        for wrong in ["0x" + String(repeating: "00", count: 65_537), "0x0", "00"] {
            let (node, _) = try await SmallChain.connect(["eth_call": .result(.string(wrong))])
            await #expect(throws: NodeError.unexpected(.call)) { try await node.simulate(call) }
        }
        let (node, _) = try await SmallChain.connect(["eth_call": .fault(-32_601, "no such method")])
        await #expect(throws: NodeError.rpc(code: -32_601, message: SanitizedText(ofNode: "no such method"))) {
            try await node.simulate(call)
        }
    }

    // MARK: - Broadcast

    @Test("after a wrong or invalid hash the transaction is looked up; if it is not found, the outcome is unknown")
    func otherHash() async throws {
        for wrong in [.string("0x" + String(repeating: "11", count: 32)), "0x", "0x11", .null, true] as [JSON] {
            let answer: [String: ScriptedNode.Reply] = ["eth_sendRawTransaction": .result(wrong)]
            let (node, _) = try await SmallChain.connect(answer)
            try await node.broadcast(try SmallChain.transaction())
            let (hidden, _) = try await SmallChain.connect(answer.merging(SmallChain.hidden) { $1 })
            await #expect(throws: NodeError.outcomeUnknown) {
                try await hidden.broadcast(try SmallChain.transaction())
            }
        }
    }

    @Test("a node's own failure is not a refusal", arguments: [-32_603, -32_002, -32_005] as [Int64])
    func troubles(code: Int64) async throws {
        let answer: [String: ScriptedNode.Reply] = ["eth_sendRawTransaction": .fault(code, "internal error")]
        let (node, _) = try await SmallChain.connect(answer)
        try await node.broadcast(try SmallChain.transaction())
        let (hidden, _) = try await SmallChain.connect(answer.merging(SmallChain.hidden) { $1 })
        await #expect(throws: NodeError.outcomeUnknown) { try await hidden.broadcast(try SmallChain.transaction()) }
        let (clear, _) = try await SmallChain.connect(
            ["eth_sendRawTransaction": .fault(code, "transaction underpriced")].merging(SmallChain.hidden) { $1 })
        await #expect(throws: NodeError.refused(.feeTooLow, SanitizedText(ofNode: "transaction underpriced"))) {
            try await clear.broadcast(try SmallChain.transaction())
        }
    }

    @Test(
        "a transaction that a node has already counts as broadcast",
        arguments: [
            "already known", "AlreadyKnown", "Known transaction",
            "Transaction with the same hash was already imported.",
        ])
    func known(words: String) async throws {
        let (node, _) = try await SmallChain.connect(["eth_sendRawTransaction": .fault(-32_000, words)])
        try await node.broadcast(try SmallChain.transaction())
    }

    @Test(
        "a refusal has a name, by the node's words",
        arguments: [
            ("nonce too low: next nonce 5, tx nonce 0", .nonceTooLow), ("nonce too high", .nonceTooHigh),
            ("replacement transaction underpriced", .replacementUnderpriced), ("transaction underpriced", .feeTooLow),
            ("insufficient funds for gas * price + value", .insufficientFunds),
            ("invalid chain id for signer", .otherChain),
            ("max fee per gas less than block base fee", .feeTooLow),
            ("tx fee (2 ether) exceeds the configured cap (1 ether)", .feeTooHigh),
            ("no", .other),
        ] as [(String, NodeError.Refusal)])
    func refusals(words: String, refusal: NodeError.Refusal) async throws {
        let (node, _) = try await SmallChain.connect([
            "eth_sendRawTransaction": .fault(-32_000, words), "eth_getTransactionReceipt": .result(.null),
            "eth_getTransactionByHash": .result(.null),
        ])
        await #expect(throws: NodeError.refused(refusal, SanitizedText(ofNode: words))) {
            try await node.broadcast(try SmallChain.transaction())
        }
    }

    @Test("a broadcast without an answer is looked up, and never sent a second time")
    func unanswered() async throws {
        for reply in [
            ScriptedNode.Reply.fails(.timedOut(.answering)), .fails(.closed), .fails(.cancelled),
            .raw("busy", status: 502), .raw("<html>"), .raw("", status: 401), .raw("", status: 302),
            // The client knows better than the kind of the error: bytes had left.
            .fails(.notConnected, mayHaveArrived: true),
        ] {
            let silence: [String: ScriptedNode.Reply] = ["eth_sendRawTransaction": reply]
            let (arrived, script) = try await SmallChain.connect(silence)
            try await arrived.broadcast(try SmallChain.transaction())
            #expect(script.methods.count { $0 == "eth_sendRawTransaction" } == 1)
            // A new connection, and no second attempt of the client; a question may have both.
            for call in script.calls {
                #expect((call.repetition == .never) == (call.method == "eth_sendRawTransaction"), "\(call.method)")
            }
            let (lost, again) = try await SmallChain.connect(
                silence.merging(SmallChain.hidden) { $1 })
            await #expect(throws: NodeError.outcomeUnknown) { try await lost.broadcast(try SmallChain.transaction()) }
            #expect(again.methods.count { $0 == "eth_sendRawTransaction" } == 1)
            let (mute, _) = try await SmallChain.connect(
                silence.merging(["eth_getTransactionReceipt": .fails(.timedOut(.answering))]) { $1 })
            await #expect(throws: NodeError.outcomeUnknown) { try await mute.broadcast(try SmallChain.transaction()) }
        }
        for (reason, error) in [
            (.notConnected, .unreachable(.notConnected)), (.closed, .unreachable(.closed)),
            (.untrusted(.expired), .untrusted(.expired)), (.notPinned(.noPins), .notPinned(.noPins)),
            (.notEncrypted, .badConnection(.notAllowed(.notEncrypted))), (.cancelled, .cancelled),
        ] as [(HTTPFailure.Reason, NodeError)] {
            let (nobody, script) = try await SmallChain.connect([
                "eth_sendRawTransaction": .fails(reason, mayHaveArrived: false)
            ])
            let before = script.calls.count
            await #expect(throws: error) { try await nobody.broadcast(try SmallChain.transaction()) }
            #expect(script.calls.count == before + 1, "nothing left, so nothing is looked up")
        }
    }

    // MARK: - Receipts

    @Test("a receipt with another sender or called account is refused; a member that is left out is not missed")
    func otherParties() async throws {
        let transaction = try SmallChain.transaction()
        let whole = try SmallChain.receipt()
        func status(_ members: [(String, JSON)]) async throws -> EthereumTransactionStatus {
            let added = members.map { JSON.Object.Member(name: $0.0, value: $0.1) }
            let receipt = JSON.object(try JSON.Object((whole.object?.members ?? []) + added))
            let (node, _) = try await SmallChain.connect(["eth_getTransactionReceipt": .result(receipt)])
            return try await node.status(of: transaction)
        }
        let (from, to) = (
            JSON.string("0x" + Hex.encode(transaction.sender.bytes)),
            transaction.transaction.to.map { JSON.string("0x" + Hex.encode($0.bytes)) } ?? .null
        )
        let other = JSON.string("0x" + String(repeating: "cc", count: 20))
        for members in [[], [("from", from)], [("from", from), ("to", to)]] {
            guard case .mined = try await status(members) else {
                Issue.record("not mined")
                return
            }
        }
        for members in [[("from", other)], [("from", from), ("to", other)], [("from", .null)], [("to", .null)]] {
            await #expect(throws: NodeError.inconsistent(.receipt)) { _ = try await status(members) }
        }
    }

    @Test("a receipt: confirmations, cost, and outcome")
    func receipt() async throws {
        let hash = try SmallChain.transaction().hash
        func status(_ lies: [String: ScriptedNode.Reply]) async throws -> EthereumTransactionStatus {
            try await SmallChain.connect(lies).node.status(of: hash)
        }
        guard case .mined(let receipt) = try await status([:]) else {
            Issue.record("not mined")
            return
        }
        #expect((receipt.height, receipt.confirmations, receipt.isSuccess, receipt.gasUsed) == (5, 2, true, 21_000))
        #expect(receipt.gasPrice == (try Wei("1gwei")))
        #expect(receipt.contract == nil)
        #expect(try receipt.dataFee == nil && receipt.fee == Wei("21000gwei"))
        // The block has gone.
        let other = JSON.string("0x" + String(repeating: "cc", count: 32))
        #expect(try await status(["eth_getBlockByNumber": .result(["number": "0x5", "hash": other])]) == .waiting)
        #expect(try await status(["eth_getBlockByNumber": .result(.null)]) == .waiting)
        #expect(try await status(["eth_getTransactionReceipt": .result(.null)]) == .waiting)
        #expect(
            try await status([
                "eth_getTransactionReceipt": .result(.null), "eth_getTransactionByHash": .result(.null),
            ]) == .unknown)
    }

    @Test(
        "a receipt that lies, each with its name",
        arguments: [
            ("transactionHash", .string("0x" + String(repeating: "11", count: 32)), .inconsistent(.receipt)),
            ("transactionHash", "0x11", .unexpected(.receipt)), ("blockNumber", .null, .unexpected(.receipt)),
            ("blockNumber", 5, .unexpected(.receipt)), ("blockNumber", "0x05", .unexpected(.receipt)),
            ("blockNumber", "0x6", .inconsistent(.block)), ("blockHash", .null, .unexpected(.receipt)),
            ("status", "0x2", .unexpected(.receipt)), ("status", .null, .unexpected(.receipt)),
            ("status", true, .unexpected(.receipt)),
            ("gasUsed", "0x5207", .unexpected(.receipt)), ("effectiveGasPrice", "1", .unexpected(.receipt)),
            ("contractAddress", "0x11", .unexpected(.receipt)),
        ] as [(String, JSON, NodeError)])
    func receipts(name: String, value: JSON, error: NodeError) async throws {
        let (node, _) = try await SmallChain.connect([
            "eth_getTransactionReceipt": .result(try SmallChain.receipt(name, value))
        ])
        await #expect(throws: error) { try await node.status(of: try SmallChain.transaction().hash) }
    }

    @Test("a receipt from the future, a block with another height, and another transaction than requested")
    func contradictions() async throws {
        let hash = try SmallChain.transaction().hash
        let (future, _) = try await SmallChain.connect(["eth_blockNumber": .result("0x4")])
        await #expect(throws: NodeError.inconsistent(.height)) { try await future.status(of: hash) }
        let (block, _) = try await SmallChain.connect([
            "eth_getBlockByNumber": .result(["number": "0x4", "hash": SmallChain.blockHash])
        ])
        await #expect(throws: NodeError.inconsistent(.block)) { try await block.status(of: hash) }
        let other = JSON.string("0x" + String(repeating: "11", count: 32))
        let (transaction, _) = try await SmallChain.connect(
            ["eth_getTransactionReceipt": .result(.null), "eth_getTransactionByHash": .result(["hash": other])])
        await #expect(throws: NodeError.inconsistent(.transaction)) { try await transaction.status(of: hash) }
    }
}
