internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Nodes
internal import Wallet

/// Waits until a transaction is in a block, or another one of the wallet in its place, and says how it goes.
struct BitcoinWait {
    let chain: any BitcoinChain
    let output: Output

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
    ) async throws(Failure) -> Mined {
        output.progress("waiting until \(awaited) is mined (interrupt at will: it is on its way)")
        var (id, entry) = (awaited, HistoryEntry?.none)
        var trouble: NodeError?
        var looks = 0
        while true {
            do throws(NodeError) {
                switch try await chain.whereabouts(of: id) {
                case .mined(let height, _): return Mined(height: height, entry: entry)
                case .waiting:
                    if trouble != nil { output.progress("the node answers again: it waits for a block") }
                    (trouble, looks) = (nil, 0)
                case .unknown:
                    if let shown = try await shown(among: await alternatives(), insteadOf: id) {
                        (id, entry) = (shown.id, shown.id == awaited ? nil : shown.entry)
                        output.progress("\(id) has taken its place: waiting until that one is mined")
                    } else {
                        looks += 1
                        // Between two answers a block may have come, and another node of the same name may be behind.
                        guard looks < Self.patience else { throw .inconsistent(.transaction) }
                    }
                }
            } catch {
                guard error.mayMend else { throw Self.lost(id, error) }
                if trouble != error { output.progress("asking again: \(error.failure.text)") }
                trouble = error
            }
            do { try await Task.sleep(for: interval) } catch { throw .cancelled() }
        }
    }

    /// The newest of these that waits at the node, or is in a block.
    private func shown(
        among entries: [HistoryEntry], insteadOf id: TransactionID
    ) async throws(NodeError) -> (id: TransactionID, entry: HistoryEntry)? {
        for entry in entries.reversed() {
            guard let other = entry.id.flatMap({ try? TransactionID($0) }), other != id,
                try await chain.whereabouts(of: other) != .unknown
            else { continue }
            return (other, entry)
        }
        return nil
    }

    private static let patience = 6

    /// Blocks of a test chain of one's own come when one makes them.
    private var interval: Duration { chain.network == .regtest ? .milliseconds(500) : .seconds(10) }

    private static func lost(_ id: TransactionID, _ error: NodeError) -> Failure {
        guard case .inconsistent = error else { return error.failure }
        return Failure(
            code: .unavailable, name: "not_shown", message: "the node took \(id), and does not show it any more",
            hint: "another one may have taken its place: see 'fueki history' with --node, and 'fueki speed-up'")
    }
}
