internal import Amounts
internal import Bitcoin
internal import Nodes
internal import Wallet

/// The earlier payments with the effects of a new order, and their states: an order that is meant once is paid once.
struct DuplicateBitcoinPayment {
    /// An attempt at this very order. It is sent again, or only reported; no further transaction is signed.
    private(set) var resumed: UnconfirmedTransaction?
    /// The unconfirmed replacements of an earlier payment, which can be mined until they are. An additional payment
    /// spends from each of them, so that not both can happen.
    private(set) var rivals: Set<TransactionID> = []
    /// The attempts at this order that may have been signed before their program ended, and whose bytes the book does
    /// not have. A new attempt conflicts with each of them, so that at most one of all attempts can be mined.
    private(set) var unfinished: [Unfinished] = []

    /// An attempt that may have been signed.
    struct Unfinished {
        /// The coins that it spends.
        let coins: Set<OutPoint>
        /// Its unconfirmed replacements: if none of its coins is left, the new attempt spends from these.
        let rivals: Set<TransactionID>
    }
    /// The transactions that the node reports as mined, and the book does not know as mined yet.
    private(set) var mined: [(digest: [UInt8], height: UInt32)] = []
    /// The findings for an additional payment.
    private(set) var findings: [PaymentFinding] = []

    /// Looks for earlier payments.
    ///
    /// - Parameters:
    ///   - attempts: the attempts at this order, oldest first (`WalletBook.attempts(at:)`).
    ///   - isFurther: whether the person wants an additional payment, whatever became of the earlier one.
    ///   - now: the time in seconds since 1970.
    /// - Throws: an error if it is unknown whether the earlier one may still be mined, or if it was cancelled.
    static func found(
        _ order: BitcoinOrder, attempts: [HistoryEntry], in history: [HistoryEntry], by chain: any BitcoinChain,
        isFurther: Bool, now: UInt64
    ) async throws(PaymentError) -> DuplicateBitcoinPayment {
        var earlier = DuplicateBitcoinPayment()
        let own = isFurther ? [] : attempts + unmarked(order, in: history)
        try await earlier.resume(own, order.identity, isOrderedAgain: true, in: history, chain, now: now)
        guard earlier.resumed == nil else { return earlier }
        let others = history.filter { entry in !own.contains { $0.digest == entry.digest } }
        try await earlier.look(at: others, order, in: history, chain, now: now)
        return earlier
    }

    /// Looks for the attempt at an order that may be sent again, or whose result is reported. The payment is not sent
    /// again after its cancellation was signed: the cancellation is.
    ///
    /// - Parameter identity: the order's identity; the order itself is not needed.
    /// - Returns: nil if no attempt can be mined, since the book has a transaction in its place.
    /// - Throws: the errors of ``found(_:attempts:in:by:isFurther:now:)``; ``DeliveryFault/spentByUnknown(id:)``.
    static func resumable(
        at identity: OrderIdentity, _ attempts: [HistoryEntry], in history: [HistoryEntry],
        by chain: any BitcoinChain, now: UInt64
    ) async throws(PaymentError) -> UnconfirmedTransaction? {
        var earlier = DuplicateBitcoinPayment()
        try await earlier.resume(attempts, identity, isOrderedAgain: false, in: history, chain, now: now)
        return earlier.resumed
    }

    /// Returns the attempts from before orders were recorded.
    private static func unmarked(_ order: BitcoinOrder, in history: [HistoryEntry]) -> [HistoryEntry] {
        guard order.identity.key == nil, let effects = order.effects else { return [] }
        return history.filter { $0.order == nil && $0.state == .unanswered && $0.effects.areTheSame(as: effects) }
    }

    // MARK: - This order

