public import Amounts
internal import DisplayText

/// An intent that was admitted to be signed, and its state since.
public struct HistoryEntry: Equatable, Sendable {
    /// The entry's number, in the order in which entries were admitted.
    public let number: UInt64
    /// The time when it was admitted, by the clock of this machine, in seconds since 1970.
    public package(set) var time: UInt64
    /// Later clock readings of ``time``: see ``ClockTimes``.
    package var corrections: [UInt64] = []
    /// The time when it was first proposed, in seconds since 1970, if it had to wait.
    public package(set) var proposed: UInt64?
    /// The chain; nil for an intent that is bound to no chain.
    public let chain: Chain?
    /// The intent's digest: `Intent.digest`.
    public let digest: [UInt8]
    /// The effects, as they were shown before signing.
    public let effects: [Effect]
    /// The highest fee: `Intent.highestFee`.
    public let highestFee: UInt256?
    /// The coins, or the nonce, that the transaction uses: another transaction that uses them cannot happen beside it.
    public let conflictSet: ConflictSet?
    /// The state of the entry, as far as it is known.
    public package(set) var state: State
    /// The transaction's name on its chain, once it is signed: its identifier on Bitcoin, its hash on Ethereum.
    public package(set) var id: String?
    /// The signed transaction in the encoding that nodes accept; nil for messages, and for a transaction signed in part.
    public package(set) var transaction: [UInt8]?
    /// The order that the transaction is an attempt at; nil if no payment was ordered, as for a message.
    public package(set) var order: OrderIdentity?
    /// The reports of the result.
    package var hearing = Hearing.unheard

    /// The reports of an order's result.
    package enum Hearing: UInt64, Sendable {
        case unheard = 0
        /// The order was answered with it: `WalletBook.acknowledge(_:)`.
        case heard = 1
        /// A list of resumed payments showed it: `WalletBook.noteShown(_:)`. The order was not answered.
        case shown = 2
    }

    /// Whether the caller of the order has acknowledged the result: `WalletBook.acknowledge(_:)`. Until then the same
    /// order finds this entry.
    public var isHeard: Bool { hearing == .heard }

    /// Whether the result was reported at all, to the caller of the order or in a list of resumed payments
    /// (`WalletBook.noteShown(_:)`).
    public var isShown: Bool { hearing != .unheard }

    /// The states of an entry.
    public enum State: Hashable, Sendable {
        /// Admitted, and possibly signed: after a crash it is unknown which.
        case reserved
        /// The session gave no signature.
        case failed
        /// Signed, and sent to no node yet.
        case signed
        /// Sent to a node whose answer is unknown. The transaction may be in the network.
        case unanswered
        /// A node accepted it.
        case sent
        /// A block contains it, and other blocks may still replace that block.
        case mined(height: UInt64)
        /// A block contains it, so deep that it will not be replaced.
        case settled(height: UInt64)
        /// Another transaction took its place, so that it can never be mined.
        case replaced

        /// Whether a signature is known to exist.
        public var isSigned: Bool {
            switch self {
            case .signed, .unanswered, .sent, .mined, .settled, .replaced: true
            case .reserved, .failed: false
            }
        }

        /// The height of the block that contains it; nil if no block is known to contain it.
        public var height: UInt64? {
            switch self {
            case .mined(let height), .settled(let height): height
            case .reserved, .failed, .signed, .unanswered, .sent, .replaced: nil
            }
        }
    }

    /// A change of state, to be recorded.
    public enum Outcome: Equatable, Sendable {
        /// The admitted session gave no signature, and no participant has sent a partial one. If that is in doubt,
        /// record nothing.
        case failed
        /// It is signed: the transaction's identifier or hash, if it has one, and its bytes.
        case signed(id: String?, bytes: [UInt8])
        /// It is about to be sent to a node. The result may never be known.
        case unanswered
        /// A node accepted it.
        case sent
        /// A block of this height contains it.
        case mined(height: UInt64)
        /// It is final at this height: entries that conflict with it become replaced.
        case settled(height: UInt64)
        /// Another transaction was mined in its place.
        case replaced
    }

    /// Whether the entry counts against limits, because a signature may exist. A replaced entry still counts: only a
    /// node says that another transaction was mined, and a lie must not make room for more.
    package var counts: Bool { state != .failed }

    /// Whether the entry may be forgotten once it is too old to count. A sent transaction may still be mined.
    package var isForgettable: Bool {
        switch state {
        case .reserved, .failed, .mined, .settled, .replaced: true
        case .signed, .unanswered, .sent: conflictSet == nil
        }
    }

    /// Whether a signature is known to exist.
    package var isSigned: Bool { state.isSigned }

