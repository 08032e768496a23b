internal import Amounts
internal import Custody
public import Ethereum
internal import Nodes
internal import SigningSession
internal import Wallet
internal import WalletBooks

/// The pending transactions of one account: the nonces in the wallet's book, combined with a node's report.
///
/// Each change is written into the book before the next step.
struct NonceManager: Sendable {
    let account: UInt32
    let address: EthereumAddress
    let node: EthereumNode
    /// Whether the node is only asked: nothing is sent, written, or acknowledged.
    let isRehearsal: Bool
    let book: WalletBook
    private let wallet: WalletRecord
    let report: PaymentListener
    /// The stored ledger. An outcome counts as unknown until the order that made the transaction has acknowledged it:
    /// after that the same order is another payment.
    var ledger: NonceLedger
    /// The ledger with every transaction that the node knows marked as sent.
    var known: NonceLedger
    private let nonces: AccountNonces
    /// The transactions with unknown outcome that are at the node or in a block.
    var found: [SignedEthereumTransaction] = []
    /// The transactions with unknown outcome that are in a block, and failed there.
    var reverted: [(transaction: SignedEthereumTransaction, receipt: EthereumReceipt)] = []
    /// The events about earlier orders, for the caller.
    var warnings: [PaymentEvent] = []
    /// Transactions with unknown outcome whose nonce the node reports as used.
    private var doubtful: [SignedEthereumTransaction] = []
    /// The nonces of these, after the user has been warned.
    private var told: Set<UInt64> = []

