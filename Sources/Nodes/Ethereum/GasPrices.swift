public import Amounts
internal import DisplayText
internal import Encoding
public import Ethereum
public import Wallet

/// The highest fees that a suggestion may have, by the user's settings, whatever a node says.
public struct GasPriceBounds: Hashable, Sendable {
    /// The total for each unit of gas.
    public let maxFeePerGas: Wei
    /// The part of it for the block's producer.
    public let maxPriorityFeePerGas: Wei

    /// Creates the bounds, in wei for each unit of gas.
    public init(maxFeePerGas: Wei, maxPriorityFeePerGas: Wei) {
        self.maxFeePerGas = maxFeePerGas
        self.maxPriorityFeePerGas = maxPriorityFeePerGas
    }

    /// Creates the prices at which all fees of a transaction stay within a sum, with the reserve for a further fee.
    /// Block producers get no more than `ChainID.highestTip`, whatever the sum is.
    ///
    /// - Parameters:
    ///   - highest: the maximum sum of all fees.
    ///   - gas: the transaction's gas limit.
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if the further fee alone is above the sum.
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

/// Suggested prices of a unit of gas (EIP-1559), for three speeds.
public struct GasPriceSuggestion: Hashable, Sendable {
    /// The base fee of a unit of gas in the next block.
    public let baseFee: Wei
    /// Fees that suffice while the base fee rises by a quarter.
    public let low: EthereumTransaction.Fees
    /// Fees that suffice while it doubles: six full blocks in a row.
    public let normal: EthereumTransaction.Fees
    /// Fees that suffice while it triples.
    public let high: EthereumTransaction.Fees

    /// Creates the suggestion of a price that a person has named: all of it is paid, whatever the base fee is.
    ///
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if the price is above the bounds.
    public init(naming price: Wei, within bounds: GasPriceBounds) throws(NodeError) {
        guard price <= bounds.maxFeePerGas else {
            throw .feeAboveCeiling(SanitizedText(ofNode: "\(price.gwei) gwei"))
        }
        baseFee = price
        low = EthereumTransaction.Fees(maxPriorityFeePerGas: price, maxFeePerGas: price)
        normal = low
        high = low
    }

    /// - Parameter tips: the tips for the three speeds, ascending.
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if even the base fee is above the bounds.
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
    /// Returns prices from the last blocks: the tips that were paid there (`eth_feeHistory`), and the next base fee.
    ///
    /// A node without that method, or with an empty history, is asked for its newest block and for its own suggestion.
    ///
    /// - Throws: ``NodeError/feeAboveCeiling(_:)`` if even the base fee is above the bounds; ``NodeError/noBaseFee`` on
    ///   a chain without EIP-1559; ``NodeError/noFeeEstimate(_:)`` if the node reports neither tips nor a price.
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

    /// Asks for the base fees and tips of the last blocks.
    ///
    /// - Returns: nil if the node lacks the method, or reports no base fees.
    private func feeHistory() async throws(NodeError) -> JSON? {
        let count = JSON.string(UInt256(UInt64(NodeLimits.feeHistoryBlocks)).quantity)
        switch try await rpc.readAnswer("eth_feeHistory", [count, "latest", [10, 50, 90]]) {
        case .result(let history):
            guard let bases = history["baseFeePerGas"], !bases.isNull, bases.array?.isEmpty != true else { return nil }
            return history
        case .fault(let fault):
            guard fault.saysNoSuchMethod else { throw fault.error }
            return nil
        }
    }

    /// Returns the medians of the tips at the 10th, 50th and 90th percentile of each block.
    ///
    /// - Returns: nil if no tips were paid.
    private static func medians(of history: JSON, blocks count: Int) throws(NodeError) -> (Wei, Wei, Wei)? {
        var paid: [[UInt256]] = [[], [], []]
        // Some nodes omit an empty list of tips.
        let rewards = history["reward"] ?? .null
        guard let blocks = rewards.isNull ? [] : rewards.array, blocks.isEmpty || blocks.count == count else {
            throw .unexpected(.feeHistory)
        }
        // A block whose tips the node does not know is not evidence either.
        for block in blocks where !block.isNull && block.array?.contains(where: \.isNull) != true {
            guard let row = block.array, row.count == 3 else { throw .unexpected(.feeHistory) }
            let tips = [
                try row[0].quantity(.feeHistory), try row[1].quantity(.feeHistory), try row[2].quantity(.feeHistory),
            ]
            guard tips[0] <= tips[1], tips[1] <= tips[2] else { throw .inconsistent(.feeHistory) }
            // A block without transactions is not evidence.
            guard !tips[2].isZero else { continue }
            for place in paid.indices { paid[place].append(tips[place]) }
        }
        guard !paid[0].isEmpty else { return nil }
        let medians = paid.map { tips in Wei(tips.sorted()[tips.count / 2]) }
        return (medians[0], medians[1], medians[2])
    }

    /// Returns the highest possible base fee of the block after the newest one: an eighth more (EIP-1559).
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

    /// Returns the node's suggested tip.
    private func suggestedTip() async throws(NodeError) -> Wei {
        switch try await rpc.readAnswer("eth_maxPriorityFeePerGas", []) {
        case .result(let tip) where !tip.isNull: return Wei(try tip.quantity(.fee))
        case .result: break
        case .fault(let fault): guard fault.saysNoSuchMethod else { throw fault.error }
        }
        // The total price, which older methods return, is the base fee plus the tip.
        let price = try await rpc.read("eth_gasPrice")
        guard !price.isNull else { throw .noFeeEstimate(.gasPrice) }
        return (try? Wei(try price.quantity(.fee)).subtracting(try await nextBaseFee())) ?? .zero
    }
}

extension JSONRPC.Fault {
    /// Whether the node lacks the method, by its code (JSON-RPC 2.0) or its words.
    fileprivate var saysNoSuchMethod: Bool {
        let words = words.lowercased()
        return code == -32_601 || (words.contains("method") && words.contains("not"))
    }
}
