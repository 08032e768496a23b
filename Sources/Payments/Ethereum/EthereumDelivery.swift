public import Amounts
internal import Custody
public import Ethereum
internal import Nodes
internal import Wallet

/// What became of a transaction of Ethereum that was signed.
public struct DeliveredEthereumPayment: Sendable {
    /// The transaction that waits, or that a block has.
    public private(set) var transaction: SignedEthereumTransaction
    /// The wallet's account that pays, from 0.
    public let account: UInt32
    /// Of the block; nil while it waits.
    public private(set) var height: UInt64?
    /// What it cost; nil while it waits, and where only the book tells of it.
    public private(set) var fee: Wei?
    /// The hash of the transaction that was waited for, if another one, which pays the same, was mined in its place.
    public private(set) var replaced: String?
    /// `Intent.digest`.
    public private(set) var digest: [UInt8]
    /// `Intent.digest` of the transaction that was waited for: what `SigningFlow.acknowledge(_:)` takes.
    public let awaitedDigest: [UInt8]
    /// Whether it was signed before: nothing more was paid now.
    public let isEarlier: Bool
    /// What went wrong when it was on its way, and what was done for earlier orders.
    public private(set) var warnings: [PaymentEvent]
}

extension EthereumPayments {
    /// Takes the number for a signed transaction, hands it to the node, and waits for a block if that is wanted.
    ///
    /// The number is on the disk before the node has the transaction. Whatever is thrown, it may be mined: order the same once more,
    /// and it is found.
    ///
    /// - Parameters:
    ///   - signed: what ``SigningFlow/sign(_:)`` made of the planned payment.
    ///   - isAwaited: whether to wait until it is mined, or another one of the wallet in its place. The book is closed meanwhile.
    /// - Throws: ``PaymentError/delivery(_:)``, ``PaymentError/ledger(_:)``, ``PaymentError/custody(_:)``.
    public func deliver(
        _ signed: SignedProposal, of planned: PlannedEthereumPayment, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredEthereumPayment {
        guard case .ethereumTransaction(let transaction) = signed.product else {
            preconditionFailure("a transaction becomes a transaction")
        }
        var nonces = planned.nonces
        try await nonces.record(transaction)
        report(.handingOver(id: transaction.name, .ethereum(node.chain)))
        try await nonces.send(transaction)
        let delivered = DeliveredEthereumPayment(
            transaction, account: account, digest: signed.digest, isEarlier: false, warnings: nonces.warnings)
        return isAwaited ? try await follow(delivered) : delivered
    }

    /// Finds out what became of a payment that was ordered before, in place of paying once more.
    ///
    /// - Throws: as ``deliver(_:of:untilMined:)``; ``DeliveryFault/reverted(id:height:fee:_:)`` if it failed in its block: then its result
    ///   is acknowledged, and the same order is another payment.
    public func conclude(
        _ earlier: EarlierEthereumPayment, untilMined isAwaited: Bool = false
    ) async throws(PaymentError) -> DeliveredEthereumPayment {
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
            return isAwaited ? try await follow(delivered) : delivered
        case .mined(_, let receipt), .reverted(_, let receipt):
            try await nonces.conclude(transaction)
            guard receipt.isSuccess else {
                // Who has read this may order it anew, and is asked.
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
        // Meanwhile another program may want the book: to speed up what waits here.
        await flow.releaseBook()
        let mined = try await EthereumWatch(node: node, clock: flow.clock, report: report).mined(awaited) {
            await flow.alternatives(to: digest)
        }
        // That it failed is the node's word: the payment stays sent, so that the same one is asked about.
        guard mined.receipt.isSuccess else {
            throw .delivery(DeliveryFault(reverted: mined.transaction, mined.receipt))
        }
        do throws(PaymentError) {
            try await flow.note(.mined(height: mined.receipt.height), of: mined.entry?.digest ?? digest)
        } catch {
            // The payment is made all the same.
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

    /// Tells of the transaction that was mined in the place of this one.
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
    /// It was mined, and did not do what it was to do.
    init(reverted transaction: SignedEthereumTransaction, _ receipt: EthereumReceipt) {
        self = .reverted(
            id: transaction.name, height: receipt.height, fee: receipt.fee, transaction.transaction.chainID)
    }
}
