internal import Amounts
internal import Custody
internal import Encoding
public import Ethereum
internal import HDKeys
internal import Nodes
internal import Wallet

/// What waits of one account: what the wallet's book remembers of its nonces, beside what a node says.
///
/// Each change is in the book before the next step is made.
struct NonceManager: Sendable {
    let account: UInt32
    let address: EthereumAddress
    let node: EthereumNode
    /// Whether the node is only asked: nothing is handed to it, nothing is written down, and nobody has heard of anything.
    let isRehearsal: Bool
    let book: WalletBook
    private let wallet: WalletRecord
    let report: PaymentListener
    /// As it is stored. What became of a transaction counts as not known until the order that made it has heard of it: then the
    /// same order is another payment.
    var ledger: NonceLedger
    /// The same, but what is at the node counts as sent.
    var known: NonceLedger
    private let nonces: AccountNonces
    /// Transactions of which it was not known, and which are at the node or in a block.
    var found: [SignedEthereumTransaction] = []
    /// Likewise, in a block, and failed there.
    var reverted: [(transaction: SignedEthereumTransaction, receipt: EthereumReceipt)] = []
    /// What a program should hear that was done for earlier orders.
    var warnings: [PaymentEvent] = []
    /// Of which it is not known, though the node says that a block has used their nonces: by another's transactions, then.
    private var doubtful: [SignedEthereumTransaction] = []
    /// The nonces of these, once the person is told.
    private var told: Set<UInt64> = []

