internal import Ethereum
internal import Nodes
internal import Wallet

/// Waits until an Ethereum transaction is mined, or another one of the wallet in its place.
struct EthereumWatch {
    let node: EthereumNode
    let clock: any Clock<Duration>
    /// The time for which the node may hide the transaction.
    let patience: Duration
    let report: PaymentListener

    /// A mined transaction.
    struct Mined {
        let transaction: SignedEthereumTransaction
        let receipt: EthereumReceipt
        /// The wallet's entry for it; nil for the transaction that was waited for.
        var entry: HistoryEntry?
    }

    /// Waits for a block.
    ///
    /// - Parameter alternatives: returns the wallet's signed transactions with the same nonce, including those signed
    ///   during the wait.
    /// - Throws: an error if an unknown transaction took its place, if the node shows no such transaction for too long,
    ///   or if further polling does not help: the transaction stays sent.
    func mined(
        _ transaction: SignedEthereumTransaction, or alternatives: () async -> [HistoryEntry]
    ) async throws(PaymentError) -> Mined {
        report(.waiting(id: transaction.name, .ethereum(node.chain)))
        let watch = Stopwatch(clock)
        var trouble: NodeError?
        var words = 1
        var looks = 0
        // The time since when the node answers and does not show it.
        var unseen: Duration?
        while true {
            var isOver = false
            do throws(NodeError) {
                switch try await node.status(of: transaction) {
                case .mined(let receipt): return Mined(transaction: transaction, receipt: receipt)
                case .waiting: unseen = nil
                case .unknown:
                    isOver = try await isUsed(transaction)
                    unseen = isOver ? nil : unseen ?? watch.elapsed
                }
                trouble = nil
            } catch {
                guard error.mayMend else { throw .delivery(.lostSight(id: transaction.name, .failed(.node(error)))) }
                if trouble != error { report(.askingAgain(error, .ethereum(node.chain))) }
                trouble = error
                unseen = nil
            }
            if let since = unseen, watch.elapsed - since >= patience {
                // A replacement at the node is waited for as well.
                guard await isAnyShown(of: await alternatives()) else {
                    throw .delivery(.notShown(id: transaction.name))
                }
                unseen = nil
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
            let seconds = Int(watch.elapsed.components.seconds)
            if seconds >= words * PaymentLimits.ethereumWord {
                report(.stillWaiting(seconds: seconds))
                words = seconds / PaymentLimits.ethereumWord + 1
            }
        }
    }

    /// Returns whether the node shows one of these. A node that does not answer has not lost anything.
    private func isAnyShown(of alternatives: [HistoryEntry]) async -> Bool {
        for entry in alternatives {
            guard let other = entry.signedEthereumTransaction else { continue }
            do throws(NodeError) {
                if try await node.status(of: other) != .unknown { return true }
            } catch { return true }
        }
        return false
    }

    private func mined(
        among alternatives: [HistoryEntry], _ transaction: SignedEthereumTransaction
    ) async throws(PaymentError) -> Mined? {
        for entry in alternatives.reversed() {
            guard let other = entry.signedEthereumTransaction else { continue }
            do throws(NodeError) {
                guard case .mined(let receipt) = try await node.status(of: other) else { continue }
                // It may have been mined itself between both requests.
                return Mined(transaction: other, receipt: receipt, entry: other == transaction ? nil : entry)
            } catch {
                guard error.mayMend else { throw .delivery(.lostSight(id: transaction.name, .failed(.node(error)))) }
            }
        }
        return nil
    }

    /// Returns whether a block has used the account's nonce, as the node reports.
    private func isUsed(_ transaction: SignedEthereumTransaction) async throws(NodeError) -> Bool {
        try await node.nonces(of: transaction.sender).latest > transaction.transaction.nonce
    }
}
