internal import Custody
internal import Ethereum
internal import Nodes
internal import Wallet
internal import WalletBooks

extension NonceManager {
    /// Finds the states of transactions with unknown outcome, and sends those that the node does not have again.
    ///
    /// A transaction that was never sent (a signed proposal, a program that ended) is sent only if it is the present
    /// order, or with the caller's consent.
    ///
    /// - Parameters:
    ///   - mayResend: whether unsent transactions may be sent, so that the present order can follow.
    ///   - attempts: the attempts at the present order, or at all orders that are resumed.
    ///   - isOrderedAgain: whether the caller has just given the order. A person who orders a cancelled payment again
    ///     wants it paid. Otherwise a signed cancellation comes before the payment.
    /// - Throws: ``PaymentError/nonce(_:)`` if an outcome stays unknown: another transaction could be a second payment;
    ///   ``DuplicatePaymentFault/cancellationUnclear(_:by:)`` if a cancelled payment would be sent.
    mutating func settle(
        _ mayResend: Bool, for attempts: [HistoryEntry], isOrderedAgain: Bool
    ) async throws(PaymentError) {
        for slot in known.waiting where slot.isHole {
            guard let shown = try await shown(of: slot) else { continue }
            report(.foundRefused(id: shown.name))
            try await accept(slot, shown)
        }
        while case .resolve(let open) = try advice() {
            guard let slot = known.slot(of: open.hash) else { break }
            try await settle(slot, mayResend, for: attempts, isOrderedAgain: isOrderedAgain)
        }
    }

    /// Records that the outcome of this transaction is known.
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
        _ slot: NonceLedger.Slot, _ mayResend: Bool, for attempts: [HistoryEntry], isOrderedAgain: Bool
    ) async throws(PaymentError) {
        if let shown = try await shown(of: slot) {
            report(.foundWaiting(id: shown.name))
            return try await accept(slot, shown)
        }
        // A refused transaction is not sent again while another one may still be at a node.
        let cancellation = try cancellation(in: slot, attempts, isOrderedAgain: isOrderedAgain)
        let attempt =
            cancellation ?? slot.attempts.last { [.unanswered, .sent].contains($0.state) } ?? slot.attempts.last {
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
        // A cancellation pays no one: it needs no consent where the payment was sent.
        let isOrdered =
            attempts.contains { $0.digest == intent.digest }
            || cancellation != nil && slot.attempts.contains { [.unanswered, .sent].contains($0.state) }
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

    /// Returns the cancellation that comes before the payment with the same nonce.
    ///
    /// - Returns: nil if no cancellation may be signed, if a node has refused each and the present order is another
    ///   one, or if a person has ordered the payment again.
    private func cancellation(
        in slot: NonceLedger.Slot, _ attempts: [HistoryEntry], isOrderedAgain: Bool
    ) throws(PaymentError) -> NonceLedger.Attempt? {
        let own = attempts.filter { $0.conflictSet == .ethereum(node.chain, account: address, nonce: slot.nonce) }
        let key = own.lazy.compactMap { $0.order?.key }.first
        if isOrderedAgain, !own.isEmpty, key == nil { return nil }
        var signed: [NonceLedger.Attempt] = []
        for attempt in slot.attempts where try intent(of: attempt.transaction.transaction).effects == [.nothing] {
            signed.append(attempt)
        }
        if let newest = signed.last(where: { $0.state != .refused }) { return newest }
        let isPaid = slot.attempts.contains { attempt in
            attempt.state != .refused && !signed.contains(attempt)
        }
        guard isPaid, !own.isEmpty, !signed.isEmpty || own.contains(where: { $0.isUnfinishedCancellation }) else {
            return nil
        }
        throw .duplicate(.cancellationUnclear(key, by: signed.last?.transaction.name))
    }

    /// Returns the one that is at the node.
    private func shown(of slot: NonceLedger.Slot) async throws(PaymentError) -> SignedEthereumTransaction? {
        for attempt in slot.attempts.reversed() {
            if try await status(of: attempt.transaction) != .unknown { return attempt.transaction }
        }
        return nil
    }

    /// Records that one of these is at the node. The outcomes of the others follow from that, except for refused ones.
    private mutating func accept(
        _ slot: NonceLedger.Slot, _ transaction: SignedEthereumTransaction
    ) async throws(PaymentError) {
        try attempt { () throws(NonceLedger.Fault) in try known.accept(slot, transaction) }
        found.append(transaction)
        try await noteInHistory(.sent, of: transaction)
    }

    /// Records in the history which of these is mined, unless it is recorded already.
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
            // A failure is the node's claim: the payment stays sent, so that it is not repeated unasked, and its payee
            // does not become known.
            try await noteInHistory(receipt.isSuccess ? .mined(height: receipt.height) : .sent, of: transaction)
            guard isOpen else { return true }
            if receipt.isSuccess {
                report(.foundMined(id: transaction.name, height: receipt.height))
                found.append(transaction)
            } else {
                // It paid nothing. The same order is another payment, once the person has read this.
                report(.foundReverted(id: transaction.name, height: receipt.height))
                reverted.append((transaction, receipt))
            }
            return true
        }
        return false
    }
}

extension NonceLedger {
    /// Records that one of a slot's attempts is at the node.
    fileprivate mutating func accept(_ slot: Slot, _ transaction: SignedEthereumTransaction) throws(Fault) {
        for attempt in slot.attempts where attempt.state != .refused || attempt.transaction == transaction {
            try note(.accepted, for: attempt.transaction.hash)
        }
    }
}

extension NonceLedger.Slot {
    /// Returns whether the order that made this transaction has not acknowledged its outcome yet.
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
