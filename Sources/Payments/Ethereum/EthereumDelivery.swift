public import Amounts
public import Ethereum
internal import Nodes
public import SigningSession
internal import Wallet
internal import WalletBooks

/// The result of a signed Ethereum transaction.
public struct DeliveredEthereumPayment: Sendable {
    /// The transaction that is unconfirmed or mined.
    public private(set) var transaction: SignedEthereumTransaction
    /// The paying account in the wallet, from 0.
    public let account: UInt32
    /// The height of its block; nil while it is unconfirmed.
    public private(set) var height: UInt64?
    /// The fee paid; nil while it is unconfirmed, and if only the book knows of it.
    public private(set) var fee: Wei?
    /// The hash of the transaction that was waited for, if another one with the same payment was mined in its place.
    public private(set) var replaced: String?
    /// The `Intent.digest`.
    public private(set) var digest: [UInt8]
    /// The `Intent.digest` of the transaction that was waited for.
    public let awaitedDigest: [UInt8]
    /// Whether it was signed before: this call paid nothing more.
    public let isEarlier: Bool
    /// The problems during the delivery, and the steps taken for earlier orders.
    public private(set) var warnings: [PaymentEvent]
}

extension EthereumPayments {
    /// Reserves the nonce for a signed transaction, sends it to the node, and waits for a block if requested.
    ///
    /// The nonce is on the disk before the node has the transaction. After any error the transaction may still be
    /// mined: give the same order again to find it.
    ///
    /// - Parameters:
    ///   - signed: the result of `SigningFlow.sign(_:)` for the planned payment.
    ///   - isAwaited: whether to wait until it is mined, or another one of the wallet in its place. The book is closed
    ///     meanwhile.
    /// - Throws: ``PaymentError/delivery(_:)``, also if another transaction was signed than this plan's;
    ///   ``PaymentError/ledger(_:)``, ``PaymentError/custody(_:)``; ``PaymentError/flow(_:)`` in a rehearsal.
    public func deliver(
        _ signed: SignedProposal, of planned: PlannedEthereumPayment, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredEthereumPayment {
        guard !flow.isRehearsal else { throw .flow(.rehearsal) }
        guard case .ethereumTransaction(let transaction) = signed.product,
            transaction.transaction == planned.transaction
        else { throw .delivery(.otherTransaction) }
        let delivered = try await flow.step { () async throws(PaymentError) in
            var nonces = planned.nonces
            try await nonces.record(transaction)
            report(.handingOver(id: transaction.name, .ethereum(node.chain)))
            try await nonces.send(transaction)
            return DeliveredEthereumPayment(
                transaction, account: planned.account, digest: signed.digest, isEarlier: false,
                warnings: nonces.warnings)
        }
        return isAwaited ? try await follow(delivered) : delivered
    }

    /// Finds the state of an earlier ordered payment, instead of paying again.
    ///
    /// - Throws: the errors of ``deliver(_:of:untilMined:)``; ``DeliveryFault/reverted(id:height:fee:_:)`` if it failed
    ///   in its block: then its result is acknowledged, and the same order is another payment.
    public func conclude(
        _ earlier: EarlierEthereumPayment, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredEthereumPayment {
        let delivered = try await flow.step { () async throws(PaymentError) in try await concluded(earlier) }
        return isAwaited && delivered.height == nil ? try await follow(delivered) : delivered
    }

    func concluded(_ earlier: EarlierEthereumPayment) async throws(PaymentError) -> DeliveredEthereumPayment {
        var nonces = earlier.nonces
        let transaction = earlier.transaction
        var delivered = DeliveredEthereumPayment(
            transaction, account: account, digest: try nonces.digest(of: transaction), isEarlier: true, warnings: [])
        switch earlier.found {
        case .told(_, let height):
            delivered.note(height: height)
            return delivered
        case .waiting:
            try await nonces.conclude(transaction)
            return delivered
        case .mined(_, let receipt), .reverted(_, let receipt):
            try await nonces.conclude(transaction)
            guard receipt.isSuccess else {
                // A person who has read this may order it again, and is asked.
                await flow.acknowledge(delivered.digest)
                throw .delivery(DeliveryFault(reverted: transaction, receipt))
            }
            try await nonces.noteInHistory(.mined(height: receipt.height), of: transaction)
            delivered.note(receipt)
            return delivered
        }
    }

    private func follow(
        _ delivered: DeliveredEthereumPayment
    ) async throws(PaymentError) -> DeliveredEthereumPayment {
        var delivered = delivered
        let (awaited, digest) = (delivered.transaction, delivered.digest)
        let entry = await flow.book.history().first { $0.digest == digest }
        // Meanwhile another program may need the book: to speed up this transaction.
        await flow.lendBook()
        let watch = EthereumWatch(node: node, clock: flow.clock, patience: patience, report: report)
        let mined = try await watch.mined(awaited) { await flow.alternatives(to: digest) }
        // The failure is the node's claim: the payment stays sent, so that the same order asks a question.
        guard mined.receipt.isSuccess else {
            throw .delivery(DeliveryFault(reverted: mined.transaction, mined.receipt))
        }
        do throws(PaymentError) {
            try await flow.record(.mined(height: mined.receipt.height), of: mined.entry?.digest ?? digest)
        } catch {
            // The payment is made nevertheless.
            report(.minedUnnoted(error))
            delivered.warn(.minedUnnoted(error))
        }
        if let other = mined.entry, let entry {
            if let fault = DeliveryFault(other, insteadOf: entry, at: mined.receipt.height) { throw .delivery(fault) }
            let event = PaymentEvent.minedInstead(id: mined.transaction.name, of: awaited.name)
            report(event)
            delivered.note(mined.transaction, digest: other.digest, insteadOf: awaited, event)
        }
        delivered.note(mined.receipt)
        return delivered
    }
}

extension DeliveredEthereumPayment {
    fileprivate init(
        _ transaction: SignedEthereumTransaction, account: UInt32, digest: [UInt8], isEarlier: Bool,
        warnings: [PaymentEvent]
    ) {
        self.transaction = transaction
        self.account = account
        self.digest = digest
        awaitedDigest = digest
        self.isEarlier = isEarlier
        self.warnings = warnings
    }

    fileprivate mutating func note(height: UInt64) { self.height = height }

    fileprivate mutating func note(_ receipt: EthereumReceipt) {
        height = receipt.height
        fee = receipt.fee
    }

    fileprivate mutating func warn(_ event: PaymentEvent) { warnings.append(event) }

    /// Records the transaction that was mined in place of this one.
    fileprivate mutating func note(
        _ other: SignedEthereumTransaction, digest: [UInt8], insteadOf awaited: SignedEthereumTransaction,
        _ event: PaymentEvent
    ) {
        replaced = awaited.name
        transaction = other
        self.digest = digest
        warnings.append(event)
    }
}

extension DeliveryFault {
    /// Creates the fault of a transaction that was mined and failed.
    init(reverted transaction: SignedEthereumTransaction, _ receipt: EthereumReceipt) {
        self = .reverted(
            id: transaction.name, height: receipt.height, fee: receipt.fee, transaction.transaction.chainID)
    }
}
