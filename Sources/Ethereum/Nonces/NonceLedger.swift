/// Which nonces of one account are taken, by which signed transactions: what a wallet remembers between two runs.
///
/// A nonce is taken when a transaction is signed, and before it is sent: ``record(_:)``, and store the ledger (``encoded``). What the
/// node answers follows: ``note(_:for:)``. A node that refuses a transaction may have passed it on all the same: it leaves a hole,
/// whose nonce is the next one, so that at most one of both can be mined. A transaction that nobody answered for
/// keeps its nonce, and until it is known what became of it there is no other: ``advice(latest:pending:)`` names it, to be looked
/// up, or sent once more as it is. A nonce that a block has used stays for ``ChainID/finalDepth`` blocks: if another
/// block takes that one's place, the transaction waits again.
///
/// A value without a clock, a node or a file. For one chain, since every chain counts for itself.
public struct NonceLedger: Hashable, Sendable {
    /// What a node said to a transaction.
    public enum Outcome: Hashable, Sendable {
        /// It took it, or has it.
        case accepted
        /// It did not take it, and says so.
        case refused
        /// It said nothing.
        case unanswered
    }

    /// How far a transaction came.
    public enum State: UInt8, Hashable, Sendable {
        /// Signed; it may not have left.
        case signed = 0
        /// Sent, without an answer.
        case unanswered = 1
        /// A node took it.
        case sent = 2
        /// Sent, and a node said no. That proves nothing.
        case refused = 3
    }

    /// One signed transaction.
    public struct Attempt: Hashable, Sendable {
        /// The signed transaction.
        public let transaction: SignedEthereumTransaction
        /// What is known about the transaction.
        public internal(set) var state: State
    }

    /// One nonce, and all that was signed with it: of these a block takes one.
    public struct Slot: Hashable, Sendable {
        /// The nonce that the entries use.
        public let nonce: UInt64
        /// In the order in which they were signed; never empty.
        public internal(set) var attempts: [Attempt]
        /// The height at which the nonce was seen to be used.
        public internal(set) var usedAt: UInt64?

        /// The one that was signed last.
        public var newest: Attempt { attempts[attempts.count - 1] }

        /// Whether all were refused, so that something else should take the nonce.
        public var isHole: Bool { attempts.allSatisfy { $0.state == .refused } }

        /// Whether there is one of which it is not known what became of it.
        public var isOpen: Bool { attempts.contains { $0.state != .sent } }
    }

    /// Why a transaction is not recorded, or no nonce is given.
    public enum Fault: Error, Hashable, Sendable {
        /// Of another account or another chain.
        case foreign
        /// A block has used the nonce.
        case used(nonce: UInt64)
        /// A replacement that no node would take: these are the least fees.
        case underpriced(EthereumTransaction.Fees)
        /// There is nothing with this nonce, or hash, that waits.
        case unknown
        /// As many wait as nodes keep of one account.
        case full(limit: Int)
        /// The node counts fewer transactions with those that wait than without them.
        case inconsistent
        /// It is of a type that this wallet does not replace.
        case notReplaceable
        /// A replacement would cost more than the ceiling.
        case aboveCeiling(least: EthereumTransaction.Fees)
        /// Bytes that are no ledger.
        case malformed
    }

    /// On which the nonces count.
    public let chain: ChainID
    /// Whose nonces they are.
    public let account: EthereumAddress
    /// In the order of their nonces.
    public internal(set) var slots: [Slot] = []
    /// One more than the highest nonce that was ever taken; nil if none was. What a node counts beyond it was made elsewhere.
    public internal(set) var next: UInt64?

    /// Nothing is taken yet.
    public init(chain: ChainID, account: EthereumAddress) {
        self.chain = chain
        self.account = account
    }

    /// Those that wait, in the order of their nonces.
    public var waiting: [Slot] { slots.filter { $0.usedAt == nil } }

    // MARK: - Signing and sending

    /// Takes a nonce for a signed transaction, or replaces the one that has it. Store the ledger before you send the transaction.
    ///
    /// The same transaction a second time changes nothing.
    ///
    /// - Throws: ``Fault/foreign``, ``Fault/used(nonce:)``, ``Fault/underpriced(_:)``, ``Fault/full(limit:)``.
    public mutating func record(_ transaction: SignedEthereumTransaction) throws(Fault) {
        let nonce = transaction.transaction.nonce
        if let slot = slots.first(where: { $0.nonce == nonce }) {
            guard slot.usedAt == nil else { throw .used(nonce: nonce) }
            guard !slot.attempts.contains(where: { $0.transaction == transaction }) else { return }
            // What was refused need not be outbid: as a rule no node has it.
            let standing = slot.attempts.filter { $0.state != .refused }
            if let least = try Self.leastReplacementFees(of: standing) {
                let fees = transaction.transaction.boundFees
                guard fees.maxFeePerGas >= least.maxFeePerGas, fees.maxPriorityFeePerGas >= least.maxPriorityFeePerGas
                else { throw .underpriced(least) }
            }
        } else if waiting.count >= EthereumLimits.waitingTransactions {
            throw .full(limit: EthereumLimits.waitingTransactions)
        }
        try insert(transaction)
    }

