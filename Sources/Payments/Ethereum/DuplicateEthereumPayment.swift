internal import Ethereum
internal import Nodes
internal import Wallet
internal import WalletBooks

/// The state of an Ethereum payment that was ordered before, exactly like a new order.
enum DuplicateEthereumPayment {
    /// A node has it, and no block does.
    case waiting(SignedEthereumTransaction)
    /// A block has it, and it succeeded.
    case mined(SignedEthereumTransaction, EthereumReceipt)
    /// The wallet's book has it as mined, and the order has a payment key: no node's answer is needed.
    case told(SignedEthereumTransaction, height: UInt64)
    /// A block has it, and it failed.
    case reverted(SignedEthereumTransaction, EthereumReceipt)

    /// Looks for an attempt at this order. A transaction that the node does not have is sent again.
    ///
    /// - Parameters:
    ///   - attempts: the attempts at this order, oldest first (`WalletBook.attempts(at:)`).
    ///   - isOrderedAgain: whether the caller has just given the order: a person who orders a cancelled payment again
    ///     wants it paid. Otherwise the payment is not sent again after its cancellation was signed: the cancellation is.
    ///   - now: the time in seconds since 1970.
    /// - Returns: nil if the order has to be carried out: no attempt can be mined, as far as the node reports.
    /// - Throws: an error if it was cancelled.
    static func found(
        _ attempts: [HistoryEntry], of identity: OrderIdentity, isOrderedAgain: Bool,
        through nonces: inout NonceManager, now: UInt64
    ) async throws(PaymentError) -> DuplicateEthereumPayment? {
        if identity.key != nil, let paid = attempts.last(where: { $0.isMined && !$0.isCancellation }),
            let transaction = paid.signedEthereumTransaction, let height = paid.state.height
        {
            return .told(transaction, height: height)
        }
        let history = await nonces.book.history()
        var open: [(entry: HistoryEntry, transaction: SignedEthereumTransaction, isShown: Bool)] = []
        for entry in attempts.reversed() {
            guard let transaction = entry.signedEthereumTransaction else { continue }
            switch try await nonces.status(of: transaction) {
            case .mined(let receipt):
                guard !entry.isCancellation else {
                    guard let key = identity.key else { continue }
                    throw .duplicate(.cancelled(key, by: transaction.name))
                }
                guard
                    identity.key != nil
                        || now < entry.time.addingReportingOverflow(PaymentLimits.duplicateSeconds).partialValue
                else {
                    return nil
                }
                return receipt.isSuccess ? .mined(transaction, receipt) : .reverted(transaction, receipt)
            case .waiting: open.append((entry, transaction, true))
            case .unknown: open.append((entry, transaction, nonces.found.contains(transaction)))
            }
        }
        let cancellations = open.filter { $0.entry.isCancellation }
        let cancellation = cancellations.first
        open.removeAll { $0.entry.isCancellation }
        if let shown = open.first(where: \.isShown) { return .waiting(shown.transaction) }
        if !isOrderedAgain {
            if let shown = cancellations.first(where: \.isShown) { return .waiting(shown.transaction) }
            if let unsent = cancellations.first(where: { nonces.awaits($0.transaction) }) {
                nonces.report(.handingOverForgotten(id: unsent.transaction.name))
                try await nonces.send(unsent.transaction)
                return .waiting(unsent.transaction)
            }
            let isPayable = open.contains { nonces.awaits($0.transaction) }
            if isPayable, cancellation != nil || attempts.contains(where: \.isUnfinishedCancellation) {
                throw .duplicate(.cancellationUnclear(identity.key, by: cancellation?.transaction.name))
            }
        }
        if let key = identity.key {
            // A script that retries must not pay an order that a person has cancelled. A person who orders it again
            // wants it paid.
            if isOrderedAgain, let cancellation {
                throw .duplicate(.cancellationUnclear(key, by: cancellation.transaction.name))
            }
            // The node's claim that a transaction is over is not enough: the book has to know why.
            if let lost = open.first(where: { nonces.isUsed($0.transaction) }), lost.entry.rival(in: history) == nil {
                throw .duplicate(.attemptUnclear(id: lost.transaction.name))
            }
        }
        // A waiting cancellation has its nonce: the user is asked whether to pay the same again.
        if cancellation?.isShown == true { return nil }
        // A transaction that a node has refused leaves its nonce to the next one: not both can be mined.
        guard let forgotten = open.first(where: { nonces.awaits($0.transaction) }) else { return nil }
        guard !nonces.isRehearsal else { throw .duplicate(.rehearsal(id: forgotten.transaction.name)) }
        nonces.report(.handingOverForgotten(id: forgotten.transaction.name))
        try await nonces.send(forgotten.transaction)
        return .waiting(forgotten.transaction)
    }
}

extension HistoryEntry {
    /// Whether its program ended while it signed a cancellation, so that a signature may exist.
    var isUnfinishedCancellation: Bool { state == .reserved && isCancellation }

    /// The transaction for an Ethereum node, if it is signed.
    var signedEthereumTransaction: SignedEthereumTransaction? {
        guard case .ethereum = chain, let transaction else { return nil }
        return try? SignedEthereumTransaction(decoding: transaction)
    }
}
