internal import Custody
internal import Encoding
internal import Nodes
internal import Wallet

/// What became of a payment that was ordered before, exactly as one that is ordered now: nobody is to pay twice who means to pay
/// once.
struct BitcoinEarlier {
    /// Handed to a node that did not say whether it took it: what is sent once more, if no block has it.
    private(set) var unanswered: BitcoinWaiting?
    /// What waits in the place of an earlier one, which can be mined until these are: a further payment spends from each of them,
    /// so that not both can happen.
    private(set) var rivals: Set<TransactionID> = []
    /// What a further payment has to be told about.
    private(set) var remarks: [Remark] = []

    /// - Parameters:
    ///   - isFurther: that the person wants a further payment, whatever became of the earlier one.
    ///   - now: in seconds since 1970.
    /// - Throws: where it cannot be told whether the earlier one may still be mined.
    static func found(
        paying amount: Amount, to address: Address<Checked>, in history: [HistoryEntry], by chain: any BitcoinChain,
        isFurther: Bool, now: UInt64
    ) async throws(Failure) -> BitcoinEarlier {
        let effects = [Effect.payment(.coin, amount: UInt256(amount.satoshis), to: .bitcoin(address))]
        var earlier = BitcoinEarlier()
        for entry in history.reversed() where entry.chain == .bitcoin(chain.network) && entry.effects == effects {
            let isUnanswered = entry.state == .unanswered
            let isRecent = now < entry.time.addingReportingOverflow(recent).partialValue
            guard isUnanswered || (entry.state == .sent && isRecent), let bytes = entry.transaction,
                let transaction = try? Transaction(decoding: bytes)
            else { continue }
            let place = try await attempt { () async throws(NodeError) in
                try await chain.whereabouts(of: transaction.id)
            }
            var fate = Fate.open
            switch place {
            case .mined(let height, _):
                guard isUnanswered, isRecent, !isFurther else { continue }
                earlier.unanswered = BitcoinWaiting(
                    transaction: transaction, isShown: true, height: height, digest: entry.digest, spent: nil,
                    queue: nil)
                return earlier
            case .waiting: break
            case .unknown:
                fate = try await attempt { () async throws(NodeError) in
                    try await Self.fate(of: transaction, entry, in: history, chain)
                }
            }
            switch fate {
            case .over: continue
            case .rivalled(let rivals):
                earlier.rivals.formUnion(rivals)
                continue
            case .open, .unclear: break
            }
            if isFurther || !isUnanswered {
                let text = "the same payment is on its way already, or may be: \(transaction.id)"
                earlier.remarks.append(Remark("repeated", text, .costly))
                continue
            }
            guard isRecent, fate == .open else { throw unclear(transaction.id) }
            earlier.unanswered = BitcoinWaiting(
                transaction: transaction, isShown: place != .unknown, digest: entry.digest, spent: nil, queue: nil)
            return earlier
        }
        return earlier
    }

    /// Two weeks, in seconds: after that, nodes have forgotten what waited, and the same payment is mostly another one.
    private static let recent: UInt64 = 14 * 86_400

    private enum Fate: Equatable {
        /// It may be mined.
        case open
        /// Never: a block has spent one of its coins.
        case over
        /// Not once one of these is mined, which wait.
        case rivalled(Set<TransactionID>)
        /// The node does not know a coin of it: spent, or not yet seen.
        case unclear
    }

    /// Of one that the node does not show. What was signed in its place does not end it: only what the node shows.
    private static func fate(
        of transaction: Transaction, _ entry: HistoryEntry, in history: [HistoryEntry], _ chain: any BitcoinChain
    ) async throws(NodeError) -> Fate {
        var rivals: Set<TransactionID> = []
        for other in history where other.digest != entry.digest && other.state != .failed {
            guard let slot = other.slot, entry.slot?.conflicts(with: slot) == true, let text = other.id,
                let id = try? TransactionID(text)
            else { continue }
            switch try await chain.whereabouts(of: id) {
            case .mined: return .over
            case .waiting: rivals.insert(id)
            case .unknown: continue
            }
        }
        guard rivals.isEmpty else { return .rivalled(rivals) }
        for input in transaction.inputs where try await chain.coin(at: input.previousOutput) == nil {
            // A node that is behind, or has dropped what waited, does not know the coin either.
            if case .mined = try await chain.whereabouts(of: input.previousOutput.transaction) { return .over }
            return .unclear
        }
        return .open
    }

    /// Has a further payment spend what each rival pays back: it cannot be mined without them, nor the earlier one with them.
    ///
    /// - Throws: where nothing comes back of one.
    func bind(_ order: inout SpendOrder) throws(Failure) {
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
        guard let waiting = unanswered, let entry else { return }
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
            hint: "ask another node, or an explorer; --again makes a further payment, whatever becomes of that one")
    }
}