    init(
        of account: UInt32, _ flow: SigningFlow, on node: EthereumNode, report: @escaping PaymentListener
    ) async throws(PaymentError) {
        let (wallet, book) = (flow.wallet, flow.book)
        self.account = account
        isRehearsal = flow.isRehearsal
        self.wallet = wallet
        self.book = book
        self.node = node
        self.report = report
        let address = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: account).address }
        self.address = address
        let height: UInt64
        (nonces, height) = try await attempt { () async throws(NodeError) in
            (try await node.nonces(of: address), try await node.height())
        }
        var stored = try await attempt { () async throws(CustodyError) in
            try await book.nonceLedger(on: node.chain, of: address)
        }
        let kept = stored
        stored.take(await book.history(), from: nonces.latest)
        (ledger, known) = (stored, stored)
        for slot in stored.slots where slot.nonce < nonces.latest {
            if try await !noteMined(slot), slot.isOpen { doubtful.append(slot.newest.transaction) }
        }
        let unheard = (found + reverted.map(\.transaction)).filter { stored.awaitsOrder(of: $0) }
        ledger.update(
            latest: nonces.latest, height: height, keeping: Set((doubtful + unheard).map(\.transaction.nonce)))
        known = ledger
        if ledger != kept { try await tidy(from: kept) }
    }

    /// Returns all signed transactions with the nonce of this one.
    func slot(of hash: [UInt8]) -> NonceLedger.Slot? { ledger.slot(of: hash) }

    /// Returns whether this transaction's nonce is not used by a block, and it was not refused.
    func awaits(_ transaction: SignedEthereumTransaction) -> Bool {
        guard transaction.transaction.nonce >= nonces.latest, let slot = known.slot(of: transaction.hash) else {
            return false
        }
        return slot.attempts.contains { $0.transaction == transaction && $0.state != .refused }
    }

    /// Returns whether a block has used the nonce of this transaction, as the node reports.
    func isUsed(_ transaction: SignedEthereumTransaction) -> Bool { isUsed(transaction.transaction.nonce) }

    /// Returns whether a block has used this nonce, as the node reports.
    func isUsed(_ nonce: UInt64) -> Bool { nonce < nonces.latest }

    /// Returns the pending transaction with this nonce; nil without one, or if a node has refused all of them.
    func waiting(with nonce: UInt64) -> SignedEthereumTransaction? {
        known.waiting.first { $0.nonce == nonce && !$0.isHole }?.newest.transaction
    }

    // MARK: - The next nonce

    /// Returns whether this nonce is used, or reserved by a pending transaction.
    func isTaken(_ nonce: UInt64) -> Bool {
        nonce < nonces.latest || known.slots.contains { $0.nonce == nonce && !$0.isHole }
    }

    /// Returns the nonce for another transaction.
    ///
    /// - Parameters:
    ///   - wish: the nonce that the person names.
    ///   - planned: the nonce of a proposal that waits to be signed, if it is free.
    ///   - bound: the only safe nonce, because an earlier attempt may have been signed with it.
    mutating func nonce(_ wish: UInt64?, planned: UInt64?, bound: UInt64?) async throws(PaymentError) -> UInt64 {
        guard case .free(let next, let missing) = try advice() else {
            throw .nonce(.unsettled(id: nil, reason: nil))
        }
        // Transactions that were found or sent again are at the node by now.
        for nonce in missing where !isRehearsal && !found.contains(where: { $0.transaction.nonce == nonce }) {
            guard let slot = known.slots.first(where: { $0.nonce == nonce }) else { continue }
            // A refused or unsent transaction does not replace a sent one.
            guard let sent = slot.attempts.last(where: { $0.state == .sent })?.transaction else { continue }
            report(.handingOverForgotten(id: sent.name))
            do throws(NodeError) { try await node.broadcast(sent) } catch {
                report(.notHandedOver(error))
            }
        }
        let hole = known.slots.first { $0.nonce == next && $0.isHole }?.newest.transaction
        if let hole {
            report(.takesNumberOfRefused(next, id: hole.name))
        }
        if let bound {
            guard wish ?? bound == bound else { throw .duplicate(.unfinishedNonce(bound)) }
            if let hole, next != bound { throw .nonce(.behindRefused(bound, first: next, id: hole.name)) }
            if bound > next { report(.heldNumberIsBehind(bound, next: next)) }
            return bound
        }
        guard let wish else {
            guard let planned, hole == nil else { return next }
            if planned > next { report(.heldNumberIsBehind(planned, next: next)) }
            return planned
        }
        guard wish >= nonces.latest else { throw .nonce(.used(wish, next: next)) }
        if let hole, wish != next {
            throw .nonce(.behindRefused(wish, first: next, id: hole.name))
        }
        guard wish <= next else {
            throw .nonce(.ahead(wish, next: next))
        }
        if let taken = known.waiting.first(where: { $0.nonce == wish && !$0.isHole }) {
            throw .nonce(.taken(wish, id: taken.newest.transaction.name))
        }
        return wish
    }

    /// Returns findings about claims that only the node makes about nonces, if a false claim would allow an unintended
    /// additional payment.
    ///
    /// - Parameter isNamed: whether the person has named the nonce.
    mutating func findings(on nonce: UInt64, isNamed: Bool) -> [PaymentFinding] {
        told = Set(doubtful.map(\.transaction.nonce))
        let doubts = doubtful.map { transaction in
            PaymentFinding.doubtfulNonce(transaction.transaction.nonce, id: transaction.name)
        }
        return doubts + (isNamed ? [] : [PaymentFinding(nonce, beyond: ledger)].compactMap(\.self))
    }

    // MARK: - Sending

    /// Reserves the nonce for a signed transaction. It is on the disk when this returns; only then is the transaction
    /// sent.
    mutating func record(_ transaction: SignedEthereumTransaction) async throws(PaymentError) {
        let told = told
        try await change { ledger throws(NonceLedger.Fault) in
            try ledger.record(transaction)
            for nonce in told { ledger.forget(nonce) }
        }
    }

    /// Sends the transaction to the node, and records the result.
    mutating func send(_ transaction: SignedEthereumTransaction) async throws(PaymentError) {
        do throws(NodeError) {
            try await node.broadcast(transaction)
        } catch {
            let outcome = error.outcomeOfBroadcast
            // If this cannot be recorded, the outcome stays unknown: the next order looks it up.
            try? await note(outcome, for: transaction)
            if outcome == .unanswered { try? await noteInHistory(.unanswered, of: transaction) }
            throw .delivery(
                .notSent(id: transaction.name, .ethereum(node.chain), error, isRefused: outcome == .refused))
        }
        do throws(PaymentError) {
            try await note(.accepted, for: transaction)
            try await noteInHistory(.sent, of: transaction)
        } catch { throw .delivery(.lostSight(id: transaction.name, .failed(error))) }
    }

    func status(of transaction: SignedEthereumTransaction) async throws(PaymentError) -> EthereumTransactionStatus {
        try await attempt { () async throws(NodeError) in try await node.status(of: transaction) }
    }

    /// Returns a refused transaction with the same effects and another nonce: if the refusal was false, it may still be
    /// mined.
    func refused(like transaction: EthereumTransaction) -> SignedEthereumTransaction? {
        known.waiting.filter { $0.nonce != transaction.nonce }.flatMap(\.attempts).first {
            $0.state == .refused && $0.transaction.transaction.doesTheSame(as: transaction)
        }?.transaction
    }

    // MARK: - The book

    func advice() throws(PaymentError) -> NonceLedger.Advice {
        try attempt { () throws(NonceLedger.Fault) in
            try known.advice(latest: nonces.latest, pending: nonces.pending)
        }
    }

    mutating func note(
        _ outcome: NonceLedger.Outcome, for transaction: SignedEthereumTransaction
    ) async throws(PaymentError) {
        try await change { ledger throws(NonceLedger.Fault) in try ledger.note(outcome, for: transaction.hash) }
    }

    /// Changes the stored ledger, and this copy of it. Another payment may have written since it was read: the stored
    /// ledger counts.
    mutating func change(
        _ body: @Sendable (inout NonceLedger) throws(NonceLedger.Fault) -> Void
    ) async throws(PaymentError) {
        guard !isRehearsal else {
            return try attempt { () throws(NonceLedger.Fault) in
                try body(&ledger)
                try body(&known)
            }
        }
        let (book, chain, address) = (book, node.chain, address)
        let changed = try await attempt { () async throws(CustodyError) in
            try await book.changeNonceLedger(on: chain, of: address, body)
        }
        let after = try attempt { () throws(NonceLedger.Fault) in try changed.after.get() }
        if changed.before == ledger {
            try attempt { () throws(NonceLedger.Fault) in try body(&known) }
        } else {
            known = after
        }
        ledger = after
    }

    /// Stores the findings of the beginning, unless another payment has written meanwhile: that one finds them itself.
    private mutating func tidy(from read: NonceLedger) async throws(PaymentError) {
        if isRehearsal { return }
        let (book, chain, address, tidied) = (book, node.chain, address, ledger)
        let changed = try await attempt { () async throws(CustodyError) in
            try await book.changeNonceLedger(on: chain, of: address) { ledger in if ledger == read { ledger = tidied } }
        }
        guard changed.before != read else { return }
        (ledger, known) = (changed.before, changed.before)
    }

    func noteInHistory(
        _ outcome: HistoryEntry.Outcome, of transaction: SignedEthereumTransaction
    ) async throws(PaymentError) {
        if isRehearsal { return }
        let (book, digest) = (book, try digest(of: transaction))
        guard await book.history().contains(where: { $0.digest == digest }) else { return }
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: digest) }
    }

    /// Returns the digest of its intent, by which the book knows it.
    func digest(of transaction: SignedEthereumTransaction) throws(PaymentError) -> [UInt8] {
        try intent(of: transaction.transaction).digest
    }

    func intent(of transaction: EthereumTransaction) throws(PaymentError) -> Intent {
        try attempt { () throws(CustodyError) in
            try wallet.work(of: .ethereumTransaction(transaction, account: account)).intent
        }
    }

    /// Returns the set of resources that no other transaction can use together with it.
    func conflictSet(of transaction: EthereumTransaction) throws(PaymentError) -> ConflictSet? {
        try attempt { () throws(CustodyError) in
            try book.conflictSet(of: .ethereumTransaction(transaction, account: account))
        }
    }
}

