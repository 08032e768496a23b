internal import Nodes
internal import Wallet

/// Waits until a transaction of Ethereum is in a block.
struct EthereumWait {
    let node: EthereumNode
    let output: Output

    /// Blocks come every twelve seconds, elsewhere every second.
    private static let pause: Duration = .seconds(1)
    /// How often the person is told that it goes on.
    private static let word = 15

    /// - Throws: a ``Failure`` if another one took its place.
    func receipt(of transaction: SignedEthereumTransaction) async throws(Failure) -> EthereumReceipt {
        output.progress("waiting for a block")
        var seconds = 0
        while true {
            switch try await look(for: transaction) {
            case .mined(let receipt): return receipt
            case .waiting: break
            case .unknown:
                guard try await !isOver(transaction) else { throw .replaced(transaction) }
            }
            do { try await Task.sleep(for: Self.pause) } catch { throw .cancelled() }
            seconds += 1
            if seconds.isMultiple(of: Self.word) { output.progress("still waiting (\(seconds) s)") }
        }
    }

    /// Whether the account's number is used, and not by this one.
    private func isOver(_ transaction: SignedEthereumTransaction) async throws(Failure) -> Bool {
        let nonces = try await attempt { () async throws(NodeError) in try await node.nonces(of: transaction.sender) }
        guard nonces.latest > transaction.transaction.nonce else { return false }
        // It may have been mined between both questions.
        return try await look(for: transaction) == .unknown
    }

    private func look(for transaction: SignedEthereumTransaction) async throws(Failure) -> EthereumWhereabouts {
        try await attempt { () async throws(NodeError) in try await node.whereabouts(of: transaction.hash) }
    }
}

extension Failure {
    /// It was mined, and did not do what it was to do.
    static func reverted(_ transaction: SignedEthereumTransaction, _ receipt: EthereumReceipt) -> Failure {
        let fee = (try? receipt.gasPrice.multiplied(by: receipt.gasUsed)).map { ", \($0)," } ?? ""
        return Failure(
            code: .other, name: "reverted",
            message: "transaction \(transaction.name) is in block \(receipt.height), and failed: it cost its fee\(fee) "
                + "and changed nothing else")
    }

    fileprivate static func replaced(_ transaction: SignedEthereumTransaction) -> Failure {
        Failure(
            code: .other, name: "replaced",
            message: "another transaction took the place of \(transaction.name), which will not be mined")
    }
}
