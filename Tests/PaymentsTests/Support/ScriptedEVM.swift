import Amounts
import Encoding
import Ethereum
import Nodes
import PinnedHTTP
import Synchronization

import class TestSupport.HastyClock

/// An Ethereum-like chain in memory, behind the interface of a node; a test chooses its faults.
final class ScriptedEVM: HTTPTransport {
    /// The node's treatment of the next transaction.
    enum Handover: Sendable {
        case takes
        /// It accepts the transaction and hides it, and the answer is lost.
        case takesWithoutAnswer
        case refuses
    }

    /// What a node knows, and what it does next.
    struct State: Sendable {
        var balance = UInt256(1_000_000_000_000_000_000)
        var waiting: [[UInt8]: SignedEthereumTransaction] = [:]
        /// How many numbers are used by transactions of which the node shows nothing.
        var usedElsewhere: UInt64 = 0
        var mined: [[UInt8]: (transaction: SignedEthereumTransaction, height: UInt64, succeeds: Bool)] = [:]
        var height: UInt64 = 10
        var handovers: [Handover] = []
        var taken: [SignedEthereumTransaction] = []
        var isBlind = false
        var looks = 0
        var minesAtLook: Int?
        var failsAtLook: (looks: Range<Int>, error: HTTPFailure)?
    }

    static let chain = ChainID.localTest
    private let state = Mutex(State())

    /// The state, to be restored: with the node as it was then.
    var saved: State { state.withLock(\.self) }
    func restore(_ saved: State) { state.withLock { $0 = saved } }

    /// Everything that is in a block or waits.
    var present: [SignedEthereumTransaction] {
        state.withLock { $0.waiting.values + $0.mined.values.map(\.transaction) }
    }

    /// Everything that the node took, in order.
    var taken: [SignedEthereumTransaction] { state.withLock(\.taken) }

    func node() async throws -> EthereumNode {
        try await EthereumNode(
            at: try NodeAddress("http://localhost"), on: Self.chain, over: self, NodeRetryPolicy(clock: HastyClock()))
    }

    func next(_ handovers: Handover...) { state.withLock { $0.handovers = handovers } }
    /// What some looks for a receipt end with.
    func fail(atLook look: Int, times: Int, _ error: HTTPFailure) {
        state.withLock { $0.failsAtLook = ($0.looks + look..<$0.looks + look + times, error) }
    }

    /// Has blocks use so many numbers of the account, by transactions of which the node shows nothing.
    func use(_ count: UInt64) { state.withLock { $0.usedElsewhere = count } }

    /// Has the node forget what waits.
    func forget() { state.withLock { $0.waiting = [:] } }

    /// Has the node show no transaction that waits, or show them again.
    func setBlind(_ isBlind: Bool) { state.withLock { $0.isBlind = isBlind } }

    /// Mines the unconfirmed transactions, now or after this many polls.
    func mine(succeeds: Bool = true, atLook look: Int? = nil) {
        state.withLock { state in
            if let look { state.minesAtLook = state.looks + look } else { Self.mine(&state, succeeds) }
        }
    }

    private static func mine(_ state: inout State, _ succeeds: Bool) {
        state.height += 1
        for (hash, transaction) in state.waiting { state.mined[hash] = (transaction, state.height, succeeds) }
        state.waiting = [:]
    }

