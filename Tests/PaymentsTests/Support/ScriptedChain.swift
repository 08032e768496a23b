import Bitcoin
import DisplayText
import HDKeys
import Nodes
import Synchronization
import Wallet

/// A Bitcoin chain in memory; a test chooses its node's faults.
final class ScriptedChain: BitcoinChain {
    /// The node's treatment of the next transaction.
    enum Handover: Sendable {
        case takes
        /// It accepts the transaction, but the answer is lost and the transaction is hidden.
        case takesWithoutAnswer
        case refuses
        /// Its chain is below the lock time.
        case isBehind
        /// The node is unreachable.
        case away
    }

    /// What a node knows, and what it does next.
    struct State: Sendable {
        var funded: UInt8 = 0
        /// How many transactions stand behind each that waits, and how large its ancestors are.
        var descendants = 0
        var ancestorSize: Int?
        var coins: [OutPoint: ChainCoin] = [:]
        var waiting: [TransactionID: Transaction] = [:]
        var mined: [TransactionID: (transaction: Transaction, height: UInt32)] = [:]
        var height: UInt32 = 200
        var handovers: [Handover] = []
        var taken: [Transaction] = []
        var isBlind = false
        var isAway = false
        var looks = 0
        /// How often it was asked for the time of a block.
        var times = 0
        var minesAtLook: Int?
        /// How often it was asked for a transaction.
        var requests = 0
        /// How many payments it lists.
        var cut: Int?
        var lag: ChainLag?
    }

    let network = Network.regtest
    /// Whether it tells which addresses were paid, as an explorer does.
    private let hasRecord: Bool
    private let state = Mutex(State())

    init(hasRecord: Bool = false) { self.hasRecord = hasRecord }

    /// The state, to be restored: with the node as it was then.
    var saved: State { state.withLock(\.self) }
    func restore(_ saved: State) { state.withLock { $0 = saved } }

    /// Everything that is in a block or waits.
    var present: [Transaction] { state.withLock { $0.waiting.values + $0.mined.values.map(\.transaction) } }

    /// Everything that the node took, in order.
    var taken: [Transaction] { state.withLock(\.taken) }
    var looks: Int { state.withLock(\.looks) }
    var times: Int { state.withLock(\.times) }
    var requests: Int { state.withLock(\.requests) }

    /// Pays an amount to a script, in a block.
    func fund(_ script: ScriptPubKey, _ satoshis: UInt64, confirmations: UInt32 = 10) throws -> OutPoint {
        let number = state.withLock { state in
            state.funded += 1
            return state.funded
        }
        let source = OutPoint(
            transaction: try TransactionID(
                String(repeating: number < 16 ? "0\(String(number, radix: 16))" : "7f", count: 32)),
            index: UInt32(number))
        let transaction = Transaction(
            version: 2, inputs: [TransactionInput(previousOutput: source, sequence: 0xFFFF_FFFD)],
            outputs: [TransactionOutput(amount: try Amount(satoshis: satoshis), scriptPubKey: script)], lockTime: 0)
        let coin = try ChainCoin(
            OutPoint(transaction: transaction.id, index: 0), of: transaction, confirmations: confirmations)
        state.withLock { state in
            state.coins[coin.outPoint] = coin
            state.mined[transaction.id] = (transaction, state.height + 1 - min(confirmations, state.height))
        }
        return coin.outPoint
    }

    /// Has a block with a stranger's transaction, all of whose coins are spent.
    func include(_ transaction: Transaction) {
        state.withLock { state in
            state.height += 1
            state.mined[transaction.id] = (transaction, state.height)
        }
    }

    /// Sets the treatment of the next transactions; afterwards the node accepts them.
    func next(_ handovers: Handover...) { state.withLock { $0.handovers = handovers } }

    /// Makes the node hide unconfirmed transactions, or show them again.
    func setBlind(_ isBlind: Bool) { state.withLock { $0.isBlind = isBlind } }

    /// Makes the node unreachable for everyone who asks for coins.
    func leave() { state.withLock { $0.isAway = true } }

    /// Has what waits stand in a row of so many transactions, of which the ancestors have so many virtual bytes.
    func crowd(descendants: Int = 0, ancestorSize: Int? = nil) {
        state.withLock { ($0.descendants, $0.ancestorSize) = (descendants, ancestorSize) }
    }

    /// Makes the node show nothing more of a transaction in a block.
    func prune(_ id: TransactionID) { state.withLock { $0.mined[id] = nil } }

    /// Has the node list so many payments only, and the first address as crowded.
    func cut(to count: Int) { state.withLock { $0.cut = count } }

    /// Has the node forget one transaction that waits.
    func drop(_ id: TransactionID) { state.withLock { $0.waiting[id] = nil } }

    /// Has a transaction of which nobody tells spend a coin, in a block.
    func take(_ coin: OutPoint) { state.withLock { $0.coins[coin] = nil } }

    /// Has the node forget what waits.
    func forget() { state.withLock { $0.waiting = [:] } }

    /// Mines the unconfirmed transactions, now or after this many polls.
    func mine(atLook look: Int? = nil) {
        state.withLock { state in
            if let look { state.minesAtLook = state.looks + look } else { Self.mine(&state) }
        }
    }

    private static func mine(_ state: inout State) {
        state.height += 1
        state.coins = state.coins.compactMapValues { coin in
            try? ChainCoin(coin.outPoint, of: coin.previousTransaction, confirmations: coin.confirmations + 1)
        }
        for coin in state.waiting.values.flatMap({ Self.outputs(of: $0, confirmations: 1) }) {
            state.coins[coin.outPoint] = coin
        }
        for (id, transaction) in state.waiting {
            state.mined[id] = (transaction, state.height)
            for input in transaction.inputs { state.coins[input.previousOutput] = nil }
        }
        state.waiting = [:]
    }

