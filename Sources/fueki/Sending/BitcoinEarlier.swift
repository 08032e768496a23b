internal import Amounts
internal import Bitcoin
internal import Custody
internal import Encoding
internal import Nodes
internal import Wallet

/// What became of payments that were ordered before, and do what is ordered now: a payment that is meant once is made once.
struct BitcoinEarlier {
    /// An attempt at this very order. It is handed over once more, or only told; nothing further is signed.
    private(set) var resumed: BitcoinWaiting?
    /// What waits in the place of an earlier one, which can be mined until these are: a further payment spends from each of them,
    /// so that not both can happen.
    private(set) var rivals: Set<TransactionID> = []
    /// Coins of an attempt at this order of which nobody knows whether it was signed: a new attempt spends one of them, so that not
    /// both can happen.
    private(set) var reserved: Set<OutPoint> = []
    /// What a block has, as the node says, and the book does not know yet.
    private(set) var mined: [(digest: [UInt8], height: UInt32)] = []
    /// What a further payment has to be told about.
    private(set) var remarks: [Remark] = []

    /// Two weeks, in seconds: after that, nodes have forgotten what waited, and the same payment is mostly another one.
    private static let recent: UInt64 = 14 * 86_400

    /// - Parameters:
    ///   - attempts: at this order, the oldest first (``WalletBook/attempts(at:)``).
    ///   - isFurther: that the person wants a further payment, whatever became of the earlier one.
    ///   - now: in seconds since 1970.
    /// - Throws: where it cannot be told whether the earlier one may still be mined, or if it was cancelled.
    static func found(
        _ order: BitcoinOrder, attempts: [HistoryEntry], in history: [HistoryEntry], by chain: any BitcoinChain,
        isFurther: Bool, now: UInt64
    ) async throws(Failure) -> BitcoinEarlier {
        var earlier = BitcoinEarlier()
        let own = isFurther ? [] : attempts + unmarked(order, in: history)
        try await earlier.resume(own, order, in: history, chain, now: now)
        guard earlier.resumed == nil else { return earlier }
        let others = history.filter { entry in !own.contains { $0.digest == entry.digest } }
        try await earlier.look(at: others, order, in: history, chain, now: now)
        return earlier
    }

    /// Attempts of before orders were written down.
    private static func unmarked(_ order: BitcoinOrder, in history: [HistoryEntry]) -> [HistoryEntry] {
        guard order.identity.key == nil, let effects = order.effects else { return [] }
        return history.filter { $0.order == nil && $0.state == .unanswered && $0.effects.areTheSame(as: effects) }
    }

    // MARK: - This order

    private mutating func resume(
        _ attempts: [HistoryEntry], _ order: BitcoinOrder, in history: [HistoryEntry], _ chain: any BitcoinChain,
        now: UInt64
    ) async throws(Failure) {
        // What the book has as mined is told by the book: no node can unsay it for an order with a key.
        if order.identity.key != nil, let paid = attempts.last(where: { $0.isMined && $0.effects != [.nothing] }),
            let transaction = paid.signedTransaction, let height = paid.state.height.flatMap({ UInt32(exactly: $0) })
        {
            resumed = BitcoinWaiting(
                transaction: transaction, isShown: true, height: height, digest: paid.digest, spent: nil, queue: nil)
            return
        }
        var open: [(entry: HistoryEntry, transaction: Transaction, fate: TransactionFate)] = []
        // What another one has replaced for good is over.
        for entry in attempts.reversed() where entry.state != .replaced {
            guard let transaction = entry.signedTransaction else {
                if entry.state == .reserved, case .bitcoin(_, let outPoints) = entry.slot {
                    reserved.formUnion(outPoints)
                }
                continue
            }
            let fate = try await Self.fate(of: transaction, chain)
            if case .mined(let height, _) = fate {
                guard entry.effects != [.nothing] else {
                    guard let key = order.identity.key else { continue }
                    throw .cancelled(key, by: "\(transaction.id)")
                }
                guard order.identity.key != nil || Self.isRecent(entry, now) else {
                    let text =
                        "the same payment is in block \(height) already, as \(transaction.id), and its result was never told"
                    remarks.append(Remark("repeated", text, .costly))
                    continue
                }
                resumed = BitcoinWaiting(
                    transaction: transaction, isShown: true, height: height, digest: entry.digest, spent: nil,
                    queue: nil)
                return
            }
            open.append((entry, transaction, fate))
        }
        let payments = open.filter { $0.entry.effects != [.nothing] }
        let waiting = payments.first { $0.fate == .waiting }
        // A script that tries again must not pay what a person has cancelled. A person who orders it anew wants it paid.
        if waiting == nil, let key = order.identity.key,
            let cancellation = open.first(where: { $0.entry.effects == [.nothing] && $0.fate != .impossible })
        {
            throw .cancellationUnclear(key, by: "\(cancellation.transaction.id)")
        }
        // What waits, before what a node does not show.
        let possible = payments.filter { $0.fate != .impossible }
        guard let best = waiting ?? possible.first else {
            guard let lost = payments.first else { return }
            if order.identity.key != nil, lost.entry.rival(in: history) == nil {
                throw Failure.attemptUnclear("\(lost.transaction.id)")
            }
            remarks.append(Self.displaced(lost.transaction.id))
            return
        }
        if waiting == nil, possible.contains(where: { !$0.entry.conflicts(with: best.entry.slot) }) {
            throw Self.unclear(best.transaction.id)
        }
        let isOld = order.identity.key == nil && !Self.isRecent(best.entry, now)
        if best.fate == .unclear || isOld && best.fate != .waiting {
            throw Self.unclear(best.transaction.id)
        }
        if best.fate == .possible, try await noteRivals(of: best.entry, in: history, chain) {
            if rivals.isEmpty { remarks.append(Self.displaced(best.transaction.id)) }
            return
        }
        resumed = BitcoinWaiting(
            transaction: best.transaction, isShown: best.fate == .waiting, digest: best.entry.digest, spent: nil,
            queue: nil)
    }