    // MARK: - The interface

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        guard let question = try? JSON(decoding: request.body) else {
            throw HTTPFailure(.notHTTP, mayHaveArrived: true)
        }
        let parameters = question["params"]?.array ?? []
        let id = question["id"] ?? .null
        let response: JSON
        switch try answer(question["method"]?.string ?? "", parameters) {
        case .result(let result): response = ["jsonrpc": "2.0", "id": id, "result": result]
        case .fault(let code, let words):
            response = ["jsonrpc": "2.0", "id": id, "error": ["code": JSON(code), "message": .string(words)]]
        }
        return HTTPResponse(status: 200, body: response.encoded)
    }

    private enum Answer {
        case result(JSON)
        case fault(Int64, String)
    }

    private func answer(_ method: String, _ parameters: [JSON]) throws(HTTPFailure) -> Answer {
        switch method {
        case "eth_chainId": .result(Self.quantity(Self.chain.value))
        case "eth_blockNumber": .result(Self.quantity(state.withLock(\.height)))
        case "eth_getBalance": .result(.string(state.withLock(\.balance).quantity))
        case "eth_getTransactionCount": .result(count(parameters.last?.string == "pending"))
        case "eth_getCode", "eth_call": .result("0x")
        case "eth_estimateGas": .result("0x5208")
        case "eth_maxPriorityFeePerGas": .result("0x3b9aca00")
        case "eth_feeHistory":
            .result([
                "oldestBlock": "0x1", "baseFeePerGas": ["0x3b9aca00", "0x3b9aca00"], "gasUsedRatio": [0],
                "reward": [["0x5f5e100", "0x3b9aca00", "0x77359400"]],
            ])
        case "eth_sendRawTransaction": try take(parameters.first?.string ?? "")
        case "eth_getTransactionReceipt": .result(try receipt(Self.hash(parameters)))
        case "eth_getTransactionByHash": .result(transaction(Self.hash(parameters)))
        case "eth_getBlockByNumber":
            .result(["number": parameters.first ?? .null, "hash": Self.blockHash, "baseFeePerGas": "0x3b9aca00"])
        default: .fault(-32_601, "no such method")
        }
    }

    private static let blockHash = JSON.string("0x" + String(repeating: "bb", count: 32))

    private static func quantity(_ number: UInt64) -> JSON { .string(UInt256(number).quantity) }

    private static func hash(_ parameters: [JSON]) -> [UInt8] {
        (try? Hex.decode(String((parameters.first?.string ?? "").dropFirst(2)))) ?? []
    }

    private func count(_ isPending: Bool) -> JSON {
        state.withLock { state in
            let waiting = isPending && !state.isBlind ? Array(state.waiting.values) : []
            let used = (state.mined.values.map(\.transaction) + waiting).map { $0.transaction.nonce + 1 }
            return Self.quantity(max(used.max() ?? 0, state.usedElsewhere))
        }
    }

    private func take(_ text: String) throws(HTTPFailure) -> Answer {
        guard let bytes = try? Hex.decode(String(text.dropFirst(2))),
            let transaction = try? SignedEthereumTransaction(decoding: bytes)
        else { return .fault(-32_602, "malformed") }
        let handover = state.withLock { state in
            let handover = state.handovers.isEmpty ? .takes : state.handovers.removeFirst()
            if handover != .refuses {
                state.taken.append(transaction)
                state.waiting = state.waiting.filter { $0.value.transaction.nonce != transaction.transaction.nonce }
                state.waiting[transaction.hash] = transaction
                if handover == .takesWithoutAnswer { state.isBlind = true }
            }
            return handover
        }
        switch handover {
        case .takes: return .result(.string("0x" + Hex.encode(transaction.hash)))
        case .takesWithoutAnswer: throw HTTPFailure(.timedOut(.answering), mayHaveArrived: true)
        case .refuses: return .fault(-32_000, "fee too low")
        }
    }

    private func receipt(_ hash: [UInt8]) throws(HTTPFailure) -> JSON {
        let failure = state.withLock { state in
            state.looks += 1
            return state.failsAtLook.flatMap { $0.looks.contains(state.looks) ? $0.error : nil }
        }
        if let failure { throw failure }
        return state.withLock { state in
            if state.minesAtLook == state.looks { Self.mine(&state, true) }
            guard let (_, height, succeeds) = state.mined[hash] else { return .null }
            return [
                "transactionHash": .string("0x" + Hex.encode(hash)), "blockNumber": Self.quantity(height),
                "blockHash": Self.blockHash, "status": succeeds ? "0x1" : "0x0", "gasUsed": "0x5208",
                "effectiveGasPrice": "0x3b9aca00", "contractAddress": .null,
            ]
        }
    }

    private func transaction(_ hash: [UInt8]) -> JSON {
        state.withLock { state in
            !state.isBlind && state.waiting[hash] != nil ? ["hash": .string("0x" + Hex.encode(hash))] : .null
        }
    }
}

extension ChainID {
    /// The chain of local development nodes.
    fileprivate static let localTest: ChainID = {
        guard let chain = try? ChainID(31_337) else { preconditionFailure("the number of a chain") }
        return chain
    }()
}