extension NonceLedger {
    /// Adds transactions that the history has as signed and the ledger lacks: a command ended between the two writes.
    ///
    /// - Parameter latest: nonces below it are used.
    fileprivate mutating func take(_ history: [HistoryEntry], from latest: UInt64) {
        for entry in history where entry.awaitsBlock && entry.chain == .ethereum(chain) {
            guard let transaction = entry.signedEthereumTransaction, transaction.sender == account,
                transaction.transaction.nonce >= latest, lacks(transaction, isCancellation: entry.isCancellation)
            else { continue }
            // For another chain, or more than the limit: its outcome stays unknown, as before.
            guard (try? record(transaction)) != nil else { continue }
            switch entry.state {
            case .unanswered: try? note(.unanswered, for: transaction.hash)
            case .sent: try? note(.accepted, for: transaction.hash)
            default: break
            }
        }
    }

    /// Returns whether the ledger has no transaction with this nonce, or not this cancellation of it.
    private func lacks(_ transaction: SignedEthereumTransaction, isCancellation: Bool) -> Bool {
        guard let slot = slots.first(where: { $0.nonce == transaction.transaction.nonce }) else { return true }
        return isCancellation && slot.usedAt == nil && slot.attempts.count < EthereumLimits.replacements
            && !slot.attempts.contains { $0.transaction == transaction }
    }

    /// Returns all signed transactions with the nonce of this one.
    func slot(of hash: [UInt8]) -> Slot? {
        slots.first { $0.attempts.contains { $0.transaction.hash == hash } }
    }

    /// Returns whether an order for the same effects has not acknowledged yet that this transaction is mined. A
    /// cancellation is never ordered again.
    fileprivate func awaitsOrder(of mined: SignedEthereumTransaction) -> Bool {
        guard !(mined.transaction.value == .zero && mined.transaction.data.isEmpty) else { return false }
        return slot(of: mined.hash)?.attempts.contains {
            $0.state != .sent && $0.transaction.transaction.doesTheSame(as: mined.transaction)
        } ?? false
    }
}

extension PaymentFinding {
    /// Creates a finding if the nonce exceeds all that this account has used, as far as this machine knows.
    public init?(_ nonce: UInt64, beyond ledger: NonceLedger) {
        guard let next = ledger.next, nonce > next else { return nil }
        self = .nonceGap(nonce: nonce, payments: nonce - next)
    }
}

extension NodeError {
    /// The outcome of a transaction's nonce after this error of its broadcast.
    fileprivate var outcomeOfBroadcast: NonceLedger.Outcome {
        switch self {
        // The node refuses it; or nothing left this machine.
        case .refused, .wrongChain, .unreachable(.notConnected), .timedOut(.connecting), .untrusted, .notPinned,
            .badConnection:
            .refused
        default: .unanswered
        }
    }
}
