public import Amounts
public import Bitcoin
internal import Custody
public import Nodes
internal import Wallet

/// What became of a transaction of Bitcoin that was signed.
public struct DeliveredBitcoinPayment: Sendable {
    /// The transaction that waits, or that a block has.
    public let transaction: Transaction
    /// Of the block; nil while it waits.
    public let height: UInt32?
    /// The transaction that was waited for, if another one, which pays the same, was mined in its place.
    public let replaced: TransactionID?
    /// Nil where its coins are not known.
    public let fee: UInt256?
    /// `Intent.digest`; nil where another machine signed it.
    public let digest: [UInt8]?
    /// Whether it was signed before: nothing more was paid now.
    public let isEarlier: Bool
    /// What went wrong when it was on its way.
    public let warnings: [PaymentEvent]
}

extension BitcoinPayments {
    /// Hands a signed transaction to the node, and waits for a block if that is wanted.
    ///
    /// The book has it as handed over before the node has it. Whatever is thrown, the transaction may be mined: order the same once
    /// more, and it is found.
    ///
    /// - Parameters:
    ///   - signed: what ``SigningFlow/sign(_:)`` made of the planned payment.
    ///   - isAwaited: whether to wait until it is mined, or another one of the wallet in its place. The book is closed meanwhile.
    /// - Throws: ``PaymentError/delivery(_:)``, ``PaymentError/custody(_:)``.
    public func deliver(
        _ signed: SignedProposal, of planned: PlannedBitcoinPayment, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredBitcoinPayment {
        guard case .bitcoinTransaction(let psbt) = signed.product else {
            preconditionFailure("what is signed for a transaction of Bitcoin is one")
        }
        let transaction = try attempt { () throws(BitcoinError) in try psbt.finalised().transaction() }
        let digest = signed.digest
        // What may be mined is on the disk before it is on the network.
        try await flow.note(.unanswered, of: digest)
        try await BitcoinHandover(chain: chain, report: report).send(transaction)
        var warnings: [PaymentEvent] = []
        let mined = try await follow(transaction, digest, isAwaited, &warnings)
        return DeliveredBitcoinPayment(
            transaction, mined, fee: planned.fee, digest: digest, isEarlier: false, warnings: warnings)
    }

    /// Sends what was signed before, as it is, unless the node has it, or it is mined by now.
    ///
    /// - Throws: as ``deliver(_:of:untilMined:)``; ``PaymentError/duplicate(_:)`` in a rehearsal.
    public func resend(
        _ waiting: UnconfirmedTransaction, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredBitcoinPayment {
        let transaction = waiting.transaction
        guard !flow.isRehearsal else { throw .duplicate(.rehearsal(id: "\(transaction.id)")) }
        var mined = waiting.height.map { BitcoinWatch.Mined(height: $0, entry: nil) }
        var warnings: [PaymentEvent] = []
        if let height = waiting.height {
            if let digest = waiting.digest { try await flow.note(.mined(height: UInt64(height)), of: digest) }
        } else {
            if !waiting.isShown {
                if let digest = waiting.digest { try await flow.note(.unanswered, of: digest) }
                try await BitcoinHandover(chain: chain, report: report).send(transaction)
            }
            if let digest = waiting.digest {
                mined = try await follow(transaction, digest, isAwaited, &warnings)
            }
        }
        return DeliveredBitcoinPayment(
            transaction, mined, fee: waiting.fee, digest: waiting.digest, isEarlier: true, warnings: warnings)
    }

    /// Notes that it is sent, and waits for it, or for another one of the wallet that is mined in its place and pays the same.
    ///
    /// - Returns: nil if it was not waited for.
    private func follow(
        _ transaction: Transaction, _ digest: [UInt8], _ isAwaited: Bool, _ warnings: inout [PaymentEvent]
    ) async throws(PaymentError) -> BitcoinWatch.Mined? {
        do throws(PaymentError) { try await flow.note(.sent, of: digest) } catch {
            warn(.sentUnnoted(error), &warnings)
        }
        guard isAwaited else { return nil }
        let awaited = await flow.book.history().first { $0.digest == digest }
        await flow.releaseBook()
        let mined: BitcoinWatch.Mined
        do throws(PaymentError) {
            mined = try await BitcoinWatch(chain: chain, clock: flow.clock, report: report).mined(transaction.id) {
                await flow.alternatives(to: digest)
            }
        } catch {
            throw .delivery(
                .lostSight(id: "\(transaction.id)", error == .node(.cancelled) ? .interrupted : .failed(error)))
        }
        let height = UInt64(mined.height)
        do throws(PaymentError) {
            try await flow.note(.mined(height: height), of: mined.entry?.digest ?? digest)
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
    /// - Parameter mined: where it is mined, or another one in its place, which pays the same; nil if it waits for a block.
    fileprivate init(
        _ awaited: Transaction, _ mined: BitcoinWatch.Mined?, fee: Amount?, digest: [UInt8]?, isEarlier: Bool,
        warnings: [PaymentEvent]
    ) {
        let other = mined?.entry?.transaction.flatMap { try? Transaction(decoding: $0) }
        transaction = other ?? awaited
        height = mined?.height
        replaced = other == nil ? nil : awaited.id
        self.fee = other == nil ? fee.map { UInt256($0.satoshis) } : mined?.entry?.highestFee
        self.digest = other == nil ? digest : mined?.entry?.digest
        self.isEarlier = isEarlier
        self.warnings = warnings
    }
}

/// Hands a signed transaction to a node of Bitcoin.
public struct BitcoinHandover: Sendable {
    let chain: any BitcoinChain
    let report: PaymentListener

    /// Creates the way to a node.
    public init(chain: any BitcoinChain, report: @escaping PaymentListener = { _ in }) {
        self.chain = chain
        self.report = report
    }

    /// Has the node try it, and hands it over.
    ///
    /// - Throws: ``PaymentError/delivery(_:)`` with ``DeliveryFault/notSent(id:_:_:isRefused:)``: it is signed all the same.
    public func send(_ transaction: Transaction) async throws(PaymentError) {
        let place = Chain.bitcoin(chain.network)
        do throws(NodeError) {
            report(.handingOver(id: "\(transaction.id)", place))
            if case .refused(let words) = try await chain.acceptance(of: transaction) {
                throw NodeError.refused(.other, words)
            }
            try await chain.broadcast(transaction)
        } catch {
            let isRefused = if case .refused = error { true } else { false }
            throw .delivery(.notSent(id: "\(transaction.id)", place, error, isRefused: isRefused))
        }
    }
}
