public import Amounts
internal import DisplayText
internal import Encoding
public import Ethereum
public import Wallet

/// The highest fees that a suggestion may have, by the person's policy: of what a node says beyond them, nothing is taken.
public struct GasPriceBounds: Hashable, Sendable {
    /// For each unit of gas, in all.
    public let maxFeePerGas: Wei
    /// Of it, what whoever makes the block gets.
    public let maxPriorityFeePerGas: Wei

    /// Creates the bounds, in wei for each unit of gas.
    public init(maxFeePerGas: Wei, maxPriorityFeePerGas: Wei) {
        self.maxFeePerGas = maxFeePerGas
        self.maxPriorityFeePerGas = maxPriorityFeePerGas
    }

    /// The prices at which all fees of a transaction stay within a sum, with what is set aside for a further fee. Block producers
    /// are offered no more than `ChainID.highestTip`, whatever the sum is.
    ///
    /// - Parameters:
    ///   - highest: what all fees may be together.
    ///   - gas: the transaction's limit.
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if the further fee is above the sum by itself.
    public init(
        spending highest: Wei, on chain: ChainID, gas: UInt64, beside further: FurtherFee
    ) throws(NodeError) {
        guard let rest = try? highest.value.subtracting(further.reserve) else {
            let fee = DecimalText.short(further.reserve, .ether)
            throw .feeAboveCeiling(SanitizedText(ofNode: "\(fee) \(chain.coin) beside the fee for gas"))
        }
        maxFeePerGas = Wei((try? rest.divided(by: UInt256(max(gas, 1))).quotient) ?? .zero)
        maxPriorityFeePerGas = min(maxFeePerGas, chain.highestTip)
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
            else { throw .feeAboveCeiling(SanitizedText(ofNode: "\(baseFee.gwei) gwei")) }
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
    /// A node without that method is asked for its newest block and for its own suggestion.
    ///
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if not even the base fee is within the bounds; ``NodeError/noBaseFee`` on a chain
    ///   without EIP-1559.
    public func gasPrices(within bounds: GasPriceBounds) async throws(NodeError) -> GasPriceSuggestion {
        guard let history = try await feeHistory() else {
            let tip = try await suggestedTip()
            return try GasPriceSuggestion(baseFee: try await nextBaseFee(), tips: (tip, tip, tip), within: bounds)
        }
        guard let bases = history["baseFeePerGas"]?.array, let next = bases.last,
            (2...NodeLimits.feeHistoryBlocks + 1).contains(bases.count)
        else { throw .unexpected(.feeHistory) }
        let baseFee = Wei(try next.quantity(.feeHistory))
        guard let medians = try Self.medians(of: history, blocks: bases.count - 1) else {
            let tip = try await suggestedTip()
            return try GasPriceSuggestion(baseFee: baseFee, tips: (tip, tip, tip), within: bounds)
        }
        return try GasPriceSuggestion(baseFee: baseFee, tips: medians, within: bounds)
    }

    /// - Returns: nil if the node does not have the method, or says nothing about base fees.
    private func feeHistory() async throws(NodeError) -> JSON? {
        let count = JSON.string(UInt256(UInt64(NodeLimits.feeHistoryBlocks)).quantity)
        switch try await rpc.readAnswer("eth_feeHistory", [count, "latest", [10, 50, 90]]) {
        case .result(let history):
            guard let bases = history["baseFeePerGas"], !bases.isNull else { return nil }
            return history
        case .fault(let fault):
            guard fault.saysNoSuchMethod else { throw fault.error }
            return nil
        }
    }

    /// The median of what the cheapest tenth, the half and the dearest tenth paid in each block.
    ///
    /// - Returns: nil if nobody paid anything.
    private static func medians(of history: JSON, blocks count: Int) throws(NodeError) -> (Wei, Wei, Wei)? {
        var paid: [[UInt256]] = [[], [], []]
        // Some nodes leave out what was paid where nothing was.
        let rewards = history["reward"] ?? .null
        guard let blocks = rewards.isNull ? [] : rewards.array, blocks.isEmpty || blocks.count == count else {
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
        guard !paid[0].isEmpty else { return nil }
        let medians = paid.map { tips in Wei(tips.sorted()[tips.count / 2]) }
        return (medians[0], medians[1], medians[2])
    }

    /// The highest base fee that the block after the newest one can have: an eighth more (EIP-1559).
    ///
    /// - Throws: ``NodeError/noBaseFee``.
    private func nextBaseFee() async throws(NodeError) -> Wei {
        let block = try await rpc.read("eth_getBlockByNumber", ["latest", false])
        guard !block.isNull else { throw .unexpected(.block) }
        guard let text = block["baseFeePerGas"], !text.isNull else { throw .noBaseFee }
        let fee = try text.quantity(.block)
        guard let eighths = try? fee.multiplied(by: 9).adding(7), let next = try? eighths.divided(by: 8).quotient else {
            throw .unexpected(.block)
        }
        return Wei(next)
    }

    /// What the node would offer a block producer.
    private func suggestedTip() async throws(NodeError) -> Wei {
        switch try await rpc.readAnswer("eth_maxPriorityFeePerGas", []) {
        case .result(let tip): return Wei(try tip.quantity(.fee))
        case .fault(let fault):
            guard fault.saysNoSuchMethod else { throw fault.error }
            // The price for all of it, which older methods tell, is the base fee and the tip.
            let (price, base) = (Wei(try await rpc.read("eth_gasPrice").quantity(.fee)), try await nextBaseFee())
            return (try? price.subtracting(base)) ?? .zero
        }
    }
}

extension JSONRPC.Fault {
    /// Whether the node does not have the method, by its code (JSON-RPC 2.0) or in words.
    fileprivate var saysNoSuchMethod: Bool {
        let words = words.lowercased()
        return code == -32_601 || (words.contains("method") && words.contains("not"))
    }
}