    /// - Parameter isOrderedAgain: whether the caller has just given the order. A person who orders a cancelled payment
    ///   again wants it paid.
    private mutating func resume(
        _ attempts: [HistoryEntry], _ order: OrderIdentity, isOrderedAgain: Bool, in history: [HistoryEntry],
        _ chain: any BitcoinChain, now: UInt64
    ) async throws(PaymentError) {
        // If the book has a keyed order's payment as mined, the book is believed: no node's answer can change it.
        if order.key != nil, let paid = attempts.last(where: { $0.isMined && !$0.isCancellation }),
            let transaction = paid.signedTransaction, let height = paid.state.height.flatMap({ UInt32(exactly: $0) })
        {
            resumed = UnconfirmedTransaction(
                transaction: transaction, isShown: true, height: height, digest: paid.digest, spent: nil, queue: nil)
            return
        }
        var open: [Open] = []
        // An attempt with a final replacement is over.
        for entry in attempts.reversed() where entry.state != .replaced {
            guard let transaction = entry.signedTransaction else {
                try await noteUnfinished(entry, of: order, in: history, chain)
                continue
            }
            let fate = try await Self.fate(of: transaction, entry, in: history, chain)
            if case .mined(let height, _) = fate {
                guard !entry.isCancellation else {
                    guard let key = order.key else { continue }
                    throw .duplicate(.cancelled(key, by: "\(transaction.id)"))
                }
                guard order.key != nil || Self.isRecent(entry, now) else {
                    findings.append(.repeated(.minedUnheard, id: "\(transaction.id)"))
                    continue
                }
                resumed = UnconfirmedTransaction(
                    transaction: transaction, isShown: true, height: height, digest: entry.digest, spent: nil,
                    queue: nil)
                return
            }
            open.append(Open(entry: entry, transaction: transaction, fate: fate))
        }
        let payments = open.filter { !$0.entry.isCancellation }
        let waiting = payments.first { $0.fate == .waiting }
        if waiting == nil, !isOrderedAgain,
            try await resumeCancellation(among: open, attempts, order, in: history, chain)
        {
            return
        }
        // A script that retries must not pay an order that a person has cancelled. A person who orders it again wants
        // it paid.
        if waiting == nil, isOrderedAgain, let key = order.key,
            let cancellation = open.first(where: { $0.entry.isCancellation && $0.fate != .impossible })
        {
            throw .duplicate(.cancellationUnclear(key, by: "\(cancellation.transaction.id)"))
        }
        // Attempts that the node shows come before attempts that it does not show.
        let possible = payments.filter { $0.fate != .impossible }
        guard let best = waiting ?? possible.first else {
            guard let lost = payments.first else { return }
            // One node's answer gives nothing up: in the book the coins stay those of this payment.
            if !isOrderedAgain, lost.entry.successor(in: history) == nil {
                throw .delivery(.spentByUnknown(id: "\(lost.transaction.id)"))
            }
            if order.key != nil, lost.entry.successor(in: history) == nil {
                throw .duplicate(.attemptUnclear(id: "\(lost.transaction.id)"))
            }
            findings.append(.repeated(.displaced, id: "\(lost.transaction.id)"))
            return
        }
        if waiting == nil, possible.contains(where: { !$0.entry.conflicts(with: best.entry.conflictSet) }) {
            throw .duplicate(.unclear(id: "\(best.transaction.id)"))
        }
        let isOld = order.key == nil && !Self.isRecent(best.entry, now)
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

    /// An attempt that no block has.
    private struct Open {
        let entry: HistoryEntry
        let transaction: Transaction
        let fate: TransactionFate
    }

    /// Resumes the cancellation of a payment that the node does not show: the person who cancelled it does not want it paid.
    ///
    /// - Parameter open: the attempts that no block has, newest first.
    /// - Returns: whether there is a cancellation that may be mined, so that the payment is not sent.
    /// - Throws: ``DuplicatePaymentFault/cancellationUnclear(_:by:)`` if the cancellation may be signed, and cannot be
    ///   sent.
    private mutating func resumeCancellation(
        among open: [Open], _ attempts: [HistoryEntry], _ order: OrderIdentity, in history: [HistoryEntry],
        _ chain: any BitcoinChain
    ) async throws(PaymentError) -> Bool {
        let signed = open.filter { $0.entry.isCancellation && $0.fate != .impossible }
        let best = signed.first { $0.fate == .waiting } ?? signed.first { $0.fate == .possible } ?? signed.first
        guard let best else {
            let isPayable = open.contains { !$0.entry.isCancellation && $0.fate != .impossible }
            guard isPayable, attempts.contains(where: \.isUnfinishedCancellation) else { return false }
            throw .duplicate(.cancellationUnclear(order.key, by: nil))
        }
        guard best.fate != .unclear else {
            throw .duplicate(.cancellationUnclear(order.key, by: "\(best.transaction.id)"))
        }
        if best.fate == .possible, try await noteRivals(of: best.entry, in: history, chain) { return true }
        resumed = UnconfirmedTransaction(
            transaction: best.transaction, isShown: best.fate == .waiting, digest: best.entry.digest, spent: nil,
            queue: nil)
        return true
    }

    /// Records an attempt without bytes in the book. A cancellation is left out, since it pays no one.
    private mutating func noteUnfinished(
        _ entry: HistoryEntry, of order: OrderIdentity, in history: [HistoryEntry], _ chain: any BitcoinChain
    ) async throws(PaymentError) {
        guard case .bitcoin(_, let coins) = entry.conflictSet, !entry.isCancellation else { return }
        if entry.isMined, let id = entry.id {
            guard order.key == nil else { throw .duplicate(.attemptUnclear(id: id)) }
            findings.append(.repeated(.minedUnheard, id: id))
            return
        }
        guard let rivals = try await rivals(of: entry, in: history, chain) else { return }
        unfinished.append(Unfinished(coins: coins, rivals: rivals))
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
            // A payment that is mined and was reported to its caller is another payment.
            if entry.isMined, !entry.isUnheard { continue }
            let fate = try await Self.fate(of: transaction, entry, in: history, chain)
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

    /// Returns whether another transaction with the same payment was mined in its place: then that one is the payment,
    /// and is judged on its own. Later ones were checked before.
    private func isSpedUp(_ entry: HistoryEntry, among others: [HistoryEntry]) -> Bool {
        entry.alternatives(in: others).contains { other in
            other.isSamePayment(as: entry)
                && (other.isMined || mined.contains { $0.digest == other.digest })
        }
    }

    // MARK: - What takes the place of one

    private static func fate(
        of transaction: Transaction, _ entry: HistoryEntry, in history: [HistoryEntry], _ chain: any BitcoinChain
    ) async throws(PaymentError) -> TransactionFate {
        let fate = try await attempt { () async throws(NodeError) in try await chain.fate(of: transaction) }
        // A node knows nothing of the outputs of a finally replaced transaction, but the book does.
        return fate == .unclear && entry.successor(in: history) != nil ? .impossible : fate
    }

    /// Looks for signed replacements of a transaction that the node does not show. A signature does not end the earlier
    /// one: only the node's answer does.
    ///
    /// - Returns: whether the node has one of them.
    private mutating func noteRivals(
        of entry: HistoryEntry, in history: [HistoryEntry], _ chain: any BitcoinChain
    ) async throws(PaymentError) -> Bool {
        guard let waiting = try await rivals(of: entry, in: history, chain) else { return true }
        rivals.formUnion(waiting)
        return !waiting.isEmpty
    }

    /// Looks for unconfirmed signed replacements of an attempt.
    ///
    /// - Returns: nil if a block has one of them, which ends the attempt.
    private func rivals(
        of entry: HistoryEntry, in history: [HistoryEntry], _ chain: any BitcoinChain
    ) async throws(PaymentError) -> Set<TransactionID>? {
        var waiting: Set<TransactionID> = []
        for other in entry.alternatives(in: history) {
            guard let id = other.id.flatMap({ try? TransactionID($0) }) else { continue }
            switch try await attempt({ () async throws(NodeError) in try await chain.status(of: id) }) {
            case .mined: return nil
            case .waiting: waiting.insert(id)
            case .unknown: continue
            }
        }
        return waiting
    }

    /// Makes an additional payment spend an output of each rival, so that it cannot be mined without them, nor the
    /// earlier payment with them. It also spends a coin of each attempt that may have been signed: one coin for several
    /// attempts that share it.
    ///
    /// - Parameters:
    ///   - coins: the caller's choice of coins.
    ///   - frozen: the frozen coins.
    /// - Throws: an error if a rival pays nothing back, or if no coin of an attempt is left.
    func bind(_ order: inout SpendOrder, _ coins: CoinControl, frozen: Set<OutPoint>) throws(PaymentError) {
        let least = max(order.leastConfirmations, coins.leastConfirmations)
        let usable = Set(
            order.coins.filter {
                $0.confirmations >= least && $0.isMature && coins.allows($0.outPoint)
                    && !frozen.union(order.frozen).contains($0.outPoint)
            }.map(\.outPoint))
        var parents = rivals
        for attempt in unfinished where attempt.coins.isDisjoint(with: usable) {
            guard !attempt.rivals.isEmpty else { throw .duplicate(.unfinished(attempt)) }
            parents.formUnion(attempt.rivals)
        }
        order.required.formUnion(Self.shared(usable, by: unfinished.map(\.coins)))
        guard !parents.isEmpty else { return }
        order.leastConfirmations = 0
        let waiting = order.coins.filter { $0.confirmations == 0 && !parents.contains($0.outPoint.transaction) }
        order.frozen.formUnion(waiting.map(\.outPoint))
        for rival in parents {
            guard let coin = order.coins.first(where: { $0.outPoint.transaction == rival }) else {
                throw .duplicate(.rivalsWait(parents.map(\.description).sorted()))
            }
            order.required.insert(coin.outPoint)
        }
    }

    /// Returns coins that include one of each set, if the set has a usable one: those in most sets come first.
    private static func shared(_ usable: Set<OutPoint>, by sets: [Set<OutPoint>]) -> Set<OutPoint> {
        var chosen: Set<OutPoint> = []
        var open = sets.map { $0.intersection(usable) }.filter { !$0.isEmpty }
        while !open.isEmpty {
            let best = Set(open.joined()).max { left, right in
                let (one, other) = (open.count { $0.contains(left) }, open.count { $0.contains(right) })
                return one == other ? left.description < right.description : one < other
            }
            guard let best else { break }
            chosen.insert(best)
            open.removeAll { $0.contains(best) }
        }
        return chosen
    }

    /// Checks an additional payment.
    ///
    /// - Throws: an error if it could be mined beside an earlier one.
    func check(_ further: Transaction) throws(PaymentError) {
        let spent = Set(further.inputs.map(\.previousOutput))
        let parents = Set(spent.map(\.transaction))
        guard rivals.isSubset(of: parents) else { throw .duplicate(.rivalsWait(rivals.map(\.description).sorted())) }
        for attempt in unfinished where attempt.coins.isDisjoint(with: spent) {
            guard !attempt.rivals.isEmpty, attempt.rivals.isSubset(of: parents) else {
                throw .duplicate(.unfinished(attempt))
            }
        }
    }

    /// Returns whether an additional payment cannot be mined beside an earlier one.
    func allows(_ further: Transaction) -> Bool {
        do throws(PaymentError) { try check(further) } catch { return false }
        return true
    }

    /// Checks that a transaction to be sent again fits the order.
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
    /// Returns the mined replacement of this transaction, or of one of the wallet's whose change it spends, by the
    /// book.
    fileprivate func successor(in history: [HistoryEntry]) -> HistoryEntry? {
        var next = [self]
        var seen: Set<UInt64> = []
        while let entry = next.popLast() {
            guard seen.insert(entry.number).inserted else { continue }
            if let rival = entry.rival(in: history) { return rival }
            guard case .bitcoin(_, let outPoints) = entry.conflictSet, !entry.isMined else { continue }
            let parents = Set(outPoints.map(\.transaction.description))
            next += history.filter { $0.id.map(parents.contains) ?? false }
        }
        return nil
    }

    /// The transaction for a Bitcoin node, if it is completely signed.
    fileprivate var signedTransaction: Transaction? {
        guard case .bitcoin = chain, let transaction else { return nil }
        return try? Transaction(decoding: transaction)
    }
}

extension DuplicatePaymentFault {
    fileprivate static func unfinished(_ attempt: DuplicateBitcoinPayment.Unfinished) -> DuplicatePaymentFault {
        .unfinished(spending: attempt.coins.sorted { $0.description < $1.description })
    }
}

extension Coin {
    /// Whether consensus allows it to be spent: new bitcoin needs 100 blocks.
    fileprivate var isMature: Bool { !isCoinbase || confirmations >= BitcoinLimits.coinbaseMaturity }
}
