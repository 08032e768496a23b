internal import Nodes
internal import Wallet

/// Waits until a transaction of Ethereum is in a block.
struct EthereumWait {
    let node: EthereumNode
    let output: Output

    /// Blocks come every twelve seconds on Ethereum, and up to several a second elsewhere.
    private static let pause: Duration = .seconds(1)
    /// How often the person is told that it goes on.
    private static let word = 15

    /// - Throws: a ``Failure`` if another one took its place, or if more asking does not help: it is sent all the same.
    func receipt(of transaction: SignedEthereumTransaction) async throws(Failure) -> EthereumReceipt {
        output.progress("waiting for a block (interrupt at will: it is on its way)")
        var trouble: NodeError?
        var seconds = 0
        while true {
            var isOver = false
            do throws(NodeError) {
                switch try await node.whereabouts(of: transaction.hash) {
                case .mined(let receipt): return receipt
                case .waiting: break
                case .unknown: isOver = try await self.isOver(transaction)
                }
                trouble = nil
            } catch {
                guard error.mayMend else { throw .sentNotSeen(transaction, error.description) }
                if trouble != error { output.progress("\(error); asking again") }
                trouble = error
            }
            guard !isOver else { throw .replaced(transaction) }
            do { try await Task.sleep(for: Self.pause) } catch {
                throw .sentNotSeen(transaction, "interrupted")
            }
            seconds += 1
            if seconds.isMultiple(of: Self.word) { output.progress("still waiting (\(seconds) s)") }
        }
    }

    /// Whether the account's number is used, and not by this one.
    private func isOver(_ transaction: SignedEthereumTransaction) async throws(NodeError) -> Bool {
        guard try await node.nonces(of: transaction.sender).latest > transaction.transaction.nonce else { return false }
        // It may have been mined between both questions.
        return try await node.whereabouts(of: transaction.hash) == .unknown
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

    fileprivate static func replaced(_ transaction: SignedEthereumTransaction) -> Failure {
        Failure(
            code: .other, name: "replaced",
            message: "another transaction took the place of \(transaction.name), which will not be mined")
    }
}
