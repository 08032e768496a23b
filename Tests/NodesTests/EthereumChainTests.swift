internal import Amounts
internal import DisplayText
import Encoding
internal import Ethereum
import Nodes
import Testing
import Wallet

/// Fees of Ethereum-like chains, as their nodes report them.
@Suite("Fees of Ethereum-like chains")
struct EthereumChainTests {
    private static func connect(
        _ chain: UInt64, _ answer: @escaping @Sendable (ScriptedNode.Call) -> ScriptedNode.Reply?
    ) async throws -> (node: EthereumNode, script: ScriptedNode) {
        let id = JSON.string(UInt256(chain).quantity)
        let script = ScriptedNode { call in
            if call.method == "eth_chainId" { return .result(id) }
            return answer(call) ?? .fault(-32_601, "the method \(call.method) does not exist")
        }
        let node = try await EthereumNode(
            at: try NodeAddress("http://localhost"), on: try ChainID(chain), over: script, .hasty)
        return (node, script)
    }

    /// The same as ``connect(_:_:)``, with an answer to each method.
    private static func connect(
        _ chain: UInt64, _ answers: [String: ScriptedNode.Reply]
    ) async throws -> (node: EthereumNode, script: ScriptedNode) {
        try await connect(chain) { call in answers[call.method] }
    }

    private static func transaction(_ chain: UInt64, gas: UInt64 = 21_000) throws -> EthereumTransaction {
        try EthereumTransaction(
            chainID: try ChainID(chain), nonce: 0, gasLimit: gas, to: .zero, value: Wei(1), data: [],
            kind: .dynamicFee(try TestAccount.fees(), []))
    }

    private static func word(_ number: UInt64) -> JSON { .string("0x" + Hex.encode(UInt256(number).bytes)) }

    // MARK: - Gas

    @Test("a payment without code takes 21,000 gas on Ethereum, whatever a node says; elsewhere the node is asked")
    func leastGas() async throws {
        let call = EthereumCall(from: .zero, to: .zero, value: Wei(1), data: [])
        for (chain, isExact) in [
            (1, true), (11_155_111, true), (42_161, false), (8_453, false), (12_345, false), (31_337, false),
        ] as [(UInt64, Bool)] {
            let (node, _) = try await Self.connect(chain, ["eth_getCode": .result("0x")])
            #expect(try await node.takesLeastGas(call) == isExact, "\(chain)")
            #expect(try await node.runsNoCode(call))
        }
        // Code at the payee runs, also that of a delegated account.
        for code in ["0x6001", "0xef0100" + String(repeating: "35", count: 20)] {
            let (node, _) = try await Self.connect(1, ["eth_getCode": .result(.string(code))])
            #expect(try await node.takesLeastGas(call) == false)
            #expect(try await node.runsNoCode(call) == false)
        }
    }