    /// Whether the transaction pays no one: it cancels another one by using its coins or its nonce.
    public var isCancellation: Bool { effects == [.nothing] }

    /// Whether it is signed, and no block is known to contain it or a transaction that replaces it.
    public var awaitsBlock: Bool {
        switch state {
        case .signed, .unanswered, .sent: true
        case .reserved, .failed, .mined, .settled, .replaced: false
        }
    }

    /// Whether a node may have news of it.
    public var isOpen: Bool {
        switch state {
        case .signed, .unanswered, .sent, .mined: true
        case .reserved, .failed, .settled, .replaced: false
        }
    }

    /// Whether the entry belongs to an order, is signed, and its result was never acknowledged.
    public var isUnheard: Bool { order != nil && !isHeard && isSigned }

    /// The Ethereum account's nonce that the transaction uses; nil if it uses none.
    public var nonce: UInt64? {
        guard case .ethereum(_, _, let nonce) = conflictSet else { return nil }
        return nonce
    }

    /// Returns the signed transactions that conflict with this one, the oldest first: those that replace it and those
    /// that it replaces.
    public func alternatives(in history: [HistoryEntry]) -> [HistoryEntry] {
        history.filter { $0.digest != digest && $0.isSigned && $0.conflicts(with: conflictSet) }
    }

    /// Returns whether both are attempts at the same payment: of the same order, with the same effects. A payment with
    /// another payment key is another payment, whatever it pays.
    public func isSamePayment(as other: HistoryEntry) -> Bool {
        order == other.order && effects.areTheSame(as: other.effects)
    }

    /// Returns a conflicting transaction that a node saw in a block.
    public func rival(in history: [HistoryEntry]) -> HistoryEntry? {
        alternatives(in: history).last(where: \.isMined)
    }

    /// Returns whether this entry and a transaction with that conflict set cannot both happen.
    public func conflicts(with other: ConflictSet?) -> Bool {
        guard let conflictSet, let other else { return false }
        return conflictSet.conflicts(with: other)
    }

    /// Returns whether this entry and an intent have the same effects, and both can happen.
    ///
    /// - Parameter taken: the intent's conflict set.
    public func repeats(_ intent: Intent, taking taken: ConflictSet?) -> Bool {
        chain == intent.chain && effects.areTheSame(as: intent.effects) && !conflicts(with: taken)
    }

    /// Whether a node has seen it in a block.
    public var isMined: Bool {
        switch state {
        case .mined, .settled: true
        case .reserved, .failed, .signed, .unanswered, .sent, .replaced: false
        }
    }

    /// Returns the time from which it counts, by a clock that says `now`.
    package func counts(at now: UInt64) -> UInt64 { times.counts(at: now) }

    /// All clock readings of its admission.
    package var times: ClockTimes {
        get { ClockTimes(first: time, corrections) }
        set { (time, corrections) = (newValue.first, newValue.corrections) }
    }
}

extension HistoryEntry {
    /// Makes the entry of an intent that is admitted now.
    ///
    /// - Parameters:
    ///   - number: one more than that of the newest entry.
    ///   - now: seconds since 1970.
    ///   - proposed: the time when it was first proposed, if it had to wait.
    package init(
        admitting intent: Intent, number: UInt64, now: UInt64, proposed: UInt64?, taking conflictSet: ConflictSet?,
        for order: OrderIdentity?, isHeard: Bool
    ) {
        self.init(
            number: number, time: now, proposed: proposed, chain: intent.chain, digest: intent.digest,
            effects: intent.effects.map(\.remembered), highestFee: intent.highestFee, conflictSet: conflictSet,
            state: .reserved, order: order, hearing: isHeard ? .heard : .unheard)
    }
}

extension [Effect] {
    /// Returns whether both lists have the same effects in any order: a plan may pay several payees in any order.
    public func areTheSame(as others: [Effect]) -> Bool {
        count == others.count && Set(map(\.comparable)) == Set(others.map(\.comparable))
    }
}

extension Effect {
    /// The effect in the form in which effects are compared: earlier versions stored the same contract call as a token
    /// payment.
    fileprivate var comparable: Effect {
        guard case .payment(.token(let contract), let amount, let party) = self else { return self }
        return .payment(.tokenOrItem(contract), amount: amount, to: party)
    }

    /// The effect in the form in which it is stored: of a long message or comment only the beginning.
    fileprivate var remembered: Effect {
        switch self {
        case .message(let text): .message(text.beginning(WalletLimits.rememberedCharacters, lines: .several))
        case .file(let file, let comment):
            .file(file, comment: comment.beginning(WalletLimits.rememberedCharacters, lines: .one))
        default: self
        }
    }
}
