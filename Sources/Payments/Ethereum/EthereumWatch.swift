internal import Custody
internal import Ethereum
internal import Nodes
internal import Wallet

/// Waits until a transaction of Ethereum is in a block, or another one of the wallet in its place.
struct EthereumWatch {
    let node: EthereumNode
    let clock: any Clock<Duration>
    let report: PaymentListener

    /// A transaction in a block.
    struct Mined {
        let transaction: SignedEthereumTransaction
        let receipt: EthereumReceipt
        /// The wallet's entry of it; nil for the transaction that was waited for.
        var entry: HistoryEntry?
    }

    /// - Parameter alternatives: what the wallet has signed with the same nonce, also after the wait has begun.
    /// - Throws: if a transaction that this wallet does not know took its place, or if more asking does not help:
    ///   it is sent all the same.
    func mined(
        _ transaction: SignedEthereumTransaction, or alternatives: () async -> [HistoryEntry]
    ) async throws(PaymentError) -> Mined {
        report(.waiting(id: transaction.name, .ethereum(node.chain)))
        var trouble: NodeError?
        var seconds = 0
        var looks = 0
        while true {
            var isOver = false
            do throws(NodeError) {
                switch try await node.status(of: transaction.hash) {
                case .mined(let receipt): return Mined(transaction: transaction, receipt: receipt)
                case .waiting: break
                case .unknown: isOver = try await isUsed(transaction)
                }
                trouble = nil
            } catch {
                guard error.mayMend else { throw .delivery(.lostSight(id: transaction.name, .failed(.node(error)))) }
                if trouble != error { report(.askingAgain(error, .ethereum(node.chain))) }
                trouble = error
            }
            if isOver {
                if let other = try await mined(among: await alternatives(), transaction) { return other }
                looks += 1
                guard looks < PaymentLimits.ethereumLooks else {
                    throw .delivery(.replacedByUnknown(id: transaction.name))
                }
            } else {
                looks = 0
            }
            do { try await clock.sleep(for: PaymentLimits.ethereumPause) } catch {
                throw .delivery(.lostSight(id: transaction.name, .interrupted))
            }
            seconds += 1
            if seconds.isMultiple(of: PaymentLimits.ethereumWord) { report(.stillWaiting(seconds: seconds)) }
        }
    }

    private func mined(
        among alternatives: [HistoryEntry], _ transaction: SignedEthereumTransaction
    ) async throws(PaymentError) -> Mined? {
        for entry in alternatives.reversed() {
            guard let other = entry.signedEthereumTransaction else { continue }
            do throws(NodeError) {
                guard case .mined(let receipt) = try await node.status(of: other.hash) else { continue }
                // It may have been mined itself between both questions.
                return Mined(transaction: other, receipt: receipt, entry: other == transaction ? nil : entry)
            } catch {
                guard error.mayMend else { throw .delivery(.lostSight(id: transaction.name, .failed(.node(error)))) }
            }
        }
        return nil
    }

    /// Whether a block has used the account's nonce, as the node says.
    private func isUsed(_ transaction: SignedEthereumTransaction) async throws(NodeError) -> Bool {
        try await node.nonces(of: transaction.sender).latest > transaction.transaction.nonce
    }
}