    private static func isRecent(_ entry: HistoryEntry, _ now: UInt64) -> Bool {
        now < entry.time.addingReportingOverflow(recent).partialValue
    }

    // MARK: - Other payments that do the same

    private mutating func look(
        at others: [HistoryEntry], _ order: BitcoinOrder, in history: [HistoryEntry], _ chain: any BitcoinChain,
        now: UInt64
    ) async throws(Failure) {
        guard let effects = order.effects else { return }
        for entry in others.reversed() where entry.chain == .bitcoin(chain.network) {
            guard entry.effects.areTheSame(as: effects), Self.isRecent(entry, now) || entry.state == .unanswered,
                !order.identity.isApart(from: entry.order), let transaction = entry.signedTransaction,
                entry.state != .replaced, entry.state != .signed || entry.order != nil
            else { continue }
            // What is mined, and was told to whom ordered it, is another payment.
            if entry.isMined, !entry.isUnheard { continue }
            let fate = try await Self.fate(of: transaction, chain)
            if case .mined(let height, _) = fate, !entry.isMined { mined.append((entry.digest, height)) }
            switch fate {
            case .mined where !entry.isUnheard: continue
            case .impossible:
                if !isSpedUp(entry, among: others) { remarks.append(Self.displaced(transaction.id)) }
                continue
            case .mined:
                let text = "the same payment is in a block already, and its result was never told: \(transaction.id)"
                remarks.append(Remark("repeated", text, .costly))
                continue
            case .possible, .unclear: if try await noteRivals(of: entry, in: history, chain) { continue }
            case .waiting: break
            }
            let text = "the same payment is on its way already, or may be: \(transaction.id)"
            remarks.append(Remark("repeated", text, .costly))
        }
    }

    /// Whether one that pays the same was mined in its place: then that one is the payment, and is judged for itself. A later one
    /// was looked at before.
    private func isSpedUp(_ entry: HistoryEntry, among others: [HistoryEntry]) -> Bool {
        entry.alternatives(in: others).contains { other in
            other.isSamePayment(as: entry)
                && (other.isMined || mined.contains { $0.digest == other.digest })
        }
    }

    // MARK: - What takes the place of one

    private static func fate(
        of transaction: Transaction, _ chain: any BitcoinChain
    ) async throws(Failure) -> TransactionFate {
        try await attempt { () async throws(NodeError) in try await chain.fate(of: transaction) }
    }

    /// Looks for what was signed in the place of one that the node does not show. That it was signed does not end the earlier one:
    /// only what the node shows.
    ///
    /// - Returns: whether there is such a one at the node.
    private mutating func noteRivals(
        of entry: HistoryEntry, in history: [HistoryEntry], _ chain: any BitcoinChain
    ) async throws(Failure) -> Bool {
        var isRivalled = false
        for other in entry.alternatives(in: history) {
            guard let id = other.id.flatMap({ try? TransactionID($0) }) else { continue }
            switch try await attempt({ () async throws(NodeError) in try await chain.whereabouts(of: id) }) {
            case .mined: return true
            case .waiting:
                rivals.insert(id)
                isRivalled = true
            case .unknown: continue
            }
        }
        return isRivalled
    }

