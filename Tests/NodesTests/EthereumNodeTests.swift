internal import Amounts
internal import DisplayText
import Encoding
internal import Ethereum
import Nodes
import PinnedHTTP
import TestSupport
import Testing
import Wallet

private typealias JSON = Encoding.JSON

@Suite(
    "A real EVM", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)), .timeLimit(.minutes(20))
)
struct EthereumNodeTests {
    private struct Bench {
        let address: NodeAddress
        let transport: PinnedClient
        let node: EthereumNode

        init(_ peer: borrowing EVMNode) async throws {
            address = try NodeAddress(peer.url)
            transport = try client(to: address)
            node = try await EthereumNode(
                at: address, on: try ChainID(TestAccount.chain), over: transport,
                NodeRetryPolicy(clock: ContinuousClock()))
        }

        /// Facts that only the peer knows.
        @discardableResult
        func tell(_ method: String, _ parameters: [JSON] = []) async throws -> JSON {
            try #require(try JSON(decoding: try await answer(method, parameters))["result"])
        }

        /// Returns the body of the answer.
        func answer(_ method: String, _ parameters: [JSON]) async throws -> [UInt8] {
            let question: JSON = ["id": 1, "method": .string(method), "params": .array(parameters)]
            let request = try #require(
                HTTPRequest(
                    .post, "/", at: address.origin, headers: [HTTPHeader("Content-Type", "application/json")],
                    body: question.encoded))
            return try await transport.send(request).body
        }
    }

    private static let bounds = GasPriceBounds(
        maxFeePerGas: Wei(UInt256(200_000_000_000)), maxPriorityFeePerGas: Wei(UInt256(50_000_000_000)))

    private static func refusal(_ error: any Error) -> NodeError.Refusal? {
        guard case .refused(let refusal, _) = error as? NodeError else { return nil }
        return refusal
    }

    @Test("a payment: balance, nonce, fees, gas, broadcast twice, replaced, mined, and undone by another chain")
    func payment() async throws {
        let peer = try EVMNode(chain: TestAccount.chain)
        let bench = try await Bench(peer)
        let node = bench.node
        await #expect(
            throws: NodeError.wrongChain(
                expected: "Ethereum (chain 1)", found: SanitizedText(ofNode: "local test chain (chain 31337)"))
        ) {
            _ = try await EthereumNode(
                at: bench.address, on: .ethereum, over: bench.transport, NodeRetryPolicy(clock: ContinuousClock()))
        }

        let account = try TestAccount.address()
        let other = try EthereumAddress(bytes: Array(repeating: 0x35, count: 20))
        #expect(try await node.balance(of: account) == .zero)
        try await bench.tell("evm_fund", [.string(account.description), .string(try Wei("1eth").value.quantity)])
        #expect(try await node.balance(of: account) == Wei("1eth"))
        #expect(try await node.nonces(of: account).latest == 0)
        #expect(try await node.code(at: account) == .none)
        let prices = try await node.gasPrices(within: Self.bounds)
        #expect(prices.normal.maxPriorityFeePerGas == (try Wei("1gwei")))
        #expect(
            prices.low.maxFeePerGas < prices.normal.maxFeePerGas
                && prices.normal.maxFeePerGas < prices.high.maxFeePerGas)
        let call = EthereumCall(from: account, to: other, value: try Wei("0.1eth"), data: [])
        #expect(try await node.gasLimit(for: call) == 21_000)
        #expect(try await node.simulate(call) == .returns([]))

        let first = try TestAccount.sign(nonce: 0, to: other, value: try Wei("0.1eth"), fees: prices.normal)
        #expect(try await node.status(of: first.hash) == .unknown)
        try await node.broadcast(first)
        try await node.broadcast(first)
        #expect(try await node.status(of: first.hash) == .waiting)
        let nonces = try await node.nonces(of: account)
        #expect((nonces.latest, nonces.pending) == (0, 1))

        // One wei less than a tenth more is too little, for the node and for the ledger; a tenth more is enough.
        let least = try first.transaction.leastReplacementFees()
        let short = EthereumTransaction.Fees(
            maxPriorityFeePerGas: try least.maxPriorityFeePerGas.subtracting(Wei(1)), maxFeePerGas: least.maxFeePerGas)
        let cheap = try TestAccount.sign(nonce: 0, to: account, fees: short)
        await #expect { try await node.broadcast(cheap) } throws: { Self.refusal($0) == .replacementUnderpriced }
        let cancelled = try TestAccount.sign(nonce: 0, to: account, fees: least)
        try await node.broadcast(cancelled)
        #expect(try await node.status(of: first.hash) == .unknown)

        let before = try await bench.tell("evm_snapshot")
        try await bench.tell("evm_mine")
        guard case .mined(let receipt) = try await node.status(of: cancelled.hash) else {
            Issue.record("not mined")
            return
        }
        #expect((receipt.height, receipt.confirmations, receipt.isSuccess, receipt.gasUsed) == (2, 1, true, 21_000))
        #expect(try await node.height() == 2)
        try await bench.tell("evm_mine")
        guard case .mined(let later) = try await node.status(of: cancelled.hash) else { return }
        #expect(later.confirmations == 2)
        // The node answers "nonce too low" for a mined transaction, and for one that it does not have.
        try await node.broadcast(cancelled)
        await #expect { try await node.broadcast(first) } throws: { Self.refusal($0) == .nonceTooLow }

        try await bench.tell("evm_revert", [before])
        #expect(try await node.status(of: cancelled.hash) == .unknown)
        #expect(try await node.nonces(of: account).latest == 0)
        try await node.broadcast(cancelled)
        #expect(try await node.status(of: cancelled.hash) == .waiting)
    }

    @Test("a node's refusal has a name, and another chain's transaction is never sent")
    func refusals() async throws {
        let peer = try EVMNode(chain: TestAccount.chain)
        let bench = try await Bench(peer)
        let fees = try TestAccount.fees()
        let poor = try TestAccount.sign(nonce: 0, to: .zero, value: try Wei("1eth"), fees: fees)
        await #expect { try await bench.node.broadcast(poor) } throws: { Self.refusal($0) == .insufficientFunds }
        let foreign = try TestAccount.sign(nonce: 0, to: .zero, fees: fees, chain: 1)
        await #expect { try await bench.node.broadcast(foreign) } throws: { error in
            guard case .wrongChain = error as? NodeError else { return false }
            return true
        }
        // The peer would refuse it too.
        let answer = try await bench.answer(
            "eth_sendRawTransaction", [.string("0x" + Hex.encode(foreign.encoded))])
        #expect(String(decoding: answer, as: UTF8.self).contains("invalid chain id"))
    }

    @Test("a token: its code, a successful transfer, and one that the contract refuses with a reason")
    func token() async throws {
        let peer = try EVMNode(chain: TestAccount.chain)
        let bench = try await Bench(peer)
        let node = bench.node
        let account = try TestAccount.address()
        try await bench.tell("evm_fund", [.string(account.description), .string(try Wei("1eth").value.quantity)])
        // The same code as the peer's own, from our account, so that it has the tokens.
        let code = try Hex.decode(String(try EVMNode.tokenCode().dropFirst(2)))
        let creation = EthereumCall(from: account, to: nil, value: .zero, data: code)
        let gas = try await node.gasLimit(for: creation)
        #expect(gas > 200_000 && gas < 1_000_000)
        let fees = try TestAccount.fees()
        let deployed = try TestAccount.sign(nonce: 0, to: nil, data: code, gas: gas, fees: fees)
        try await node.broadcast(deployed)
        try await bench.tell("evm_mine")
        guard case .mined(let receipt) = try await node.status(of: deployed.hash), let token = receipt.contract
        else {
            Issue.record("not deployed")
            return
        }
        guard case .contract(let size) = try await node.code(at: token) else {
            Issue.record("no code")
            return
        }
        #expect(size > 500)

        func transfer(_ amount: UInt64, from: EthereumAddress) -> EthereumCall {
            let word = UInt256(amount).bytes
            let recipient = [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 0x35, count: 20)
            return EthereumCall(from: from, to: token, value: .zero, data: [0xA9, 0x05, 0x9C, 0xBB] + recipient + word)
        }
        #expect(try await node.simulate(transfer(5, from: account)) == .returns(UInt256(1).bytes))
        let tooMuch = transfer(2_000_000_000_000, from: account)
        #expect(try await node.simulate(tooMuch) == .reverts(.words(SanitizedText(ofNode: "insufficient"))))
        await #expect { _ = try await node.gasLimit(for: tooMuch) } throws: { error in
            guard case .rpc(code: 3, _) = error as? NodeError else { return false }
            return true
        }
        let unknown = EthereumCall(from: account, to: token, value: .zero, data: [1, 2, 3, 4])
        #expect(try await node.simulate(unknown) == .reverts(.none))
        let call = transfer(5, from: account)
        let gasForTransfer = try await node.gasLimit(for: call)
        let paid = try TestAccount.sign(nonce: 1, to: token, data: call.data, gas: gasForTransfer, fees: fees)
        try await node.broadcast(paid)
        // Mined, and failed: the amount is too high by then.
        let failing = try TestAccount.sign(nonce: 2, to: token, data: tooMuch.data, gas: gasForTransfer, fees: fees)
        try await node.broadcast(failing)
        try await bench.tell("evm_mine")
        guard case .mined(let good) = try await node.status(of: paid.hash),
            case .mined(let bad) = try await node.status(of: failing.hash)
        else {
            Issue.record("not mined")
            return
        }
        #expect((good.isSuccess, bad.isSuccess) == (true, false))
        #expect(good.gasUsed < gasForTransfer)
    }
}