    private static func outputs(of transaction: Transaction, confirmations: UInt32) -> [ChainCoin] {
        transaction.outputs.indices.compactMap { index in
            let place = OutPoint(transaction: transaction.id, index: UInt32(index))
            return try? ChainCoin(place, of: transaction, confirmations: confirmations)
        }
    }

    /// What is not spent in a block, and what waiting transactions create.
    private static func outputs(_ state: State) -> [ChainCoin] {
        let waiting = state.isBlind ? [] : Array(state.waiting.values)
        return Array(state.coins.values) + waiting.flatMap { outputs(of: $0, confirmations: 0) }
    }

    /// Has a stranger pay so much to a script, in a transaction that waits.
    func pay(_ script: ScriptPubKey, _ satoshis: UInt64) throws -> OutPoint {
        let coin = try fund(script, satoshis)
        return state.withLock { state in
            state.coins[coin] = nil
            if let (transaction, _) = state.mined.removeValue(forKey: coin.transaction) {
                state.waiting[coin.transaction] = transaction
            }
            return coin
        }
    }

    // MARK: - BitcoinChain

    func height() throws(NodeError) -> UInt32 { state.withLock(\.height) }

    func coins(of scripts: [ScriptPubKey]) throws(NodeError) -> CoinList {
        if state.withLock(\.isAway) { throw .unreachable(.notConnected) }
        let known = Set(scripts)
        return state.withLock { state in
            let spent = Set(state.waiting.values.flatMap { $0.inputs.map(\.previousOutput) })
            let coins = Self.outputs(state).filter {
                known.contains($0.output.scriptPubKey) && !spent.contains($0.outPoint)
            }
            return CoinList(Array(coins), leavingOut: [], crowded: [])
        }
    }

    func coin(at outPoint: OutPoint) throws(NodeError) -> ChainCoin? {
        state.withLock { state in Self.outputs(state).first { $0.outPoint == outPoint } }
    }

    func coins(of scripts: Set<ScriptPubKey>, in transaction: Transaction) throws(NodeError) -> [ChainCoin] {
        var coins: [ChainCoin] = []
        for (index, output) in transaction.outputs.enumerated() where scripts.contains(output.scriptPubKey) {
            coins.append(
                try ChainCoin(
                    OutPoint(transaction: transaction.id, index: UInt32(index)), of: transaction, confirmations: 0))
        }
        return coins
    }

    func used(_ scripts: [ScriptPubKey]) throws(NodeError) -> Set<ScriptPubKey>? {
        hasRecord ? Set(present.flatMap(\.outputs).map(\.scriptPubKey)).intersection(scripts) : nil
    }

    func payments(to scripts: [ScriptPubKey]) throws(NodeError) -> PaymentList? {
        guard hasRecord else { return nil }
        let known = Set(scripts)
        let (waiting, mined, cut) = state.withLock { ($0.waiting, $0.mined, $0.cut) }
        let all = Array(waiting.values) + mined.values.sorted { $0.height > $1.height }.map(\.transaction)
        let ids = all.filter { !known.isDisjoint(with: $0.outputs.map(\.scriptPubKey)) }.map(\.id)
        return PaymentList(
            Array(ids.prefix(cut ?? ids.count)), leavingOut: max(0, ids.count - (cut ?? ids.count)),
            crowded: cut == nil ? [] : Array(scripts.prefix(1)))
    }

    func holding(_ scripts: [ScriptPubKey]) throws(NodeError) -> Set<ScriptPubKey> {
        Set(try coins(of: scripts).coins.map(\.output.scriptPubKey))
    }

    func transaction(_ id: TransactionID) throws(NodeError) -> Transaction? {
        state.withLock { state in
            state.requests += 1
            return (state.isBlind ? nil : state.waiting[id]) ?? state.mined[id]?.transaction
        }
    }

    func lag() throws(NodeError) -> ChainLag? { state.withLock(\.lag) }

    /// Has the node load its chain from now on, or no longer.
    func setLag(_ lag: ChainLag?) { state.withLock { $0.lag = lag } }

    func feeRates() throws(NodeError) -> FeeRateSuggestion {
        FeeRateSuggestion(
            low: FeeRate(satoshisPerKilobyte: 2_000), normal: FeeRate(satoshisPerKilobyte: 4_000),
            high: FeeRate(satoshisPerKilobyte: 8_000), on: network)
    }

    func incrementalFeeRate() throws(NodeError) -> FeeRate? { FeeRate(satoshisPerKilobyte: 1_000) }

    func acceptance(of transaction: Transaction) throws(NodeError) -> Acceptance { .notTold }

    func broadcast(_ transaction: Transaction) throws(NodeError) {
        let handover = state.withLock { state in
            let handover = state.handovers.isEmpty ? .takes : state.handovers.removeFirst()
            if [.takes, .takesWithoutAnswer].contains(handover) {
                state.taken.append(transaction)
                // Conflicting transactions are replaced.
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
        case .isBehind: throw .refused(.notYet, SanitizedText("non-final", limit: 100, lines: .one))
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

    func time(ofBlockAt height: UInt32) throws(NodeError) -> UInt64? {
        state.withLock { state in
            state.times += 1
            return height <= state.height ? 1_700_000_000 + 600 * UInt64(height) : nil
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
        return state.withLock { state in
            MempoolAncestry(
                ancestorFees: .zero, ancestorSize: state.ancestorSize ?? transaction.virtualSize,
                descendantCount: state.descendants, descendantFees: .zero)
        }
    }
}
