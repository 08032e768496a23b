import Bitcoin
import DisplayText
import HDKeys
import Nodes
import Synchronization
import Wallet

/// A chain of Bitcoin in memory, of whose node a test says what goes wrong.
final class ScriptedChain: BitcoinChain {
    /// What the node does with the next transaction that is handed to it.
    enum Handover: Sendable {
        case takes
        /// It takes it, and the answer is lost; nor does it show it.
        case takesWithoutAnswer
        case refuses
        /// Nothing reaches it.
        case away
    }

    private struct State {
        var coins: [OutPoint: ChainCoin] = [:]
        var waiting: [TransactionID: Transaction] = [:]
        var mined: [TransactionID: (transaction: Transaction, height: UInt32)] = [:]
        var height: UInt32 = 200
        var handovers: [Handover] = []
        var taken: [Transaction] = []
        var isBlind = false
        var looks = 0
        var minesAtLook: Int?
    }

    let network = Network.regtest
    private let state = Mutex(State())

    /// Everything that the node took, in order.
    var taken: [Transaction] { state.withLock(\.taken) }
    var looks: Int { state.withLock(\.looks) }

    /// Pays so much to a script, in a block.
    func fund(_ script: ScriptPubKey, _ satoshis: UInt64) throws -> OutPoint {
        let number = UInt8(state.withLock(\.coins).count + 1)
        let source = OutPoint(
            transaction: try TransactionID(
                String(repeating: number < 16 ? "0\(String(number, radix: 16))" : "7f", count: 32)),
            index: UInt32(number))
        let transaction = Transaction(
            version: 2, inputs: [TransactionInput(previousOutput: source, sequence: 0xFFFF_FFFD)],
            outputs: [TransactionOutput(amount: try Amount(satoshis: satoshis), scriptPubKey: script)], lockTime: 0)
        let coin = try ChainCoin(OutPoint(transaction: transaction.id, index: 0), of: transaction, confirmations: 10)
        state.withLock { state in
            state.coins[coin.outPoint] = coin
            state.mined[transaction.id] = (transaction, 190)
        }
        return coin.outPoint
    }

    /// Says what becomes of the next transactions; afterwards the node takes them.
    func next(_ handovers: Handover...) { state.withLock { $0.handovers = handovers } }

    /// Has the node show no transaction that waits, or show them again.
    func setBlind(_ isBlind: Bool) { state.withLock { $0.isBlind = isBlind } }

    /// Has the node forget what waits.
    func forget() { state.withLock { $0.waiting = [:] } }

    /// Mines what waits, now or when it is looked for so often.
    func mine(atLook look: Int? = nil) {
        state.withLock { state in
            if let look { state.minesAtLook = state.looks + look } else { Self.mine(&state) }
        }
    }

    private static func mine(_ state: inout State) {
        state.height += 1
        for (id, transaction) in state.waiting {
            state.mined[id] = (transaction, state.height)
            for input in transaction.inputs { state.coins[input.previousOutput] = nil }
        }
        state.waiting = [:]
    }

    // MARK: - BitcoinChain

    func height() throws(NodeError) -> UInt32 { state.withLock(\.height) }

    func coins(of scripts: [ScriptPubKey]) throws(NodeError) -> CoinList {
        let known = Set(scripts)
        return state.withLock { state in
            let spent = Set(state.waiting.values.flatMap { $0.inputs.map(\.previousOutput) })
            let coins = state.coins.values.filter {
                known.contains($0.output.scriptPubKey) && !spent.contains($0.outPoint)
            }
            return CoinList(Array(coins), leavingOut: [], crowded: [])
        }
    }

    func coin(at outPoint: OutPoint) throws(NodeError) -> ChainCoin? { state.withLock { $0.coins[outPoint] } }

    func coins(of scripts: Set<ScriptPubKey>, in transaction: Transaction) throws(NodeError) -> [ChainCoin] {
        var coins: [ChainCoin] = []
        for (index, output) in transaction.outputs.enumerated() where scripts.contains(output.scriptPubKey) {
            coins.append(
                try ChainCoin(
                    OutPoint(transaction: transaction.id, index: UInt32(index)), of: transaction, confirmations: 0))
        }
        return coins
    }

    func used(_ scripts: [ScriptPubKey]) throws(NodeError) -> Set<ScriptPubKey>? { nil }

    func holding(_ scripts: [ScriptPubKey]) throws(NodeError) -> Set<ScriptPubKey> {
        Set(try coins(of: scripts).coins.map(\.output.scriptPubKey))
    }

    func transaction(_ id: TransactionID) throws(NodeError) -> Transaction? {
        state.withLock { state in (state.isBlind ? nil : state.waiting[id]) ?? state.mined[id]?.transaction }
    }

    func feeRates() throws(NodeError) -> FeeRateSuggestion {
        FeeRateSuggestion(
            low: FeeRate(satoshisPerKilobyte: 2_000), normal: FeeRate(satoshisPerKilobyte: 4_000),
            high: FeeRate(satoshisPerKilobyte: 8_000))
    }

    func incrementalFeeRate() throws(NodeError) -> FeeRate? { FeeRate(satoshisPerKilobyte: 1_000) }

    func acceptance(of transaction: Transaction) throws(NodeError) -> Acceptance { .notTold }

    func broadcast(_ transaction: Transaction) throws(NodeError) {
        let handover = state.withLock { state in
            let handover = state.handovers.isEmpty ? .takes : state.handovers.removeFirst()
            if [.takes, .takesWithoutAnswer].contains(handover) {
                state.taken.append(transaction)
                // What spends the same gives way.
                let spent = Set(transaction.inputs.map(\.previousOutput))
                state.waiting = state.waiting.filter { spent.isDisjoint(with: $0.value.inputs.map(\.previousOutput)) }
                state.waiting[transaction.id] = transaction
            }
            return handover
        }
        switch handover {
        case .takes: return
        case .takesWithoutAnswer: throw .outcomeUnknown
        case .refuses: throw .refused(.feeTooLow, SanitizedText("too little", limit: 100, lines: .one))
        case .away: throw .unreachable(.notConnected)
        }
    }

    func status(of id: TransactionID) throws(NodeError) -> TransactionStatus {
        state.withLock { state in
            state.looks += 1
            if state.minesAtLook == state.looks { Self.mine(&state) }
            if let (_, height) = state.mined[id] {
                return .mined(height: height, confirmations: state.height - height + 1)
            }
            return !state.isBlind && state.waiting[id] != nil ? .waiting : .unknown
        }
    }

    func search(for id: TransactionID, from first: UInt32) throws(NodeError) -> BlockSearch {
        if case .mined(let height, let confirmations) = try status(of: id) {
            return .found(height: height, confirmations: confirmations)
        }
        return .absent
    }

    func queue(of id: TransactionID) throws(NodeError) -> MempoolAncestry? {
        guard let transaction = try transaction(id), case .waiting = try status(of: id) else { return nil }
        return MempoolAncestry(
            ancestorFees: .zero, ancestorSize: transaction.virtualSize, descendantCount: 0, descendantFees: .zero)
    }
}
