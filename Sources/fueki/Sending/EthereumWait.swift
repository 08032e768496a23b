internal import Custody
internal import Ethereum
internal import Nodes
internal import Wallet

/// Waits until a transaction of Ethereum is in a block, or another one of the wallet in its place.
struct EthereumWait {
    let node: EthereumNode
    let output: Output

    /// A transaction in a block.
    struct Mined {
        let transaction: SignedEthereumTransaction
        let receipt: EthereumReceipt
        /// The wallet's entry of it; nil for the transaction that was waited for.
        var entry: HistoryEntry?
    }

    /// Blocks come every twelve seconds on Ethereum, and up to several a second elsewhere.
    private static let pause: Duration = .seconds(1)
    /// How often the person is told that it goes on.
    private static let word = 15
    /// How often a node may say that the nonce is used, and show nothing that has used it.
    private static let patience = 3

    /// - Parameter alternatives: what the wallet has signed with the same nonce, also after the wait has begun.
    /// - Throws: a ``Failure`` if a transaction that this wallet does not know took its place, or if more asking does not help:
    ///   it is sent all the same.
    func mined(
        _ transaction: SignedEthereumTransaction, or alternatives: () async -> [HistoryEntry]
    ) async throws(Failure) -> Mined {
        output.progress("waiting for a block (interrupt at will: it is on its way)")
        var trouble: NodeError?
        var seconds = 0
        var looks = 0
        while true {
            var isOver = false
            do throws(NodeError) {
                switch try await node.whereabouts(of: transaction.hash) {
                case .mined(let receipt): return Mined(transaction: transaction, receipt: receipt)
                case .waiting: break
                case .unknown: isOver = try await isUsed(transaction)
                }
                trouble = nil
            } catch {
                guard error.mayMend else { throw .sentNotSeen(transaction, error.description) }
                if trouble != error { output.progress("\(error); asking again") }
                trouble = error
            }
            if isOver {
                if let other = try await mined(among: await alternatives(), transaction) { return other }
                looks += 1
                guard looks < Self.patience else { throw .replaced(transaction) }
            } else {
                looks = 0
            }
            do { try await Task.sleep(for: Self.pause) } catch {
                throw .sentNotSeen(transaction, "interrupted")
            }
            seconds += 1
            if seconds.isMultiple(of: Self.word) { output.progress("still waiting (\(seconds) s)") }
        }
    }

    private func mined(
        among alternatives: [HistoryEntry], _ transaction: SignedEthereumTransaction
    ) async throws(Failure) -> Mined? {
        for entry in alternatives.reversed() {
            guard let other = entry.signedEthereumTransaction else { continue }
            do throws(NodeError) {
                guard case .mined(let receipt) = try await node.whereabouts(of: other.hash) else { continue }
                // It may have been mined itself between both questions.
                return Mined(transaction: other, receipt: receipt, entry: other == transaction ? nil : entry)
            } catch {
                guard error.mayMend else { throw .sentNotSeen(transaction, error.description) }
            }
        }
        return nil
    }

    /// Whether a block has used the account's nonce, as the node says.
    private func isUsed(_ transaction: SignedEthereumTransaction) async throws(NodeError) -> Bool {
        try await node.nonces(of: transaction.sender).latest > transaction.transaction.nonce
    }
}

extension Failure {
    /// It was mined, and did not do what it was to do.
    static func reverted(_ transaction: SignedEthereumTransaction, _ receipt: EthereumReceipt) -> Failure {
        let chain = transaction.transaction.chainID
        let fee = receipt.fee.map { ", \($0.text(on: chain))," } ?? ""
        return Failure(
            code: .other, name: "reverted",
            message: "transaction \(transaction.name) is in block \(receipt.height), and failed: it cost its fee\(fee) "
                + "and changed nothing else",
            hint: "that it failed, the node says: the same order once more is another payment, and is asked about, or "
                + "takes its --expect")
    }

    /// The node has it, and something else went wrong. Whoever orders the payment anew pays twice.
    static func sentNotSeen(_ transaction: SignedEthereumTransaction, _ reason: String) -> Failure {
        Failure(
            code: .unavailable, name: "sent_not_seen",
            message: "transaction \(transaction.name) is sent; what came then: \(reason)",
            hint: "the same order once more, or 'fueki history' with --node, says what became of it")
    }

    /// A transaction that this wallet has not signed here has the nonce.
    fileprivate static func replaced(_ transaction: SignedEthereumTransaction) -> Failure {
        Failure(
            code: .other, name: "replaced",
            message:
                "the node says that a block has used the nonce of \(transaction.name), by a transaction that is not "
                + "in this wallet's history",
            hint: "'fueki history' with --node looks once more")
    }
}
