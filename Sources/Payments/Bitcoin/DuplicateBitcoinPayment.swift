internal import Amounts
internal import Bitcoin
internal import Custody
internal import Nodes
internal import Wallet

/// What became of payments that were ordered before, and do what is ordered now: a payment that is meant once is made once.
struct DuplicateBitcoinPayment {
    /// An attempt at this very order. It is handed over once more, or only told; nothing further is signed.
    private(set) var resumed: UnconfirmedTransaction?
    /// What waits in the place of an earlier one, which can be mined until these are: a further payment spends from each of them,
    /// so that not both can happen.
    private(set) var rivals: Set<TransactionID> = []
    /// Coins of an attempt at this order of which nobody knows whether it was signed: a new attempt spends one of them, so that not
    /// both can happen.
    private(set) var reserved: Set<OutPoint> = []
    /// What a block has, as the node says, and the book does not know yet.
    private(set) var mined: [(digest: [UInt8], height: UInt32)] = []
    /// What a further payment has to be told about.
    private(set) var findings: [PaymentFinding] = []

    /// - Parameters:
    ///   - attempts: at this order, the oldest first (``WalletBook/attempts(at:)``).
    ///   - isFurther: that the person wants a further payment, whatever became of the earlier one.
    ///   - now: in seconds since 1970.
    /// - Throws: where it cannot be told whether the earlier one may still be mined, or if it was cancelled.
    static func found(
        _ order: BitcoinOrder, attempts: [HistoryEntry], in history: [HistoryEntry], by chain: any BitcoinChain,
        isFurther: Bool, now: UInt64
    ) async throws(PaymentError) -> DuplicateBitcoinPayment {
        var earlier = DuplicateBitcoinPayment()
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
    ) async throws(PaymentError) {
        // What the book has as mined is told by the book: no node can unsay it for an order with a key.
        if order.identity.key != nil, let paid = attempts.last(where: { $0.isMined && $0.effects != [.nothing] }),
            let transaction = paid.signedTransaction, let height = paid.state.height.flatMap({ UInt32(exactly: $0) })
        {
            resumed = UnconfirmedTransaction(
                transaction: transaction, isShown: true, height: height, digest: paid.digest, spent: nil, queue: nil)
            return
        }
        var open: [(entry: HistoryEntry, transaction: Transaction, fate: TransactionFate)] = []
        // What another one has replaced for good is over.
        for entry in attempts.reversed() where entry.state != .replaced {
            guard let transaction = entry.signedTransaction else {
                if entry.state == .reserved, case .bitcoin(_, let outPoints) = entry.conflictSet {
                    reserved.formUnion(outPoints)
                }
                continue
            }
            let fate = try await Self.fate(of: transaction, chain)
            if case .mined(let height, _) = fate {
                guard entry.effects != [.nothing] else {
                    guard let key = order.identity.key else { continue }
                    throw .duplicate(.cancelled(key, by: "\(transaction.id)"))
                }
                guard order.identity.key != nil || Self.isRecent(entry, now) else {
                    findings.append(.repeated(.minedUnheard, id: "\(transaction.id)"))
                    continue
                }
                resumed = UnconfirmedTransaction(
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
            throw .duplicate(.cancellationUnclear(key, by: "\(cancellation.transaction.id)"))
        }
        // What waits, before what a node does not show.
        let possible = payments.filter { $0.fate != .impossible }
        guard let best = waiting ?? possible.first else {
            guard let lost = payments.first else { return }
            if order.identity.key != nil, lost.entry.rival(in: history) == nil {
                throw .duplicate(.attemptUnclear(id: "\(lost.transaction.id)"))
            }
            findings.append(.repeated(.displaced, id: "\(lost.transaction.id)"))
            return
        }
        if waiting == nil, possible.contains(where: { !$0.entry.conflicts(with: best.entry.conflictSet) }) {
            throw .duplicate(.unclear(id: "\(best.transaction.id)"))
        }
        let isOld = order.identity.key == nil && !Self.isRecent(best.entry, now)
        if best.fate == .unclear || isOld && best.fate != .waiting {
            throw .duplicate(.unclear(id: "\(best.transaction.id)"))
        }
        if best.fate == .possible, try await noteRivals(of: best.entry, in: history, chain) {
            if rivals.isEmpty { findings.append(.repeated(.displaced, id: "\(best.transaction.id)")) }
            return
        }
        resumed = UnconfirmedTransaction(
            transaction: best.transaction, isShown: best.fate == .waiting, digest: best.entry.digest, spent: nil,
            queue: nil)
    }

    private static func isRecent(_ entry: HistoryEntry, _ now: UInt64) -> Bool {
        now < entry.time.addingReportingOverflow(PaymentLimits.duplicateSeconds).partialValue
    }

    // MARK: - Other payments that do the same

    private mutating func look(
        at others: [HistoryEntry], _ order: BitcoinOrder, in history: [HistoryEntry], _ chain: any BitcoinChain,
        now: UInt64
    ) async throws(PaymentError) {
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
                if !isSpedUp(entry, among: others) { findings.append(.repeated(.displaced, id: "\(transaction.id)")) }
                continue
            case .mined:
                findings.append(.repeated(.minedUnheard, id: "\(transaction.id)"))
                continue
            case .possible, .unclear: if try await noteRivals(of: entry, in: history, chain) { continue }
            case .waiting: break
            }
            findings.append(.repeated(.possiblyUnderway, id: "\(transaction.id)"))
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
    ) async throws(PaymentError) -> TransactionFate {
        try await attempt { () async throws(NodeError) in try await chain.fate(of: transaction) }
    }

    /// Looks for what was signed in the place of one that the node does not show. That it was signed does not end the earlier one:
    /// only what the node shows.
    ///
    /// - Returns: whether there is such a one at the node.
    private mutating func noteRivals(
        of entry: HistoryEntry, in history: [HistoryEntry], _ chain: any BitcoinChain
    ) async throws(PaymentError) -> Bool {
        var isRivalled = false
        for other in entry.alternatives(in: history) {
            guard let id = other.id.flatMap({ try? TransactionID($0) }) else { continue }
            switch try await attempt({ () async throws(NodeError) in try await chain.status(of: id) }) {
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
    func bind(_ order: inout SpendOrder, frozen: Set<OutPoint>) throws(PaymentError) {
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
                throw .duplicate(.rivalsWait(rivals.map(\.description).sorted()))
            }
            order.required.insert(coin.outPoint)
        }
    }

    /// - Throws: if a further payment could be mined beside an earlier one.
    func check(_ further: Transaction) throws(PaymentError) {
        let parents = Set(further.inputs.map(\.previousOutput.transaction))
        guard rivals.isSubset(of: parents) else { throw .duplicate(.rivalsWait(rivals.map(\.description).sorted())) }
    }

    /// What is to be sent once more has to be what the order allows.
    func check(_ entry: HistoryEntry?, expecting digest: [UInt8]?, ceiling: Amount) throws(PaymentError) {
        guard let waiting = resumed, waiting.height == nil, let entry else { return }
        let isExpected = digest.map { $0 == entry.digest } ?? true
        let isAffordable = waiting.isShown || (entry.highestFee.map { $0 <= UInt256(ceiling.satoshis) } ?? true)
        guard isExpected, isAffordable else {
            throw .duplicate(
                .unexpected(id: "\(waiting.transaction.id)", digest: entry.digest, isAboveCeiling: !isAffordable))
        }
    }
}

extension HistoryEntry {
    /// What a node of Bitcoin takes, if it is signed in full.
    fileprivate var signedTransaction: Transaction? {
        guard case .bitcoin = chain, let transaction else { return nil }
        return try? Transaction(decoding: transaction)
    }
}
