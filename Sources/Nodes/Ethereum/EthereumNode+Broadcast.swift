internal import DisplayText
internal import Encoding
public import Ethereum

extension EthereumNode {
    /// Sends a signed transaction to the node. If the node has it already, that also counts as success.
    ///
    /// - Throws: ``NodeError/refused(_:_:)``; ``NodeError/outcomeUnknown`` if its answer is unclear, and it does not
    ///   show the transaction either; ``NodeError/wrongChain(expected:found:)``, before anything is sent, if it is
    ///   signed for another chain, or for no chain.
    public func broadcast(_ transaction: SignedEthereumTransaction) async throws(NodeError) {
        guard transaction.transaction.chainID == chain else {
            let other = transaction.transaction.chainID?.description ?? "every chain"
            throw .wrongChain(expected: chain.description, found: SanitizedText(ofNode: other))
        }
        let hash = transaction.hash
        let answer: JSONRPC.Answer
        do throws(NodeRequest.Unanswered) {
            answer = try await rpc.tell("eth_sendRawTransaction", [JSON(data: transaction.encoded)])
        } catch {
            // Nothing was sent, so nothing can have arrived.
            guard error.mayHaveArrived else { throw error.error }
            guard await hasArrived(hash) else { throw .outcomeUnknown }
            return
        }
        switch answer {
        case .result(let result):
            // An unusable answer does not say whether the node accepted the transaction.
            if (try? result.hash(.hash)) == hash { return }
            guard await hasArrived(hash) else { throw .outcomeUnknown }
        case .fault(let fault):
            let words = fault.words.lowercased()
            if Self.alreadyThere.contains(where: words.contains) { return }
            let refusal = Self.refusal(words)
            // This transaction itself may have used the nonce.
            if refusal == .nonceTooLow, await hasArrived(hash) { return }
            if refusal == .other, Self.troubles.contains(fault.code) {
                guard await hasArrived(hash) else { throw .outcomeUnknown }
                return
            }
            throw .refused(refusal, SanitizedText(ofNode: fault.words))
        }
    }

    private func hasArrived(_ hash: [UInt8]) async -> Bool {
        guard let status = try? await status(of: hash) else { return false }
        return status != .unknown
    }

    /// Nodes' answers for a transaction that they already have: go-ethereum and its forks, Nethermind, Besu and
    /// OpenEthereum.
    private static let alreadyThere = ["already known", "alreadyknown", "known transaction", "already imported"]

    /// Errors of the node itself, not of the transaction: an internal error; no resources, or too many requests
    /// (EIP-1474).
    private static let troubles: Set<Int64> = [-32_603, -32_002, -32_005]

    /// Classifies the words of go-ethereum, which most others use, too.
    private static func refusal(_ words: String) -> NodeError.Refusal {
        let known: [(words: String, refusal: NodeError.Refusal)] = [
            ("nonce too low", .nonceTooLow), ("nonce too high", .nonceTooHigh),
            ("underpriced", .replacementUnderpriced),
            ("insufficient funds", .insufficientFunds), ("chain id", .otherChain), ("chainid", .otherChain),
            ("fee too low", .feeTooLow), ("less than block base fee", .feeTooLow),
            ("exceeds the configured cap", .feeTooHigh),
        ]
        // "transaction underpriced" concerns a first transaction, "replacement transaction underpriced" a replacement.
        if words.contains("underpriced"), !words.contains("replacement") { return .feeTooLow }
        return known.first { words.contains($0.words) }?.refusal ?? .other
    }
}
