internal import Nodes
internal import Wallet

/// Waits until a transaction is in a block, and says how it goes.
struct BitcoinWait {
    let chain: any BitcoinChain
    let output: Output

    /// - Returns: the block's height.
    /// - Throws: what more asking does not mend.
    func untilMined(_ id: TransactionID) async throws(Failure) -> UInt32 {
        output.progress("waiting until \(id) is mined (interrupt at will: it is on its way)")
        var trouble: NodeError?
        var looks = 0
        while true {
            do throws(NodeError) {
                switch try await chain.whereabouts(of: id) {
                case .mined(let height, _): return height
                case .waiting:
                    if trouble != nil { output.progress("the node answers again: it waits for a block") }
                    (trouble, looks) = (nil, 0)
                case .unknown:
                    looks += 1
                    // Between two answers a block may have come, and another node of the same name may be behind.
                    guard looks < Self.patience else { throw .inconsistent(.transaction) }
                }
            } catch {
                guard error.mayMend else { throw Self.lost(id, error) }
                if trouble != error { output.progress("\(error.failure.message); asking again") }
                trouble = error
            }
            do { try await Task.sleep(for: interval) } catch { throw .cancelled() }
        }
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
