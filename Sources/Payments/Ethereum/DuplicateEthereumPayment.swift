internal import Custody
internal import Ethereum
internal import Nodes
internal import Wallet

/// What became of a payment on Ethereum that was ordered before, exactly as one that is ordered now.
enum DuplicateEthereumPayment {
    /// A node has it, and no block.
    case waiting(SignedEthereumTransaction)
    /// It is paid.
    case mined(SignedEthereumTransaction, EthereumReceipt)
    /// The wallet's book has it as mined, and the order has a key: no node's word is needed.
    case told(SignedEthereumTransaction, height: UInt64)
    /// A block has it, and it paid nothing.
    case reverted(SignedEthereumTransaction, EthereumReceipt)

    /// Looks for an attempt at this order. What the node does not have is handed to it once more.
    ///
    /// - Parameters:
    ///   - attempts: at this order, the oldest first (``WalletBook/attempts(at:)``).
    ///   - now: in seconds since 1970.
    /// - Returns: nil if the order is to be carried out: none of the attempts can be mined, as far as the node tells.
    /// - Throws: if it was cancelled.
    static func found(
        _ attempts: [HistoryEntry], of identity: OrderIdentity, through nonces: inout NonceManager, now: UInt64
    ) async throws(PaymentError) -> DuplicateEthereumPayment? {
        if identity.key != nil, let paid = attempts.last(where: { $0.isMined && $0.effects != [.nothing] }),
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
                guard entry.effects != [.nothing] else {
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
        let cancellation = open.first { $0.entry.effects == [.nothing] }
        open.removeAll { $0.entry.effects == [.nothing] }
        if let shown = open.first(where: \.isShown) { return .waiting(shown.transaction) }
        if let key = identity.key {
            // A script that tries again must not pay what a person has cancelled. A person who orders it anew wants it paid.
            if let cancellation { throw .duplicate(.cancellationUnclear(key, by: cancellation.transaction.name)) }
            // Nor what a node only says is over: the book has to know why.
            if let lost = open.first(where: { nonces.isUsed($0.transaction) }), lost.entry.rival(in: history) == nil {
                throw .duplicate(.attemptUnclear(id: lost.transaction.name))
            }
        }
        // A cancellation that waits has its number: whether the same is to be paid anew, the person is asked.
        if cancellation?.isShown == true { return nil }
        // What a node has refused leaves its number to the next transaction: both cannot be mined.
        guard let forgotten = open.first(where: { nonces.awaits($0.transaction) }) else { return nil }
        guard !nonces.isRehearsal else { throw .duplicate(.rehearsal(id: forgotten.transaction.name)) }
        nonces.report(.handingOverForgotten(id: forgotten.transaction.name))
        try await nonces.send(forgotten.transaction)
        return .waiting(forgotten.transaction)
    }
}

extension HistoryEntry {
    /// What a node of Ethereum takes, if it is signed.
    var signedEthereumTransaction: SignedEthereumTransaction? {
        guard case .ethereum = chain, let transaction else { return nil }
        return try? SignedEthereumTransaction(decoding: transaction)
    }
}