    /// Has a further payment spend what each rival pays back: it cannot be mined without them, nor the earlier one with them. And one
    /// of the coins of an attempt that may have been signed.
    ///
    /// - Parameter frozen: coins that the person has put aside: such a one is not spent for an attempt that may never have been made.
    /// - Throws: where nothing comes back of a rival.
    func bind(_ order: inout SpendOrder, frozen: Set<OutPoint>) throws(Failure) {
        let shared = reserved.subtracting(frozen)
        if let coin = order.coins.first(where: { shared.contains($0.outPoint) }) {
            order.required.insert(coin.outPoint)
        }
        guard !rivals.isEmpty else { return }
        order.leastConfirmations = 0
        let waiting = order.coins.filter { $0.confirmations == 0 && !rivals.contains($0.outPoint.transaction) }
        order.frozen.formUnion(waiting.map(\.outPoint))
        for rival in rivals {
            guard let coin = order.coins.first(where: { $0.outPoint.transaction == rival }) else {
                throw Self.tooEarly(rivals)
            }
            order.required.insert(coin.outPoint)
        }
    }

    /// - Throws: if a further payment could be mined beside an earlier one.
    func check(_ further: Transaction) throws(Failure) {
        let parents = Set(further.inputs.map(\.previousOutput.transaction))
        guard rivals.isSubset(of: parents) else { throw Self.tooEarly(rivals) }
    }

    /// What is to be sent once more has to be what the order allows.
    func check(_ entry: HistoryEntry?, expect: String?, ceiling: Amount) throws(Failure) {
        guard let waiting = resumed, waiting.height == nil, let entry else { return }
        let isExpected = expect.map { $0.lowercased() == Hex.encode(entry.digest) } ?? true
        let isAffordable = waiting.isShown || (entry.highestFee.map { $0 <= UInt256(ceiling.satoshis) } ?? true)
        guard isExpected, isAffordable else {
            throw Failure(
                code: .refused, name: "earlier_payment",
                message: "the same payment may be on its way: \(waiting.transaction.id), digest "
                    + Hex.encode(entry.digest) + (isAffordable ? "" : ", at a fee above --max-fee"),
                hint: "see 'fueki history' with --node; --again makes a further payment")
        }
    }

    /// That an attempt at this order cannot be mined any more is the node's word, and the person's to believe.
    private static func displaced(_ id: TransactionID) -> Remark {
        Remark(
            "repeated",
            "the same payment is transaction \(id), and the node says that another one has spent what it spends: if that "
                + "is not true, both may be mined", .costly)
    }

    // MARK: - Failures

    static func tooEarly(_ rivals: Set<TransactionID>) -> Failure {
        Failure(
            code: .refused, name: "earlier_payment_unclear",
            message: "the same payment was ordered before, and may be mined until these are: "
                + rivals.map(\.description).sorted().joined(separator: ", "),
            hint: "wait for that, or speed it up")
    }

    private static func unclear(_ id: TransactionID) -> Failure {
        Failure(
            code: .refused, name: "earlier_payment_unclear",
            message: "the same payment was ordered before, and the node does not tell whether it may still be mined: "
                + id.description,
            hint:
                "ask a node with an index (-txindex), or an explorer; --again makes a further payment, whatever becomes "
                + "of that one")
    }
}

extension Failure {
    /// A cancellation was signed, and no block has it.
    static func cancellationUnclear(_ key: PaymentKey, by id: String) -> Failure {
        Failure(
            code: .refused, name: "cancellation_unclear",
            message:
                "a cancellation of the payment with the key '\(key)' was signed, transaction \(id), and which of both "
                + "is mined is not known yet",
            hint: "do not pay it under another key before that: 'fueki history' with --node tells", id: id)
    }

    /// The node shows none of the attempts at a payment with a key, and the book does not know why.
    static func attemptUnclear(_ id: String) -> Failure {
        Failure(
            code: .refused, name: "earlier_payment_unclear",
            message:
                "the payment with this key was signed before, as transaction \(id), and the node does not show it, nor "
                + "anything in its place that is known here",
            hint: "ask a node with an index, or an explorer: nothing is paid a second time for one key", id: id)
    }

    /// The payment with this key was cancelled.
    static func cancelled(_ key: PaymentKey, by id: String) -> Failure {
        Failure(
            code: .refused, name: "payment_cancelled",
            message: "the payment with the key '\(key)' was cancelled by transaction \(id)",
            hint: "give a new payment a new key", id: id)
    }
}

extension HistoryEntry {
    /// What a node of Bitcoin takes, if it is signed in full.
    fileprivate var signedTransaction: Transaction? {
        guard case .bitcoin = chain, let transaction else { return nil }
        return try? Transaction(decoding: transaction)
    }
}
