internal import Bitcoin
internal import HDKeys
internal import Nodes
internal import Wallet

/// Waits until a transaction is mined, or another one of the wallet in its place.
struct BitcoinWatch {
    let chain: any BitcoinChain
    let clock: any Clock<Duration>
    let report: PaymentListener

    /// A mined transaction.
    struct Mined {
        let height: UInt32
        /// The wallet's entry for it; nil for the transaction that was waited for.
        let entry: HistoryEntry?
    }

    /// Waits for a block.
    ///
    /// - Parameter alternatives: returns the wallet's signed transactions with the same coins, including those signed
    ///   during the wait.
    /// - Throws: an error that further polling cannot resolve.
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
                        // A block may have come between two answers, and another node behind the same name may lag.
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

    /// Returns the newest of these that the node shows, unconfirmed or mined.
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