    /// Puts it behind those with the same nonce. Of more than may be, the oldest that was refused is forgotten.
    ///
    /// However many wait: by a node's word those that were used may wait again.
    mutating func insert(_ transaction: SignedEthereumTransaction) throws(Fault) {
        guard transaction.sender == account, transaction.transaction.chainID == chain else { throw .foreign }
        let nonce = transaction.transaction.nonce
        let attempt = Attempt(transaction: transaction, state: .signed)
        if let index = slots.firstIndex(where: { $0.nonce == nonce }) {
            if slots[index].attempts.count >= EthereumLimits.replacements {
                guard let refused = slots[index].attempts.firstIndex(where: { $0.state == .refused }) else {
                    throw .full(limit: EthereumLimits.replacements)
                }
                slots[index].attempts.remove(at: refused)
            }
            slots[index].attempts.append(attempt)
        } else {
            let place = slots.firstIndex { $0.nonce > nonce } ?? slots.endIndex
            slots.insert(Slot(nonce: nonce, attempts: [attempt], usedAt: nil), at: place)
        }
        // The last nonce there is is never used (EIP-2681), so that there is one more.
        next = max(next ?? 0, nonce + 1)
    }

    /// Notes what a node said to a transaction.
    ///
    /// A refusal leaves a hole, unless the transaction may have reached another node before: then it counts as sent.
    ///
    /// - Throws: ``Fault/unknown`` if it was not recorded.
    public mutating func note(_ outcome: Outcome, for hash: [UInt8]) throws(Fault) {
        for index in slots.indices {
            guard let place = slots[index].attempts.firstIndex(where: { $0.transaction.hash == hash }) else { continue }
            let state = slots[index].attempts[place].state
            switch outcome {
            case .accepted: slots[index].attempts[place].state = .sent
            case .unanswered where state != .sent: slots[index].attempts[place].state = .unanswered
            case .refused where state == .signed: slots[index].attempts[place].state = .refused
            case .unanswered, .refused: break
            }
            return
        }
        throw .unknown
    }

    // MARK: - What the chain says

    /// Takes in how far the chain has come.
    ///
    /// - Parameters:
    ///   - latest: how many transactions of the account are in blocks.
    ///   - height: of the newest block.
    ///   - unheard: used nonces that stay, however long ago that was: nobody knows by what, or who ordered it has not heard of it.
    public mutating func update(latest: UInt64, height: UInt64, keeping unheard: Set<UInt64> = []) {
        // One more than it is stored.
        let height = min(height, .max - 1)
        for index in slots.indices {
            // Below `latest` the nonce is used; it was before, unless that block is no longer there.
            slots[index].usedAt = slots[index].nonce < latest ? min(slots[index].usedAt ?? height, height) : nil
        }
        slots.removeAll { slot in
            !unheard.contains(slot.nonce) && slot.usedAt.map { height - $0 >= chain.finalDepth } ?? false
        }
    }

    /// Forgets a nonce that a block has used, once the person has heard of it.
    public mutating func forget(_ nonce: UInt64) {
        slots.removeAll { $0.nonce == nonce && $0.usedAt != nil }
    }

    /// What to do next.
    public enum Advice: Hashable, Sendable {
        /// This nonce is free.
        ///
        /// - Parameter missing: nonces before it whose transactions the node does not show: send these once more as they are, or
        ///   the new one waits with them.
        case free(UInt64, missing: [UInt64])
        /// It is not known whether this one was sent. Look it up, or send it once more as it is.
        case resolve(SignedEthereumTransaction)
    }

    /// The nonce for another transaction, by what the node counts: the first hole, whatever waits at the node, or else the first
    /// that is free there.
    ///
    /// - Parameters:
    ///   - latest: how many transactions of the account are in blocks.
    ///   - pending: with those that wait at the node, without a gap; others than ours may be among them.
    /// - Throws: ``Fault/inconsistent``, ``Fault/full(limit:)``.
    public func advice(latest: UInt64, pending: UInt64) throws(Fault) -> Advice {
        guard latest <= pending, pending < .max else { throw .inconsistent }
        let waiting = slots.filter { $0.nonce >= latest }
        let open = waiting.lazy.compactMap { $0.attempts.last { [.signed, .unanswered].contains($0.state) } }.first
        if let open { return .resolve(open.transaction) }
        let hole = waiting.first(where: \.isHole)?.nonce
        guard hole != nil || waiting.count < EthereumLimits.waitingTransactions else {
            throw .full(limit: EthereumLimits.waitingTransactions)
        }
        let taken = Set(waiting.filter { !$0.isHole }.map(\.nonce))
        var nonce = hole ?? pending
        while taken.contains(nonce) { nonce += 1 }
        return .free(nonce, missing: taken.filter { $0 >= pending && $0 < nonce }.sorted())
    }
}
