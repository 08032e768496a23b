internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Nodes
internal import Wallet

/// Waits until a transaction is in a block, or another one of the wallet in its place.
struct BitcoinWatch {
    let chain: any BitcoinChain
    let clock: any Clock<Duration>
    let report: PaymentListener

    /// A transaction in a block.
    struct Mined {
        let height: UInt32
        /// The wallet's entry of it; nil for the transaction that was waited for.
        let entry: HistoryEntry?
    }

    /// - Parameter alternatives: what the wallet has signed that spends the same, also after the wait has begun.
    /// - Throws: what more asking does not mend.
    func mined(
        _ awaited: TransactionID, or alternatives: () async -> [HistoryEntry]
    ) async throws(PaymentError) -> Mined {
        report(.waiting(id: "\(awaited)", .bitcoin(chain.network)))
        var (id, entry) = (awaited, HistoryEntry?.none)
        var trouble: NodeError?
        var looks = 0
        while true {
            do throws(NodeError) {
                switch try await chain.status(of: id) {
                case .mined(let height, _): return Mined(height: height, entry: entry)
                case .waiting:
                    if trouble != nil { report(.nodeAnswersAgain) }
                    (trouble, looks) = (nil, 0)
                case .unknown:
                    if let shown = try await shown(among: await alternatives(), insteadOf: id) {
                        (id, entry) = (shown.id, shown.id == awaited ? nil : shown.entry)
                        report(.following(id: "\(id)"))
                    } else {
                        looks += 1
                        // Between two answers a block may have come, and another node of the same name may be behind.
                        guard looks < PaymentLimits.bitcoinLooks else { throw .inconsistent(.transaction) }
                    }
                }
            } catch {
                guard error.mayMend else { throw Self.lost(id, error) }
                if trouble != error { report(.askingAgain(error, .bitcoin(chain.network))) }
                trouble = error
            }
            do { try await clock.sleep(for: pause) } catch { throw .node(.cancelled) }
        }
    }

    /// The newest of these that waits at the node, or is in a block.
    private func shown(
        among entries: [HistoryEntry], insteadOf id: TransactionID
    ) async throws(NodeError) -> (id: TransactionID, entry: HistoryEntry)? {
        for entry in entries.reversed() {
            guard let other = entry.id.flatMap({ try? TransactionID($0) }), other != id,
                try await chain.status(of: other) != .unknown
            else { continue }
            return (other, entry)
        }
        return nil
    }

    private var pause: Duration {
        chain.network == .regtest ? PaymentLimits.regtestPause : PaymentLimits.bitcoinPause
    }

    private static func lost(_ id: TransactionID, _ error: NodeError) -> PaymentError {
        guard case .inconsistent = error else { return .node(error) }
        return .delivery(.notShown(id: "\(id)"))
    }
}
