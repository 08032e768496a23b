public import Bitcoin
internal import DisplayText
internal import Encoding

extension BitcoinNode {
    public func acceptance(of transaction: Transaction) async throws(NodeError) -> Acceptance {
        let answer = try await rpc.read("testmempoolaccept", [.array([.string(Hex.encode(transaction.encoded))])])
        guard let verdicts = answer.array, verdicts.count == 1, let verdict = verdicts.first,
            let allowed = verdict["allowed"]?.bool
        else { throw .unexpected(.acceptance) }
        guard try verdict["txid"].required(.acceptance).transactionID() == transaction.id else {
            throw .inconsistent(.acceptance)
        }
        guard !allowed else { return .accepted }
        let reason = verdict["reject-reason"]?.string ?? ""
        // The node has it, so it may be sent.
        if reason == "txn-already-in-mempool" { return .accepted }
        return .refused(Self.refusal(reason), SanitizedText(ofNode: reason))
    }

    public func broadcast(_ transaction: Transaction) async throws(NodeError) {
        let id = transaction.id
        let answer: JSONRPC.Answer
        do throws(NodeRequest.Unanswered) {
            answer = try await rpc.tell("sendrawtransaction", [.string(Hex.encode(transaction.encoded))])
        } catch {
            // Nothing was sent, so nothing can have arrived.
            guard error.mayHaveArrived else { throw error.error }
            return try await lookUp(id)
        }
        switch answer {
        case .result(let result):
            // An unusable answer does not say whether the node accepted the transaction.
            if (try? result.transactionID()) == id { return }
            try await lookUp(id)
        case .fault(let fault):
            let isThere = fault.code == Fault.alreadyInChain || fault.words.contains("already-in-mempool")
            guard !isThere else { return }
            throw .refused(Self.refusal(fault.words), SanitizedText(ofNode: fault.words))
        }
    }

    /// Classifies the words of Bitcoin Core's validation.
    static func refusal(_ words: String) -> NodeError.Refusal {
        let known: [(words: String, refusal: NodeError.Refusal)] = [
            ("missingorspent", .missingInputs), ("missing-inputs", .missingInputs), ("Missing inputs", .missingInputs),
            ("insufficient fee", .replacementUnderpriced), ("txn-mempool-conflict", .conflict),
            ("fee not met", .feeTooLow), ("non-final", .notYet), ("nonfinal", .notYet),
            ("max-fee-exceeded", .feeTooHigh), ("absurdly-high-fee", .feeTooHigh), ("maxfeerate", .feeTooHigh),
            ("Fee exceeds maximum", .feeTooHigh),
        ]
        return known.first { words.contains($0.words) }?.refusal ?? .other
    }

    // MARK: - Status

    public func status(of id: TransactionID) async throws(NodeError) -> TransactionStatus {
        if let entry = try await found("getmempoolentry", [.string(id.description)]) {
            guard entry.object != nil else { throw .unexpected(.transaction) }
            return .waiting
        }
        // In a block: an index finds it, or an unspent output of it.
        guard
            let details = try await found(
                "getrawtransaction", [.string(id.description), true], limit: NodeLimits.longAnswerBytes)
        else { return try await whereaboutsByOutput(of: id) }
        guard let text = details["hex"]?.string else { throw .unexpected(.transaction) }
        _ = try Transaction(hexadecimal: text, expecting: id)
        // A block that left the chain gives no confirmations.
        guard let count = details["confirmations"] else {
            return details["blockhash"] == nil ? .waiting : .unknown
        }
        return try await mined(confirmations: try count.uint32(.transaction))
    }

    private func whereaboutsByOutput(of id: TransactionID) async throws(NodeError) -> TransactionStatus {
        for index in 0..<NodeLimits.lookedAtOutputs {
            let output = try await rpc.read("gettxout", [.string(id.description), JSON(Int64(index)), false])
            guard !output.isNull else { continue }
            return try await mined(confirmations: try output["confirmations"].required(.output).uint32(.output))
        }
        return .unknown
    }

    private func mined(confirmations: UInt32) async throws(NodeError) -> TransactionStatus {
        guard confirmations > 0 else { return .unknown }
        let height = try await height()
        guard confirmations - 1 <= height else { throw .inconsistent(.height) }
        return .mined(height: height - (confirmations - 1), confirmations: confirmations)
    }
}
