internal import Custody
internal import Encoding
internal import Nodes
internal import Wallet

/// What waits of one account: what the wallet's book remembers of its nonces, beside what a node says.
///
/// Each change is in the book before the next step is made.
struct EthereumQueue {
    let account: UInt32
    let address: EthereumAddress
    let node: EthereumNode
    /// Whether the node is only asked: nothing is handed to it, and nobody has heard of anything.
    var isRehearsal = false
    private let book: WalletBook
    private let wallet: WalletRecord
    private let output: Output
    /// As it is stored. What became of a transaction counts as not known until the order that made it has heard of it: then the
    /// same order is another payment.
    private var ledger: NonceLedger
    /// The same, but what is at the node counts as sent.
    private var known: NonceLedger
    private let nonces: AccountNonces
    /// Transactions of which it was not known, and which are at the node or in a block.
    private(set) var found: [SignedEthereumTransaction] = []
    /// Likewise, in a block, and failed there.
    private(set) var reverted: [(transaction: SignedEthereumTransaction, receipt: EthereumReceipt)] = []

    init(
        of account: UInt32, in wallet: WalletRecord, _ book: WalletBook, on node: EthereumNode, _ output: Output
    ) async throws(Failure) {
        self.account = account
        self.wallet = wallet
        self.book = book
        self.node = node
        self.output = output
        let address = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: account).address }
        self.address = address
        let height: UInt64
        (nonces, height) = try await attempt { () async throws(NodeError) in
            (try await node.nonces(of: address), try await node.height())
        }
        let stored = try await attempt { () async throws(CustodyError) in
            try await book.nonceLedger(on: node.chain, of: address)
        }
        ledger = stored
        ledger.update(latest: nonces.latest, height: height)
        known = ledger
        for slot in stored.slots where slot.nonce < nonces.latest { try await noteMined(slot) }
        if ledger != stored { try await save() }
    }

    /// Those that wait, in the order of their nonces.
    var waiting: [NonceLedger.Slot] { ledger.waiting }

    /// What was signed with the same nonce as this transaction.
    func slot(of hash: [UInt8]) -> NonceLedger.Slot? { ledger.slot(of: hash) }

    // MARK: - What is not known

    /// Finds out what became of transactions of which that is not known, and hands to the node once more what it does not have.
    ///
    /// - Throws: a ``Failure``, if it stays unknown: another transaction could be a second payment.
    mutating func settle() async throws(Failure) {
        while case .resolve(let open) = try advice() {
            guard let slot = known.slot(of: open.hash) else { break }
            try await settle(slot)
        }
    }

    /// Writes down that it is known what became of this one.
    mutating func conclude(_ transaction: SignedEthereumTransaction) async throws(Failure) {
        guard !isRehearsal, let slot = ledger.slot(of: transaction.hash) else { return }
        try accept(slot, in: &ledger)
        try await save()
    }

    private mutating func settle(_ slot: NonceLedger.Slot) async throws(Failure) {
        for attempt in slot.attempts.reversed() {
            let transaction = attempt.transaction
            guard try await whereabouts(of: transaction) != .unknown else { continue }
            output.note("transaction \(transaction.name), of which it was not known, is at the node")
            return try await accept(slot, transaction)
        }
        let newest = slot.newest.transaction
        guard !isRehearsal else { throw .wouldBeSentAgain("transaction \(newest.name)") }
        output.note("transaction \(newest.name) may not have been sent: hands it to the node once more")
        do throws(NodeError) {
            try await node.broadcast(newest)
        } catch .refused(let refusal, let words) {
            try await note(.refused, for: newest)
            guard ledger.slot(of: newest.hash) == nil else {
                throw .unsettled(newest, NodeError.refused(refusal, words).description)
            }
            return output.note("the node does not take it (\(refusal)): its number is free again")
        } catch { throw .unsettled(newest, error.description) }
        try await note(.unanswered, for: newest)
        try await accept(slot, newest)
    }

    /// One of these is at the node: what became of the others follows from that.
    private mutating func accept(
        _ slot: NonceLedger.Slot, _ transaction: SignedEthereumTransaction
    ) async throws(Failure) {
        try accept(slot, in: &known)
        found.append(transaction)
        try await noteInHistory(.sent, of: transaction)
    }

    private func accept(_ slot: NonceLedger.Slot, in ledger: inout NonceLedger) throws(Failure) {
        do throws(NonceLedger.Fault) {
            for attempt in slot.attempts where attempt.state != .sent {
                try ledger.note(.accepted, for: attempt.transaction.hash)
            }
        } catch { throw error.failure }
    }

    /// Writes into the history which of these is mined, unless it says so.
    private mutating func noteMined(_ slot: NonceLedger.Slot) async throws(Failure) {
        let isOpen = slot.attempts.contains { $0.state != .sent }
        let history = await book.history()
        for attempt in slot.attempts.reversed() {
            let (transaction, digest) = (attempt.transaction, try digest(of: attempt.transaction))
            guard isOpen || history.contains(where: { $0.digest == digest && !$0.isOver }),
                case .mined(let receipt) = try await whereabouts(of: transaction)
            else { continue }
            try await noteInHistory(.mined(height: receipt.height), of: transaction)
            guard receipt.isSuccess else {
                // It paid nobody. The same order is another payment, once the person has read this.
                guard isOpen else { return }
                output.note("transaction \(transaction.name) is in block \(receipt.height), and failed: it paid nobody")
                return reverted.append((transaction, receipt))
            }
            guard isOpen else { return }
            output.note("transaction \(transaction.name), of which it was not known, is in block \(receipt.height)")
            return found.append(transaction)
        }
    }

    // MARK: - The next one

    /// The nonce of another transaction.
    ///
    /// - Parameter wish: the one that the person names.
    mutating func nonce(_ wish: UInt64?) async throws(Failure) -> UInt64 {
        guard case .free(let next, let missing) = try advice() else {
            throw .unsettled(nil, "it is not known what became of it")
        }
        for nonce in missing where !isRehearsal {
            guard let slot = known.slots.first(where: { $0.nonce == nonce }) else { continue }
            output.note("the node has forgotten transaction \(slot.newest.transaction.name): hands it over once more")
            do throws(NodeError) { try await node.broadcast(slot.newest.transaction) } catch {
                output.note("warning: \(error)")
            }
        }
        guard let wish else { return next }
        guard wish >= nonces.latest else { throw .badNonce("\(wish) is used: the account's next one is \(next)") }
        guard wish <= next else {
            throw .badNonce("\(wish) would wait for \(next), which does not exist: the next one is \(next)")
        }
        if let taken = waiting.first(where: { $0.nonce == wish }) {
            throw .badNonce(
                "\(wish) is that of \(taken.newest.transaction.name), which waits",
                hint: "'fueki speed-up' and 'fueki cancel' put another one in its place")
        }
        return wish
    }

    // MARK: - Sending

    /// Takes the nonce for a signed transaction. It is on the disk when this returns; only then is it sent.
    mutating func record(_ transaction: SignedEthereumTransaction) async throws(Failure) {
        try change { ledger throws(NonceLedger.Fault) in try ledger.record(transaction) }
        try await save()
    }

    /// Hands the transaction to the node, and notes what came of it.
    mutating func send(_ transaction: SignedEthereumTransaction) async throws(Failure) {
        do throws(NodeError) {
            try await node.broadcast(transaction)
        } catch {
            let outcome = error.outcomeOfBroadcast
            // Where this cannot be written down, it stays unknown: the next order looks it up.
            try? await note(outcome, for: transaction)
            throw .notSent(transaction, error, isKnown: outcome == .refused)
        }
        do throws(Failure) {
            try await note(.accepted, for: transaction)
            try await noteInHistory(.sent, of: transaction)
        } catch { throw .sentNotSeen(transaction, error.message) }
    }

    func whereabouts(of transaction: SignedEthereumTransaction) async throws(Failure) -> EthereumWhereabouts {
        try await attempt { () async throws(NodeError) in try await node.whereabouts(of: transaction.hash) }
    }

    /// The hash of a payment that does the same, and is on its way already.
    func twin(of transaction: EthereumTransaction, since time: UInt64) async throws(Failure) -> String? {
        let intent = try intent(of: transaction)
        return await book.history().last {
            $0.state == .sent && $0.chain == intent.chain && $0.effects == intent.effects && $0.time >= time
        }?.id
    }

    // MARK: - The book

    private func advice() throws(Failure) -> NonceLedger.Advice {
        try attempt { () throws(NonceLedger.Fault) in
            try known.advice(latest: nonces.latest, pending: nonces.pending)
        }
    }

    private mutating func note(
        _ outcome: NonceLedger.Outcome, for transaction: SignedEthereumTransaction
    ) async throws(Failure) {
        try change { ledger throws(NonceLedger.Fault) in try ledger.note(outcome, for: transaction.hash) }
        try await save()
    }

    private mutating func change(
        _ body: (inout NonceLedger) throws(NonceLedger.Fault) -> Void
    ) throws(Failure) {
        do throws(NonceLedger.Fault) {
            try body(&ledger)
            try body(&known)
        } catch { throw error.failure }
    }

    private func save() async throws(Failure) {
        let (book, ledger) = (book, ledger)
        try await attempt { () async throws(CustodyError) in try await book.save(ledger) }
    }

    private func noteInHistory(
        _ outcome: HistoryEntry.Outcome, of transaction: SignedEthereumTransaction
    ) async throws(Failure) {
        let (book, digest) = (book, try digest(of: transaction))
        guard await book.history().contains(where: { $0.digest == digest }) else { return }
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: digest) }
    }

    /// Of what it does, by which the book knows it.
    func digest(of transaction: SignedEthereumTransaction) throws(Failure) -> [UInt8] {
        try intent(of: transaction.transaction).digest
    }

    private func intent(of transaction: EthereumTransaction) throws(Failure) -> Intent {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        return try attempt { () throws(WalletError) in
            try SigningWork(of: .ethereumTransaction(transaction, account: account), for: accounts).intent
        }
    }
}

