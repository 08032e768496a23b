internal import Encoding
public import Wallet

/// The highest fees that a suggestion may have, by the person's policy: of what a node says beyond them, nothing is taken.
public struct GasPriceBounds: Hashable, Sendable {
    /// For each unit of gas, in all.
    public let maxFeePerGas: Wei
    /// Of it, what whoever makes the block gets.
    public let maxPriorityFeePerGas: Wei

    public init(maxFeePerGas: Wei, maxPriorityFeePerGas: Wei) {
        self.maxFeePerGas = maxFeePerGas
        self.maxPriorityFeePerGas = maxPriorityFeePerGas
    }
}

/// What to pay for a unit of gas (EIP-1559), for three kinds of hurry.
public struct GasPriceSuggestion: Hashable, Sendable {
    /// What a unit of gas costs in the next block, before anything for whoever makes it.
    public let baseFee: Wei
    /// Lasts while the base fee rises by a quarter.
    public let low: EthereumTransaction.Fees
    /// Lasts while it doubles: six full blocks in a row.
    public let normal: EthereumTransaction.Fees
    /// Lasts while it rises threefold.
    public let high: EthereumTransaction.Fees

    /// - Parameter tips: for the three, rising.
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if not even the base fee is within the bounds.
    init(baseFee: Wei, tips: (Wei, Wei, Wei), within bounds: GasPriceBounds) throws(NodeError) {
        self.baseFee = baseFee
        func fees(_ tip: Wei, quarters: UInt64) throws(NodeError) -> EthereumTransaction.Fees {
            let tip = min(max(tip, NodeLimits.leastPriorityFee), bounds.maxPriorityFeePerGas)
            guard let least = try? baseFee.adding(tip), least <= bounds.maxFeePerGas,
                let room = try? baseFee.value.multiplied(by: UInt256(quarters)).divided(by: 4).quotient.adding(
                    tip.value)
            else { throw .feeAboveCeiling(ShownText(ofNode: "\(baseFee.gwei) gwei")) }
            return EthereumTransaction.Fees(
                maxPriorityFeePerGas: tip, maxFeePerGas: min(Wei(room), bounds.maxFeePerGas))
        }
        low = try fees(tips.0, quarters: 5)
        normal = try fees(tips.1, quarters: 8)
        high = try fees(tips.2, quarters: 12)
    }
}

extension EthereumNode {
    /// What to pay, by the last blocks: what others paid there (`eth_feeHistory`), and the next base fee.
    ///
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if not even the base fee is within the bounds.
    public func gasPrices(within bounds: GasPriceBounds) async throws(NodeError) -> GasPriceSuggestion {
        let count = JSON.string(UInt256(UInt64(NodeLimits.feeHistoryBlocks)).quantity)
        let history = try await rpc.read("eth_feeHistory", [count, "latest", [10, 50, 90]])
        guard let bases = history["baseFeePerGas"]?.array, let next = bases.last,
            (2...NodeLimits.feeHistoryBlocks + 1).contains(bases.count)
        else { throw .unexpected(.feeHistory) }
        let baseFee = Wei(try next.quantity(.feeHistory))
        var paid: [[UInt256]] = [[], [], []]
        // Some nodes leave out what was paid where nothing was.
        let rewards = history["reward"] ?? .null
        guard let blocks = rewards.isNull ? [] : rewards.array, blocks.isEmpty || blocks.count == bases.count - 1 else {
            throw .unexpected(.feeHistory)
        }
        for block in blocks {
            guard let row = block.array, row.count == 3 else { throw .unexpected(.feeHistory) }
            let tips = [
                try row[0].quantity(.feeHistory), try row[1].quantity(.feeHistory), try row[2].quantity(.feeHistory),
            ]
            guard tips[0] <= tips[1], tips[1] <= tips[2] else { throw .inconsistent(.feeHistory) }
            // A block without transactions says nothing.
            guard !tips[2].isZero else { continue }
            for place in paid.indices { paid[place].append(tips[place]) }
        }
        if paid[0].isEmpty {
            let tip = Wei(try await rpc.read("eth_maxPriorityFeePerGas").quantity(.fee))
            return try GasPriceSuggestion(baseFee: baseFee, tips: (tip, tip, tip), within: bounds)
        }
        let medians = paid.map { tips in Wei(tips.sorted()[tips.count / 2]) }
        return try GasPriceSuggestion(baseFee: baseFee, tips: (medians[0], medians[1], medians[2]), within: bounds)
    }
}
