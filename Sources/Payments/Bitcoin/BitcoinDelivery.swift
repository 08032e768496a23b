public import Amounts
public import Bitcoin
public import Nodes
public import SigningSession
internal import Wallet
internal import WalletBooks

/// The result of a signed Bitcoin transaction.
public struct DeliveredBitcoinPayment: Sendable {
    /// The transaction that is unconfirmed or mined.
    public let transaction: Transaction
    /// The height of its block; nil while it is unconfirmed.
    public let height: UInt32?
    /// The id of the transaction that was waited for, if another one with the same payment was mined in its place.
    public let replaced: TransactionID?
    /// The fee; nil if its coins are unknown.
    public let fee: UInt256?
    /// The `Intent.digest`; nil if another machine signed it.
    public let digest: [UInt8]?
    /// The `Intent.digest` of the transaction that was waited for; nil if another machine signed it.
    public let awaitedDigest: [UInt8]?
    /// Whether it was signed before: this call paid nothing more.
    public let isEarlier: Bool
    /// The problems during the delivery.
    public let warnings: [PaymentEvent]
}

extension BitcoinPayments {
    /// Sends a signed transaction to the node, and waits for a block if requested.
    ///
    /// The book records the transaction as sent before the node gets it. After any error the transaction may still be
    /// mined: give the same order again to find it.
    ///
    /// - Parameters:
    ///   - signed: the result of `SigningFlow.sign(_:)` for the planned payment.
    ///   - isAwaited: whether to wait until it is mined, or another one of the wallet in its place. The book is closed
    ///     meanwhile.
    /// - Throws: ``PaymentError/delivery(_:)``, also if another transaction was signed than this plan's;
    ///   ``PaymentError/custody(_:)``; ``PaymentError/flow(_:)`` in a rehearsal.
    public func deliver(
        _ signed: SignedProposal, of planned: PlannedBitcoinPayment, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredBitcoinPayment {
        guard !flow.isRehearsal else { throw .flow(.rehearsal) }
        guard case .bitcoinTransaction(let psbt) = signed.product,
            psbt.unsignedTransaction.id == planned.psbt.unsignedTransaction.id
        else { throw .delivery(.otherTransaction) }
        let transaction = try attempt { () throws(BitcoinError) in try psbt.finalised().transaction() }
        let digest = signed.digest
        var warnings: [PaymentEvent] = []
        let entry = try await flow.step { () async throws(PaymentError) in
            // A transaction that may be mined is on the disk before it is on the network.
            try await flow.record(.unanswered, of: digest)
            try await BitcoinHandover(chain: chain, report: report).send(transaction)
            return await noteSent(digest, &warnings)
        }
        let mined = isAwaited ? try await follow(transaction, digest, entry, &warnings) : nil
        return DeliveredBitcoinPayment(
            transaction, mined, fee: planned.fee, digest: digest, isEarlier: false, warnings: warnings)
    }

    /// Sends an earlier signed transaction unchanged, unless the node has it or it is mined by now.
    ///
    /// - Throws: the errors of ``deliver(_:of:untilMined:)``; ``PaymentError/duplicate(_:)`` in a rehearsal.
    public func resend(
        _ waiting: UnconfirmedTransaction, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredBitcoinPayment {
        let transaction = waiting.transaction
        guard !flow.isRehearsal else { throw .duplicate(.rehearsal(id: "\(transaction.id)")) }
        var mined = waiting.height.map { BitcoinWatch.Mined(height: $0, entry: nil) }
        var warnings: [PaymentEvent] = []
        if let height = waiting.height {
            if let digest = waiting.digest { try await flow.record(.mined(height: UInt64(height)), of: digest) }
        } else {
            let entry = try await flow.step { () async throws(PaymentError) -> HistoryEntry? in
                if !waiting.isShown {
                    if let digest = waiting.digest { try await flow.record(.unanswered, of: digest) }
                    try await BitcoinHandover(chain: chain, report: report).send(transaction)
                }
                guard let digest = waiting.digest else { return nil }
                return await noteSent(digest, &warnings)
            }
            if isAwaited, let digest = waiting.digest {
                mined = try await follow(transaction, digest, entry, &warnings)
            }
        }
        return DeliveredBitcoinPayment(
            transaction, mined, fee: waiting.fee, digest: waiting.digest, isEarlier: true, warnings: warnings)
    }

    /// Records that it is sent.
    ///
    /// - Returns: its entry in the book.
    private func noteSent(_ digest: [UInt8], _ warnings: inout [PaymentEvent]) async -> HistoryEntry? {
        do throws(PaymentError) { try await flow.record(.sent, of: digest) } catch {
            warn(.sentUnnoted(error), &warnings)
        }
        return await flow.book.history().first { $0.digest == digest }
    }

    /// Waits for it, or for another transaction of the wallet with the same payment that is mined in its place.
    ///
    /// - Parameter awaited: its entry in the book.
    private func follow(
        _ transaction: Transaction, _ digest: [UInt8], _ awaited: HistoryEntry?, _ warnings: inout [PaymentEvent]
    ) async throws(PaymentError) -> BitcoinWatch.Mined {
        await flow.lendBook()
        let mined: BitcoinWatch.Mined
        do throws(PaymentError) {
            let watch = BitcoinWatch(chain: chain, clock: flow.clock, report: report)
            mined = try await watch.mined(transaction.id) { await flow.alternatives(to: digest) }
        } catch {
            throw .delivery(
                .lostSight(id: "\(transaction.id)", error == .node(.cancelled) ? .interrupted : .failed(error)))
        }
        let height = UInt64(mined.height)
        do throws(PaymentError) {
            try await flow.record(.mined(height: height), of: mined.entry?.digest ?? digest)
        } catch { warn(.sentUnnoted(error), &warnings) }
        if let entry = mined.entry, let awaited {
            if let fault = DeliveryFault(entry, insteadOf: awaited, at: height) { throw .delivery(fault) }
            warn(.minedInstead(id: entry.id ?? "", of: "\(transaction.id)"), &warnings)
        }
        return mined
    }

    private func warn(_ event: PaymentEvent, _ warnings: inout [PaymentEvent]) {
        warnings.append(event)
        report(event)
    }
}

extension DeliveredBitcoinPayment {
    /// Creates the result.
    ///
    /// - Parameter mined: the mined transaction, or one with the same payment in its place; nil if it is unconfirmed.
    fileprivate init(
        _ awaited: Transaction, _ mined: BitcoinWatch.Mined?, fee: Amount?, digest: [UInt8]?, isEarlier: Bool,
        warnings: [PaymentEvent]
    ) {
        let other = mined?.entry?.transaction.flatMap { try? Transaction(decoding: $0) }
        transaction = other ?? awaited
        height = mined?.height
        replaced = other == nil ? nil : awaited.id
        self.fee = other == nil ? fee.map { UInt256($0.satoshis) } : mined?.entry?.highestFee
        awaitedDigest = digest
        self.digest = other == nil ? digest : mined?.entry?.digest
        self.isEarlier = isEarlier
        self.warnings = warnings
    }
}

/// The delivery of signed transactions to a Bitcoin node.
public struct BitcoinHandover: Sendable {
    let chain: any BitcoinChain
    let report: PaymentListener

    /// Creates the delivery to a node.
    public init(chain: any BitcoinChain, report: @escaping PaymentListener = { _ in }) {
        self.chain = chain
        self.report = report
    }

    /// Makes the node test the transaction, and sends it.
    ///
    /// - Throws: ``PaymentError/delivery(_:)`` with ``DeliveryFault/notSent(id:_:_:isRefused:)``: the transaction stays
    ///   signed.
    public func send(_ transaction: Transaction) async throws(PaymentError) {
        let place = Chain.bitcoin(chain.network)
        do throws(NodeError) {
            report(.handingOver(id: "\(transaction.id)", place))
            if case .refused(let refusal, let words) = try await chain.acceptance(of: transaction) {
                throw NodeError.refused(refusal, words)
            }
            try await chain.broadcast(transaction)
        } catch {
            let isRefused = if case .refused = error { true } else { false }
            throw .delivery(.notSent(id: "\(transaction.id)", place, error, isRefused: isRefused))
        }
    }
}