extension NonceLedger {
    /// What was signed with the same nonce as this transaction.
    func slot(of hash: [UInt8]) -> Slot? {
        slots.first { $0.attempts.contains { $0.transaction.hash == hash } }
    }
}

extension SignedEthereumTransaction {
    /// As people and programs name it.
    var name: String { "0x" + Hex.encode(hash) }
}

extension HistoryEntry {
    fileprivate var isOver: Bool {
        switch state {
        case .mined, .replaced, .failed: true
        case .reserved, .signed, .unanswered, .sent: false
        }
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

extension Failure {
    fileprivate static func badNonce(_ reason: String, hint: String? = nil) -> Failure {
        Failure(code: .refused, name: "bad_nonce", message: "--nonce \(reason)", hint: hint)
    }

    /// Nobody knows what became of an earlier one.
    fileprivate static func unsettled(_ transaction: SignedEthereumTransaction?, _ reason: String) -> Failure {
        let name = transaction.map { "transaction \($0.name)" } ?? "a transaction"
        return Failure(
            code: .unavailable, name: "unsettled",
            message: "\(name) of this account was signed, and whether it was sent is not known; nothing was signed "
                + "now: \(reason)",
            hint: "'fueki cancel' with its hash puts another one in its place, or 'fueki speed-up' one that pays more")
    }

    /// Signed, and not with the node; or nobody knows.
    fileprivate static func notSent(
        _ transaction: SignedEthereumTransaction, _ error: NodeError, isKnown: Bool
    ) -> Failure {
        let failure = error.failure
        return Failure(
            code: failure.code, name: isKnown ? failure.name : "outcome_unknown",
            message: "transaction \(transaction.name) is signed, but \(error)",
            hint: isKnown
                ? "its number is free again, and nobody has been paid"
                : "pay nobody a second time: the same 'fueki send' once more looks it up, and sends this very "
                    + "transaction if the node does not have it")
    }
}
