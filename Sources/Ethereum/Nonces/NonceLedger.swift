/// The nonces of one account that are taken, with their signed transactions: the wallet's memory between two runs.
///
/// A nonce is taken when a transaction is signed, and before it is sent: call ``record(_:)``, and store the ledger
/// (``encoded``). Record the node's answer afterwards: ``note(_:for:)``. A node that refuses a transaction may still
/// have relayed it. It leaves a hole, whose nonce is used next, so that at most one of the two transactions can be
/// mined. A transaction without an answer keeps its nonce, and no other nonce is given until its state is known:
/// ``advice(latest:pending:)`` names it, so that it is looked up or sent again. A nonce that a block has used stays
/// for ``ChainID/finalDepth`` blocks: if another block replaces that one, the transaction waits again.
///
/// A value without a clock, a node or a file. It is for one chain, since every chain counts nonces separately.
public struct NonceLedger: Hashable, Sendable {
    /// A node's answer to a transaction.
    public enum Outcome: Hashable, Sendable {
        /// The node accepted it, or has it.
        case accepted
        /// The node refused it.
        case refused
        /// The node did not answer.
        case unanswered
    }

    /// The state of a transaction.
    public enum State: UInt8, Hashable, Sendable {
        /// Signed, and possibly not sent.
        case signed = 0
        /// Sent, without an answer.
        case unanswered = 1
        /// A node took it.
        case sent = 2
        /// Sent, and refused by a node. That proves nothing.
        case refused = 3
    }

    /// One signed transaction.
    public struct Attempt: Hashable, Sendable {
        /// The signed transaction.
        public let transaction: SignedEthereumTransaction
        /// The known state of the transaction.
        public internal(set) var state: State
    }

    /// One nonce, and all transactions that were signed with it: a block contains at most one of them.
    public struct Slot: Hashable, Sendable {
        /// The nonce that the entries use.
        public let nonce: UInt64
        /// The transactions in the order in which they were signed; never empty.
        public internal(set) var attempts: [Attempt]
        /// The height at which the nonce was first seen to be used.
        public internal(set) var usedAt: UInt64?

        /// The transaction that was signed last.
        public var newest: Attempt { attempts[attempts.count - 1] }

        /// Whether all were refused, so that another transaction should use the nonce.
        public var isHole: Bool { attempts.allSatisfy { $0.state == .refused } }

        /// Whether the outcome of one of them is unknown.
        public var isOpen: Bool { attempts.contains { $0.state != .sent } }
    }

    /// The reasons why a transaction is not recorded, or no nonce is given.
    public enum Fault: Error, Hashable, Sendable {
        /// The transaction is of another account or another chain.
        case foreign
        /// A block has used the nonce.
        case used(nonce: UInt64)
        /// Nodes would not accept this replacement: these are the lowest fees.
        case underpriced(EthereumTransaction.Fees)
        /// No waiting transaction has this nonce or hash.
        case unknown
        /// The account has the maximum number of waiting transactions that nodes keep of one account.
        case full(limit: Int)
        /// The node counts fewer transactions with the waiting ones than without them.
        case inconsistent
        /// The wallet does not replace transactions of this type.
        case notReplaceable
        /// A replacement would cost more than the ceiling.
        case aboveCeiling(least: EthereumTransaction.Fees)
        /// The bytes are not a ledger.
        case malformed
    }

    /// The chain on which the nonces count.
    public let chain: ChainID
    /// The account that uses the nonces.
    public let account: EthereumAddress
    /// The nonces in ascending order.
    public internal(set) var slots: [Slot] = []
    /// One more than the highest nonce that was ever taken; nil if none was. Further nonces that a node counts were
    /// used by other programs.
    public internal(set) var next: UInt64?

    /// Creates an empty ledger.
    public init(chain: ChainID, account: EthereumAddress) {
        self.chain = chain
        self.account = account
    }

    /// The nonces whose transactions wait, in ascending order.
    public var waiting: [Slot] { slots.filter { $0.usedAt == nil } }

    // MARK: - Signing and sending

    /// Takes a nonce for a signed transaction, or replaces the one that has it. Store the ledger before you send the transaction.
    ///
    /// Recording the same transaction again changes nothing.
    ///
    /// - Throws: ``Fault/foreign``, ``Fault/used(nonce:)``, ``Fault/underpriced(_:)``, ``Fault/full(limit:)``.
    public mutating func record(_ transaction: SignedEthereumTransaction) throws(Fault) {
        let nonce = transaction.transaction.nonce
        if let slot = slots.first(where: { $0.nonce == nonce }) {
            guard slot.usedAt == nil else { throw .used(nonce: nonce) }
            guard !slot.attempts.contains(where: { $0.transaction == transaction }) else { return }
            // The fees of refused transactions need not be exceeded: normally no node has them.
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

    /// Adds it after those with the same nonce. If there are too many, the oldest refused one is removed.
    ///
    /// It ignores how many wait: if a node says so, transactions that were mined may wait again.
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
        // The highest possible nonce is never used (EIP-2681), so this cannot overflow.
        next = max(next ?? 0, nonce + 1)
    }

    /// Records a node's answer to a transaction.
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

    // MARK: - The chain's state

    /// Updates the ledger with the chain's present state.
    ///
    /// - Parameters:
    ///   - latest: the number of the account's transactions in blocks.
    ///   - height: the height of the newest block.
    ///   - unheard: used nonces that are never removed, however old: their transaction is unknown, or its result was
    ///     not yet acknowledged.
    public mutating func update(latest: UInt64, height: UInt64, keeping unheard: Set<UInt64> = []) {
        // One more than this is stored.
        let height = min(height, .max - 1)
        for index in slots.indices {
            // Below `latest` the nonce is used; it keeps its height, unless that block no longer exists.
            slots[index].usedAt = slots[index].nonce < latest ? min(slots[index].usedAt ?? height, height) : nil
        }
        slots.removeAll { slot in
            !unheard.contains(slot.nonce) && slot.usedAt.map { height - $0 >= chain.finalDepth } ?? false
        }
    }

    /// Removes a nonce that a block has used, once the user knows the result.
    public mutating func forget(_ nonce: UInt64) {
        slots.removeAll { $0.nonce == nonce && $0.usedAt != nil }
    }

    /// The next step.
    public enum Advice: Hashable, Sendable {
        /// This nonce is free.
        ///
        /// - Parameter missing: lower nonces whose transactions the node does not show. Send these again, or the
        ///   new one waits with them.
        case free(UInt64, missing: [UInt64])
        /// It is unknown whether this transaction was sent. Look it up, or send it again.
        case resolve(SignedEthereumTransaction)
    }

    /// Returns the nonce for another transaction, by the node's counts: the first hole, whatever waits at the node,
    /// else the first free one.
    ///
    /// - Parameters:
    ///   - latest: the number of the account's transactions in blocks.
    ///   - pending: the same, with the waiting transactions at the node without a gap; those of other programs may be
    ///     among them.
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