    init(of account: UInt32, _ flow: SigningFlow, on node: EthereumNode) async throws(PaymentError) {
        let (wallet, book) = (flow.wallet, flow.book)
        self.account = account
        isRehearsal = flow.isRehearsal
        self.wallet = wallet
        self.book = book
        self.node = node
        report = flow.report
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

    /// What was signed with the same nonce as this transaction.
    func slot(of hash: [UInt8]) -> NonceLedger.Slot? { ledger.slot(of: hash) }

    /// Whether this one has a number that no block has used, and was not refused.
    func awaits(_ transaction: SignedEthereumTransaction) -> Bool {
        guard transaction.transaction.nonce >= nonces.latest, let slot = known.slot(of: transaction.hash) else {
            return false
        }
        return slot.attempts.contains { $0.transaction == transaction && $0.state != .refused }
    }

    /// Whether a block has used the number of this one, as the node says.
    func isUsed(_ transaction: SignedEthereumTransaction) -> Bool { transaction.transaction.nonce < nonces.latest }

    // MARK: - The next one

    /// Whether this nonce is used, or that of a transaction that waits.
    func isTaken(_ nonce: UInt64) -> Bool {
        nonce < nonces.latest || known.slots.contains { $0.nonce == nonce && !$0.isHole }
    }

    /// The nonce of another transaction.
    ///
    /// - Parameters:
    ///   - wish: the one that the person names.
    ///   - planned: one that waits to be signed, and has it, if it is free.
    mutating func nonce(_ wish: UInt64?, planned: UInt64?) async throws(PaymentError) -> UInt64 {
        guard case .free(let next, let missing) = try advice() else {
            throw .nonce(.unsettled(id: nil, reason: nil))
        }
        // What was found, or handed over once more, is there by now.
        for nonce in missing where !isRehearsal && !found.contains(where: { $0.transaction.nonce == nonce }) {
            guard let slot = known.slots.first(where: { $0.nonce == nonce }) else { continue }
            // What a node has refused, and what was never sent, does not go in the place of what was sent.
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

    /// What only the node says of the account's numbers, if more can be mined than the person means where it is not true.
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

    /// Takes the nonce for a signed transaction. It is on the disk when this returns; only then is it sent.
    mutating func record(_ transaction: SignedEthereumTransaction) async throws(PaymentError) {
        let told = told
        try await change { ledger throws(NonceLedger.Fault) in
            try ledger.record(transaction)
            for nonce in told { ledger.forget(nonce) }
        }
    }

    /// Hands the transaction to the node, and notes what came of it.
    mutating func send(_ transaction: SignedEthereumTransaction) async throws(PaymentError) {
        do throws(NodeError) {
            try await node.broadcast(transaction)
        } catch {
            let outcome = error.outcomeOfBroadcast
            // Where this cannot be written down, it stays unknown: the next order looks it up.
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
        try await attempt { () async throws(NodeError) in try await node.status(of: transaction.hash) }
    }

    /// One that does the same, has another number, and was refused by a node: where that was a lie, it may be mined yet.
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

    /// Changes what is stored, and what this holds of it. Another payment may have written since this was read: what is stored counts.
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

    /// Stores what was found out when this was made, unless another payment has written meanwhile: it finds the same out for itself.
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

    /// Of what it does, by which the book knows it.
    func digest(of transaction: SignedEthereumTransaction) throws(PaymentError) -> [UInt8] {
        try intent(of: transaction.transaction).digest
    }

    func intent(of transaction: EthereumTransaction) throws(PaymentError) -> Intent {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        return try attempt { () throws(HDKeyError) in
            try SigningWork(of: .ethereumTransaction(transaction, account: account), for: accounts).intent
        }
    }

    /// What no other transaction can take up together with it.
    func conflictSet(of transaction: EthereumTransaction) throws(PaymentError) -> ConflictSet? {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        return try attempt { () throws(CustodyError) in
            try ConflictSet(of: .ethereumTransaction(transaction, account: account), for: accounts)
        }
    }
}

extension NonceLedger {
    /// Takes in what the history has as signed and the ledger has not: a command died after the one was written, and before the
    /// other.
    ///
    /// - Parameter latest: numbers below are used.
    fileprivate mutating func take(_ history: [HistoryEntry], from latest: UInt64) {
        for entry in history where entry.awaitsBlock && entry.chain == .ethereum(chain) {
            guard let transaction = entry.signedEthereumTransaction, transaction.sender == account,
                transaction.transaction.nonce >= latest,
                !slots.contains(where: { $0.nonce == transaction.transaction.nonce })
            else { continue }
            // Of another chain, or more than may wait: then it is not known here, as before.
            guard (try? record(transaction)) != nil else { continue }
            switch entry.state {
            case .unanswered: try? note(.unanswered, for: transaction.hash)
            case .sent: try? note(.accepted, for: transaction.hash)
            default: break
            }
        }
    }

    /// What was signed with the same nonce as this transaction.
    func slot(of hash: [UInt8]) -> Slot? {
        slots.first { $0.attempts.contains { $0.transaction.hash == hash } }
    }

    /// Whether somebody has ordered what this one did, and has not heard that it is in a block. Nobody orders a cancellation anew.
    fileprivate func awaitsOrder(of mined: SignedEthereumTransaction) -> Bool {
        guard !(mined.transaction.value == .zero && mined.transaction.data.isEmpty) else { return false }
        return slot(of: mined.hash)?.attempts.contains {
            $0.state != .sent && $0.transaction.transaction.doesTheSame(as: mined.transaction)
        } ?? false
    }
}

extension SignedEthereumTransaction {
    /// Its hash, as people and programs name it: hexadecimal behind `0x`.
    public var name: String { "0x" + Hex.encode(hash) }
}

extension PaymentFinding {
    /// A finding if the nonce is beyond all that this account has used, as far as this machine knows.
    public init?(_ nonce: UInt64, beyond ledger: NonceLedger) {
        guard let next = ledger.next, nonce > next else { return nil }
        self = .nonceGap(nonce: nonce, payments: nonce - next)
    }
}

extension NodeError {
    /// What a transaction's nonce is after this, when it was handed to a node.
    fileprivate var outcomeOfBroadcast: NonceLedger.Outcome {
        switch self {
        // The node says no; or nothing left this machine.
        case .refused, .wrongChain, .unreachable(.notConnected), .timedOut(.connecting), .untrusted: .refused
        default: .unanswered
        }
    }
}
