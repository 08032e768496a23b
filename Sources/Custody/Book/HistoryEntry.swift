public import Amounts
internal import DisplayText
public import Wallet

/// Something that was admitted to be signed, and what became of it.
public struct HistoryEntry: Equatable, Sendable {
    /// In the order in which they were admitted.
    public let number: UInt64
    /// When it was admitted, by the clock of this machine, in seconds since 1970.
    public internal(set) var time: UInt64
    /// See ``ClockTimes``.
    var corrections: [UInt64] = []
    /// When it was first proposed, if it had to wait.
    public internal(set) var proposed: UInt64?
    /// Nil for what is bound to no chain.
    public let chain: Chain?
    /// ``Intent/digest``.
    public let digest: [UInt8]
    /// What it does, as it was shown before it was signed.
    public let effects: [Effect]
    /// ``Intent/highestFee``.
    public let highestFee: UInt256?
    /// The coins, or the nonce, that the transaction uses: another transaction that uses them cannot happen beside it.
    public let conflictSet: ConflictSet?
    public internal(set) var state: State
    /// The transaction's name on its chain, once it is signed: of Bitcoin its identifier, of Ethereum its hash.
    public internal(set) var id: String?
    /// The signed transaction in the encoding that nodes accept; nil for messages, and for a transaction signed in part.
    public internal(set) var transaction: [UInt8]?
    /// The order that the transaction is an attempt at; nil if no payment was ordered, as for a message.
    public internal(set) var order: OrderIdentity?
    /// Whether the caller who ordered it has heard what came of it: ``WalletBook/acknowledge(_:)``. Until then the same order is
    /// this one.
    public internal(set) var isHeard = false

    /// How far it came.
    public enum State: Hashable, Sendable {
        /// Admitted, and possibly signed: a crash leaves that open.
        case reserved
        /// No signature came out.
        case failed
        /// Signed, and handed to no node yet.
        case signed
        /// Handed to a node, of which no answer is known. It may be on its way.
        case unanswered
        /// A node took it.
        case sent
        /// A block has it, and other blocks may take that one's place.
        case mined(height: UInt64)
        /// So deep that it stays.
        case settled(height: UInt64)
        /// Another transaction took its place, so that it can never be mined.
        case replaced

        /// The height of the block that has it; nil if no block is known to have it.
        public var height: UInt64? {
            switch self {
            case .mined(let height), .settled(let height): height
            case .reserved, .failed, .signed, .unanswered, .sent, .replaced: nil
            }
        }
    }

    /// What is noted of it.
    public enum Outcome: Equatable, Sendable {
        /// No signature came out of the session that was admitted: no participant has sent its part of one. In doubt, note nothing.
        case failed
        /// Signed: the transaction's identifier or hash, if it has one, and its bytes.
        case signed(id: String?, bytes: [UInt8])
        /// It is about to be handed to a node: what comes of that may never be known.
        case unanswered
        /// A node took it.
        case sent
        /// A block of this height has it.
        case mined(height: UInt64)
        /// It stays: what stands in its way is replaced.
        case settled(height: UInt64)
        /// Another transaction was mined in its place.
        case replaced
    }

    /// Whether it counts against limits: a signature may be about. That another one was mined in its place is a node's word, and a
    /// node that lies must not make room for more.
    var counts: Bool { state != .failed }

    /// Whether nothing follows from it any more, once it is too old to count. What was sent may still be mined.
    var isForgettable: Bool {
        switch state {
        case .reserved, .failed, .mined, .settled, .replaced: true
        case .signed, .unanswered, .sent: conflictSet == nil
        }
    }

    /// Whether a signature is known to have come out.
    var isSigned: Bool {
        switch state {
        case .signed, .unanswered, .sent, .mined, .settled, .replaced: true
        case .reserved, .failed: false
        }
    }

    /// Whether it is signed, and no block is known to have it, or another transaction in its place.
    public var awaitsBlock: Bool {
        switch state {
        case .signed, .unanswered, .sent: true
        case .reserved, .failed, .mined, .settled, .replaced: false
        }
    }

    /// Whether a node may have something new to say of it.
    public var isOpen: Bool {
        switch state {
        case .signed, .unanswered, .sent, .mined: true
        case .reserved, .failed, .settled, .replaced: false
        }
    }

    /// Whether somebody ordered it, a signature is known, and its result was never told.
    public var isUnheard: Bool { order != nil && !isHeard && isSigned }

    /// The number that it has among the transactions of an account on Ethereum.
    public var nonce: UInt64? {
        guard case .ethereum(_, _, let nonce) = conflictSet else { return nil }
        return nonce
    }

    /// The signed transactions that cannot happen beside this one, the oldest first: what replaces it, and what it replaces.
    public func alternatives(in history: [HistoryEntry]) -> [HistoryEntry] {
        history.filter { $0.digest != digest && $0.isSigned && $0.conflicts(with: conflictSet) }
    }

    /// Whether both are attempts at the same payment: of the same order, and with the same effects. A payment with another key is
    /// another payment, whatever it pays.
    public func isSamePayment(as other: HistoryEntry) -> Bool {
        order == other.order && effects.areTheSame(as: other.effects)
    }

    /// What stands in its way, and was seen in a block: that is a node's word.
    public func rival(in history: [HistoryEntry]) -> HistoryEntry? {
        alternatives(in: history).last(where: \.isMined)
    }

    /// Whether this and what takes up that cannot both happen.
    public func conflicts(with other: ConflictSet?) -> Bool {
        guard let conflictSet, let other else { return false }
        return conflictSet.conflicts(with: other)
    }

    /// Whether this and an intent do the same, and both can happen.
    ///
    /// - Parameter taken: what the intent takes up.
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

    /// From when it counts, by a clock that says `now`.
    func counts(at now: UInt64) -> UInt64 { ClockTimes(first: time, corrections).counts(at: now) }
}

extension [Effect] {
    /// Whether both do the same: a plan may pay several payees in any order.
    public func areTheSame(as others: [Effect]) -> Bool {
        count == others.count && Set(map(\.comparable)) == Set(others.map(\.comparable))
    }
}

extension Effect {
    /// As it is compared: the same call of a contract was told as a payment of tokens by earlier versions.
    fileprivate var comparable: Effect {
        guard case .payment(.token(let contract), let amount, let party) = self else { return self }
        return .payment(.tokenOrItem(contract), amount: amount, to: party)
    }

    /// As it is kept: of a long message its beginning.
    var remembered: Effect {
        guard case .message(let text) = self else { return self }
        return .message(text.beginning(Limits.rememberedCharacters, lines: .several))
    }
}
