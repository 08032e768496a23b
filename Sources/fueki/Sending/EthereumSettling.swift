internal import Custody
internal import Ethereum
internal import Nodes
internal import Wallet

extension EthereumQueue {
    /// Whether what was signed, and never handed to a node, may be handed over for the sake of what is ordered now.
    enum Consent {
        case given
        /// The person is asked.
        case ask
        case withheld
    }

    /// Finds out what became of transactions of which that is not known, and hands to the node once more what it does not have.
    ///
    /// What was never handed over (``PendingSign``, a command that died) goes only where it is what is ordered now, or by consent.
    ///
    /// - Parameter attempts: at what is ordered now.
    /// - Throws: a ``Failure``, if it stays unknown: another transaction could be a second payment.
    mutating func settle(_ consent: Consent, for attempts: [HistoryEntry]) async throws(Failure) {
        for slot in known.waiting where slot.isHole {
            guard let shown = try await shown(of: slot) else { continue }
            output.note("transaction \(shown.name), which a node refused, is at the node")
            try await accept(slot, shown)
        }
        while case .resolve(let open) = try advice() {
            guard let slot = known.slot(of: open.hash) else { break }
            try await settle(slot, consent, for: attempts)
        }
    }

    /// Writes down that it is known what became of this one.
    mutating func conclude(_ transaction: SignedEthereumTransaction) async throws(Failure) {
        guard !isRehearsal, let slot = ledger.slot(of: transaction.hash) else { return }
        try accept(slot, transaction, in: &ledger)
        try await save()
    }

    private mutating func settle(
        _ slot: NonceLedger.Slot, _ consent: Consent, for attempts: [HistoryEntry]
    ) async throws(Failure) {
        if let shown = try await shown(of: slot) {
            output.note("transaction \(shown.name), of which it was not known, is at the node")
            return try await accept(slot, shown)
        }
        // What a node refused is not handed over again, while another one may still be there.
        let attempt =
            slot.attempts.last { [.unanswered, .sent].contains($0.state) } ?? slot.attempts.last {
                $0.state != .refused
            }
            ?? slot.newest
        let newest = attempt.transaction
        guard !isRehearsal else { throw .wouldBeSentAgain("transaction \(newest.name)") }
        let (intent, names) = (try intent(of: newest.transaction), PartyNames(await book.contacts()))
        let lines = intent.effects.map { "\n  " + EffectLine($0, on: intent.chain, names: names).text }.joined()
        let isOrdered = attempts.contains { $0.digest == intent.digest }
        if attempt.state == .signed, !isOrdered {
            try agree(consent, to: newest, lines)
        } else {
            output.note(
                "transaction \(newest.name) may not have been sent: hands it to the node once more. It does this:"
                    + lines)
        }
        do throws(NodeError) {
            try await node.broadcast(newest)
        } catch .refused(let refusal, let words) {
            try await note(.refused, for: newest)
            let noted = known.slot(of: newest.hash)?.attempts.first { $0.transaction.hash == newest.hash }
            guard noted?.state == .refused else {
                throw .unsettled(newest, NodeError.refused(refusal, words).description)
            }
            return output.note("the node does not take it: \(refusal)")
        } catch { throw .unsettled(newest, error.description) }
        try await note(.unanswered, for: newest)
        try await accept(slot, newest)
        warnings.append("transaction \(newest.name), which was signed before, was handed to the node")
    }

    /// - Throws: a ``Failure`` if it must not be handed over.
    private func agree(
        _ consent: Consent, to transaction: SignedEthereumTransaction, _ lines: String
    ) throws(Failure) {
        let subject =
            "Transaction \(transaction.name) was signed before, and never sent. It has number "
            + "\(transaction.transaction.nonce) of this account, and what is ordered now comes behind it. It does this:"
            + lines
        switch consent {
        case .given: output.note(subject)
        case .ask:
            guard try Confirmation.ask("Send that one, too?", about: subject, insteadUse: "--resend") else {
                throw .declined()
            }
        case .withheld:
            throw Failure(
                code: .refused, name: "unsent_transaction",
                message: "transaction \(transaction.name) was signed before, and never sent, and what is ordered now "
                    + "comes behind it. It does this:\(lines)",
                hint: "--resend sends it first; 'fueki cancel' with its hash puts another one in its place",
                id: transaction.name)
        }
    }

    /// Which of these is at the node.
    private func shown(of slot: NonceLedger.Slot) async throws(Failure) -> SignedEthereumTransaction? {
        for attempt in slot.attempts.reversed() {
            if try await whereabouts(of: attempt.transaction) != .unknown { return attempt.transaction }
        }
        return nil
    }

    /// One of these is at the node: what became of the others follows from that, but for those that were refused.
    private mutating func accept(
        _ slot: NonceLedger.Slot, _ transaction: SignedEthereumTransaction
    ) async throws(Failure) {
        try accept(slot, transaction, in: &known)
        found.append(transaction)
        try await noteInHistory(.sent, of: transaction)
    }

    private func accept(
        _ slot: NonceLedger.Slot, _ transaction: SignedEthereumTransaction, in ledger: inout NonceLedger
    ) throws(Failure) {
        do throws(NonceLedger.Fault) {
            for attempt in slot.attempts where attempt.state != .refused || attempt.transaction == transaction {
                try ledger.note(.accepted, for: attempt.transaction.hash)
            }
        } catch { throw error.failure }
    }

    /// Writes into the history which of these is mined, unless it says so.
    ///
    /// - Returns: whether one of them is.
    mutating func noteMined(_ slot: NonceLedger.Slot) async throws(Failure) -> Bool {
        let history = await book.history()
        for attempt in slot.attempts.reversed() {
            let (transaction, digest) = (attempt.transaction, try digest(of: attempt.transaction))
            let isOpen = slot.awaits(attempt)
            let entry = history.last { $0.digest == digest }
            guard isOpen || entry.map({ !$0.isOver }) ?? slot.isOpen else {
                if entry?.isMined == true { return true }
                continue
            }
            guard case .mined(let receipt) = try await whereabouts(of: transaction) else { continue }
            // That it failed is the node's word: it stays sent, so that nobody orders it anew unasked, and makes nobody known.
            try await noteInHistory(receipt.isSuccess ? .mined(height: receipt.height) : .sent, of: transaction)
            guard isOpen else { return true }
            if receipt.isSuccess {
                output.note("transaction \(transaction.name), of which it was not known, is in block \(receipt.height)")
                found.append(transaction)
            } else {
                // It paid nobody. The same order is another payment, once the person has read this.
                output.note("transaction \(transaction.name) is in block \(receipt.height), and failed: it paid nobody")
                reverted.append((transaction, receipt))
            }
            return true
        }
        return false
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

extension Failure {
    /// Nobody knows what became of an earlier one.
    static func unsettled(_ transaction: SignedEthereumTransaction?, _ reason: String) -> Failure {
        let name = transaction.map { "transaction \($0.name)" } ?? "a transaction"
        return Failure(
            code: .unavailable, name: "unsettled",
            message: "\(name) of this account was signed, and whether it was sent is not known; nothing was signed "
                + "now: \(reason)",
            hint: "'fueki cancel' with its hash puts another one in its place, or 'fueki speed-up' one that pays more")
    }
}
