internal import Custody
internal import Ethereum
internal import Nodes
internal import Wallet

extension NonceManager {
    /// Finds out what became of transactions of which that is not known, and hands to the node once more what it does not have.
    ///
    /// What was never handed over (a pending proposal that was signed, a program that died) goes only where it is what is ordered now, or by the caller's word.
    ///
    /// - Parameters:
    ///   - mayResend: whether what was never handed over may be, for the sake of what is ordered now.
    ///   - attempts: at what is ordered now.
    /// - Throws: ``PaymentError/nonce(_:)`` if it stays unknown: another transaction could be a second payment.
    mutating func settle(_ mayResend: Bool, for attempts: [HistoryEntry]) async throws(PaymentError) {
        for slot in known.waiting where slot.isHole {
            guard let shown = try await shown(of: slot) else { continue }
            report(.foundRefused(id: shown.name))
            try await accept(slot, shown)
        }
        while case .resolve(let open) = try advice() {
            guard let slot = known.slot(of: open.hash) else { break }
            try await settle(slot, mayResend, for: attempts)
        }
    }

    /// Writes down that it is known what became of this one.
    mutating func conclude(_ transaction: SignedEthereumTransaction) async throws(PaymentError) {
        guard !isRehearsal else { return }
        let (book, chain, address) = (book, node.chain, address)
        let changed = try await attempt { () async throws(CustodyError) in
            try await book.changeNonceLedger(on: chain, of: address) { ledger throws(NonceLedger.Fault) in
                guard let slot = ledger.slot(of: transaction.hash) else { return }
                try ledger.accept(slot, transaction)
            }
        }
        ledger = try attempt { () throws(NonceLedger.Fault) in try changed.after.get() }
    }

    private mutating func settle(
        _ slot: NonceLedger.Slot, _ mayResend: Bool, for attempts: [HistoryEntry]
    ) async throws(PaymentError) {
        if let shown = try await shown(of: slot) {
            report(.foundWaiting(id: shown.name))
            return try await accept(slot, shown)
        }
        // What a node refused is not handed over again, while another one may still be there.
        let attempt =
            slot.attempts.last { [.unanswered, .sent].contains($0.state) } ?? slot.attempts.last {
                $0.state != .refused
            }
            ?? slot.newest
        let newest = attempt.transaction
        guard !isRehearsal else { throw .duplicate(.rehearsal(id: newest.name)) }
        let intent = try intent(of: newest.transaction)
        let payees = Set(intent.effects.compactMap(\.party))
        let unsent = UnsentTransaction(
            id: newest.name, nonce: newest.transaction.nonce, intent: intent,
            contacts: await book.contacts().filter { payees.contains($0.party) })
        let isOrdered = attempts.contains { $0.digest == intent.digest }
        if attempt.state == .signed, !isOrdered {
            guard mayResend else { throw .nonce(.unsent(unsent)) }
            report(.handingOverUnsent(unsent))
        } else {
            report(.handingOverUnsettled(unsent))
        }
        do throws(NodeError) {
            try await node.broadcast(newest)
        } catch .refused(let refusal, let words) {
            try await note(.refused, for: newest)
            let noted = known.slot(of: newest.hash)?.attempts.first { $0.transaction.hash == newest.hash }
            guard noted?.state == .refused else {
                throw .nonce(.unsettled(id: newest.name, reason: .refused(refusal, words)))
            }
            return report(.notTaken(refusal))
        } catch { throw .nonce(.unsettled(id: newest.name, reason: error)) }
        try await note(.unanswered, for: newest)
        try await accept(slot, newest)
        warnings.append(.handedOverEarlier(id: newest.name))
    }

    /// Which of these is at the node.
    private func shown(of slot: NonceLedger.Slot) async throws(PaymentError) -> SignedEthereumTransaction? {
        for attempt in slot.attempts.reversed() {
            if try await status(of: attempt.transaction) != .unknown { return attempt.transaction }
        }
        return nil
    }

    /// One of these is at the node: what became of the others follows from that, but for those that were refused.
    private mutating func accept(
        _ slot: NonceLedger.Slot, _ transaction: SignedEthereumTransaction
    ) async throws(PaymentError) {
        try attempt { () throws(NonceLedger.Fault) in try known.accept(slot, transaction) }
        found.append(transaction)
        try await noteInHistory(.sent, of: transaction)
    }

    /// Writes into the history which of these is mined, unless it says so.
    ///
    /// - Returns: whether one of them is.
    mutating func noteMined(_ slot: NonceLedger.Slot) async throws(PaymentError) -> Bool {
        let history = await book.history()
        for attempt in slot.attempts.reversed() {
            let (transaction, digest) = (attempt.transaction, try digest(of: attempt.transaction))
            let isOpen = slot.awaits(attempt)
            let entry = history.last { $0.digest == digest }
            guard isOpen || entry.map({ !$0.isOver }) ?? slot.isOpen else {
                if entry?.isMined == true { return true }
                continue
            }
            guard case .mined(let receipt) = try await status(of: transaction) else { continue }
            // That it failed is the node's word: it stays sent, so that nobody orders it anew unasked, and makes nobody known.
            try await noteInHistory(receipt.isSuccess ? .mined(height: receipt.height) : .sent, of: transaction)
            guard isOpen else { return true }
            if receipt.isSuccess {
                report(.foundMined(id: transaction.name, height: receipt.height))
                found.append(transaction)
            } else {
                // It paid nobody. The same order is another payment, once the person has read this.
                report(.foundReverted(id: transaction.name, height: receipt.height))
                reverted.append((transaction, receipt))
            }
            return true
        }
        return false
    }
}

extension NonceLedger {
    /// Notes that one of a slot's attempts is at the node.
    fileprivate mutating func accept(_ slot: Slot, _ transaction: SignedEthereumTransaction) throws(Fault) {
        for attempt in slot.attempts where attempt.state != .refused || attempt.transaction == transaction {
            try note(.accepted, for: attempt.transaction.hash)
        }
    }
}

extension NonceLedger.Slot {
    /// Whether the order that made this one has not heard what became of it.
    fileprivate func awaits(_ attempt: NonceLedger.Attempt) -> Bool {
        if attempts.contains(where: { [.signed, .unanswered].contains($0.state) }) { return true }
        return attempt.state == .refused
            && !attempts.contains {
                $0.state == .sent && $0.transaction.transaction == attempt.transaction.transaction
            }
    }
}

extension HistoryEntry {
    fileprivate var isOver: Bool {
        switch state {
        case .mined, .settled, .replaced, .failed: true
        case .reserved, .signed, .unanswered, .sent: false
        }
    }
}