    @Test("a replacement gets more gas if the chain requires it, and never less")
    func replacement() async throws {
        let answers: [String: ScriptedNode.Reply] = [
            "eth_getCode": .result("0x"), "eth_estimateGas": .result("0x186a0"),
        ]
        func limit(_ chain: UInt64, gas: UInt64, mayFail: Bool = false, _ more: [String: ScriptedNode.Reply] = [:])
            async throws
            -> UInt64
        {
            let (node, _) = try await Self.connect(chain, answers.merging(more) { $1 })
            return try await node.gasLimit(
                replacing: try Self.transaction(chain, gas: gas), from: .zero, mayFail: mayFail)
        }
        #expect(try await limit(42_161, gas: 21_000) == 120_000)
        #expect(try await limit(42_161, gas: 200_000) == 200_000)
        #expect(try await limit(1, gas: 21_000) == 21_000)
        #expect(try await limit(1, gas: 21_000, ["eth_getCode": .result("0x6001")]) == 120_000)
        let fails: [String: ScriptedNode.Reply] = ["eth_estimateGas": .fault(3, "execution reverted")]
        #expect(try await limit(42_161, gas: 30_000, mayFail: true, fails) == 30_000)
        await #expect(throws: NodeError.rpc(code: 3, message: SanitizedText(ofNode: "execution reverted"))) {
            _ = try await limit(42_161, gas: 30_000, fails)
        }
    }

    // MARK: - Further fees

    @Test(
        "on a chain of the OP stack the oracle tells a fee for the data of this very transaction, and an operator's fee"
    )
    func oracle() async throws {
        let transaction = try Self.transaction(8_453)
        let (node, script) = try await Self.connect(8_453) { call in
            guard call.method == "eth_call", let data = call.parameters.first?["data"]?.string else { return nil }
            return .result(data.hasPrefix("0x49948e0e") ? Self.word(1_000) : Self.word(23))
        }
        #expect(try await node.furtherFee(of: transaction) == .now(1_023))
        #expect(FurtherFee.now(1_023).reserve == 2_046 && FurtherFee.now(.maximum).reserve == .maximum)
        let questions = script.calls.filter { $0.method == "eth_call" }.compactMap { $0.parameters.first }
        #expect(
            questions.map { $0["to"]?.string }
                == Array(repeating: "0x420000000000000000000000000000000000000f", count: 2))
        let data = try #require(questions.first?["data"]?.string)
        #expect(data.contains(Hex.encode(transaction.encoded)))
        #expect(questions.last?["data"]?.string == "0x275aedd2" + Hex.encode(UInt256(21_000).bytes))
    }

    @Test(
        "an oracle without an operator's fee tells one number; one that refuses, or tells none, leaves the fee untold")
    func silentOracle() async throws {
        func fee(_ data: ScriptedNode.Reply, _ operatorFee: ScriptedNode.Reply) async throws -> FurtherFee {
            let (node, _) = try await Self.connect(10) { call in
                call.parameters.first?["data"]?.string?.hasPrefix("0x49948e0e") == true ? data : operatorFee
            }
            return try await node.furtherFee(of: try Self.transaction(10))
        }
        let no = ScriptedNode.Reply.fault(3, "execution reverted")
        #expect(try await fee(.result(Self.word(7)), no) == .now(7))
        #expect(try await fee(no, .result(Self.word(7))) == .untold)
        #expect(try await fee(.result("0x"), no) == .untold)
        #expect(try await fee(.result("0x07"), no) == .untold)
        let most = JSON.string("0x" + String(repeating: "f", count: 64))
        await #expect(throws: NodeError.unexpected(.fee)) { _ = try await fee(.result(most), .result(Self.word(1))) }
    }

    @Test("Scroll's oracle also gets the size of the signature; without an oracle no node is asked")
    func others() async throws {
        let scroll = try Self.transaction(534_352)
        let (node, script) = try await Self.connect(534_352, ["eth_call": .result(Self.word(5))])
        #expect(try await node.furtherFee(of: scroll) == .now(5))
        let calls = script.calls.filter { $0.method == "eth_call" }
        #expect(
            calls.count == 1 && calls.first?.parameters.first?["to"] == "0x5300000000000000000000000000000000000002")
        let data = try #require(calls.first?.parameters.first?["data"]?.string)
        #expect(data.contains(Hex.encode(scroll.encoded) + String(repeating: "ff", count: 68)))
        for chain in [1, 137, 42_161] as [UInt64] {
            let (node, script) = try await Self.connect(chain, [:])
            #expect(try await node.furtherFee(of: try Self.transaction(chain)) == .none)
            #expect(script.methods == ["eth_chainId"])
        }
    }

    @Test(
        "on a chain that is not known the oracle is looked for; without one, whether there is a further fee is not known"
    )
    func unknownChain() async throws {
        let answers: [String: ScriptedNode.Reply] = ["eth_call": .result(Self.word(5))]
        for (chain, code, expected) in [
            (12_345, "0x6001", .now(10)), (12_345, "0x", .possible), (31_337, "0x6001", .now(10)),
            (31_337, "0x", .none),
        ] as [(UInt64, String, FurtherFee)] {
            let (node, _) = try await Self.connect(
                chain, answers.merging(["eth_getCode": .result(.string(code))]) { $1 })
            #expect(try await node.furtherFee(of: try Self.transaction(chain)) == expected, "\(chain) \(code)")
        }
    }

    @Test(
        "all fees together stay within the sum that the person allows, and a price for block producers within the chain's"
    )
    func bounds() throws {
        let base = try ChainID(8_453)
        let bounds = try GasPriceBounds(
            spending: try Wei("0.002eth"), on: base, gas: 100_000, beside: .now(try Wei("0.0005eth").value))
        #expect(try bounds.maxFeePerGas == Wei("10gwei") && bounds.maxPriorityFeePerGas == Wei("5gwei"))
        let tight = try GasPriceBounds(spending: try Wei("100000gwei"), on: base, gas: 100_000, beside: .none)
        #expect(try tight.maxFeePerGas == Wei("1gwei") && tight.maxPriorityFeePerGas == Wei("1gwei"))
        let generous = try GasPriceBounds(spending: try Wei("1eth"), on: .ethereum, gas: 21_000, beside: .untold)
        #expect(try generous.maxPriorityFeePerGas == Wei("20gwei"))
        #expect(throws: NodeError.feeAboveCeiling(SanitizedText(ofNode: "0.002 ETH beside the fee for gas"))) {
            _ = try GasPriceBounds(
                spending: try Wei("0.0019eth"), on: base, gas: 21_000, beside: .now(try Wei("0.001eth").value))
        }
    }

    @Test("the cost of a mined transaction includes the fee beside gas, if the node reports it")
    func receipts() async throws {
        let hash = [UInt8](repeating: 0xAA, count: 32)
        let text = JSON.string("0x" + Hex.encode(hash))
        func receipt(_ fee: JSON) async throws -> EthereumTransactionStatus {
            let (node, _) = try await Self.connect(
                8_453,
                [
                    "eth_getTransactionReceipt": .result([
                        "transactionHash": text, "blockNumber": "0x5", "blockHash": text, "status": "0x1",
                        "gasUsed": "0x5208", "effectiveGasPrice": "0x3b9aca00", "contractAddress": .null, "l1Fee": fee,
                    ]),
                    "eth_getBlockByNumber": .result(["number": "0x5", "hash": text]), "eth_blockNumber": .result("0x5"),
                ])
            return try await node.status(of: hash)
        }
        guard case .mined(let receipt) = try await receipt("0x64") else {
            Issue.record("not mined")
            return
        }
        #expect(try receipt.dataFee == Wei(100) && receipt.fee == Wei("21000gwei").adding(Wei(100)))
        for wrong in ["0x", 100, "100"] as [JSON] {
            let (node, _) = try await Self.connect(
                8_453,
                [
                    "eth_getTransactionReceipt": .result([
                        "transactionHash": text, "blockNumber": "0x5", "blockHash": text, "status": "0x1",
                        "gasUsed": "0x5208", "effectiveGasPrice": "0x3b9aca00", "l1Fee": wrong,
                    ])
                ])
            await #expect(throws: NodeError.unexpected(.receipt)) { _ = try await node.status(of: hash) }
        }
    }

    // MARK: - Prices

    private static let wide = GasPriceBounds(
        maxFeePerGas: Wei(100_000_000_000), maxPriorityFeePerGas: Wei(50_000_000_000))

    @Test("a node without a fee history is asked for its newest block, and for its suggested tip or its price")
    func withoutHistory() async throws {
        let block: [String: ScriptedNode.Reply] = ["eth_getBlockByNumber": .result(["baseFeePerGas": "0x3b9aca00"])]
        for (more, tip) in [
            (["eth_maxPriorityFeePerGas": .result("0x77359400")], "2gwei"),
            // The price less the highest base fee of the next block, 1.125 gwei.
            (["eth_gasPrice": .result("0xb2d05e00")], "1.875gwei"), (["eth_gasPrice": .result("0x1")], "1000000wei"),
        ] as [([String: ScriptedNode.Reply], String)] {
            let (node, _) = try await Self.connect(12_345, block.merging(more) { $1 })
            let prices = try await node.gasPrices(within: Self.wide)
            #expect(try prices.baseFee == Wei("1.125gwei") && prices.normal.maxPriorityFeePerGas == Wei(tip), "\(tip)")
        }
        // An error for another reason does not count as a missing method.
        let (node, _) = try await Self.connect(
            12_345, block.merging(["eth_feeHistory": .fault(-32_000, "header not found")]) { $1 })
        await #expect(throws: NodeError.rpc(code: -32_000, message: SanitizedText(ofNode: "header not found"))) {
            _ = try await node.gasPrices(within: Self.wide)
        }
    }

    @Test("a chain without a base fee is reported by name, whichever way its node shows it")
    func withoutBaseFee() async throws {
        for history in [
            .fault(-32_601, "no such method"), .result(["oldestBlock": "0x1", "reward": []]),
            .result(["oldestBlock": "0x1", "baseFeePerGas": .null]),
        ] as [ScriptedNode.Reply] {
            let (node, _) = try await Self.connect(
                12_345,
                [
                    "eth_feeHistory": history, "eth_maxPriorityFeePerGas": .result("0x1"),
                    "eth_getBlockByNumber": .result(["number": "0x5"]),
                ])
            await #expect(throws: NodeError.noBaseFee) { _ = try await node.gasPrices(within: Self.wide) }
        }
    }
}
