internal import Custody
internal import Ethereum
public import SigningSession
public import Wallet
internal import WalletBooks

extension SigningFlow {
    /// Judges the effects of signing a proposal that waited in the book for a delay or an approval.
    ///
    /// - Throws: ``PaymentError/coin(_:)`` if it spends a coin that was frozen since, ``PaymentError/nonce(_:)`` if
    ///   another transaction has its nonce, ``PaymentError/duplicate(_:)`` if another attempt at its order, which has a
    ///   key, is signed.
    public func propose(held proposal: PendingProposal) async throws(PaymentError) -> ProposedSigning {
        try await step { () async throws(PaymentError) in
            if let coin = await book.frozenCoin(in: proposal.payload) { throw .coin(.frozen(coin)) }
            let findings = [try await number(of: proposal), try await repetition(of: proposal)].compactMap(\.self)
            return try await propose(
                proposal.payload, node: nil, findings, for: proposal.order, isFurther: false, plannedAfter: nil)
        }
    }

    /// Records the nonce of a signed Ethereum transaction, so that the next one gets another. Does nothing for other
    /// payloads.
    ///
    /// - Throws: ``PaymentError/ledger(_:)``, ``PaymentError/custody(_:)``; the signature stays valid.
    public func noteNumber(of signed: SignedProposal) async throws(PaymentError) {
        guard case .ethereumTransaction(let transaction) = signed.product, let chain = transaction.transaction.chainID
        else { return }
        let changed = try await step { () async throws(PaymentError) in
            try await attempt { [book] () async throws(CustodyError) in
                try await book.changeNonceLedger(on: chain, of: transaction.sender) {
                    ledger throws(NonceLedger.Fault) in
                    try ledger.record(transaction)
                }
            }
        }
        _ = try attempt { () throws(NonceLedger.Fault) in try changed.after.get() }
    }

    /// Returns a finding about a transaction's Ethereum nonce.
    private func number(of proposal: PendingProposal) async throws(PaymentError) -> PaymentFinding? {
        guard case .ethereumTransaction(let transaction, let account) = proposal.payload,
            let chain = transaction.chainID
        else { return nil }
        let address = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: account).address }
        let ledger = try await ledger(of: address, on: chain)
        if let slot = ledger.slots.first(where: { $0.nonce == transaction.nonce && !$0.isHole }) {
            throw .nonce(.proposalTaken(transaction.nonce, id: slot.newest.transaction.name))
        }
        return PaymentFinding(transaction.nonce, beyond: ledger)
    }

    private func ledger(of account: EthereumAddress, on chain: ChainID) async throws(PaymentError) -> NonceLedger {
        try await attempt { [book] () async throws(CustodyError) in
            try await book.nonceLedger(on: chain, of: account)
        }
    }

    /// Returns a finding, if another attempt at the same order is signed, and both can be mined.
    private func repetition(of proposal: PendingProposal) async throws(PaymentError) -> PaymentFinding? {
        guard let order = proposal.order else { return nil }
        let (slot, attempts) = try await attempt { [book] () async throws(CustodyError) in
            (try book.conflictSet(of: proposal.payload), try await book.attempts(at: order))
        }
        let other = attempts.last {
            $0.digest != proposal.digest && $0.id != nil && $0.state != .replaced && !$0.conflicts(with: slot)
        }
        guard let id = other?.id else { return nil }
        guard let key = order.key else { return .repeated(.otherAttempt, id: id) }
        throw .duplicate(.signedBefore(key, id: id))
    }
}
