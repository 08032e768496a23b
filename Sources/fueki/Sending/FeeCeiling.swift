internal import Amounts
internal import Ethereum
internal import Nodes
internal import Wallet

/// What a transaction's fees may be at most, by `--max-fee`: those for gas, and what the chain charges beside them.
struct FeeCeiling {
    /// The transaction's limit.
    let gas: UInt64
    /// What the chain charges beside gas.
    let further: FurtherFee
    /// The prices for a unit of gas at which all stays within `--max-fee`.
    let bounds: GasPriceBounds
    private let highest: Wei

    /// - Parameter draft: the transaction, whose fees may become lower ones.
    init(
        _ fee: FeeOptions, for draft: EthereumTransaction, on node: EthereumNode
    ) async throws(Failure) {
        let highest = try fee.highestFee(on: node.chain)
        let gas = draft.gasLimit
        (further, bounds) = try await attempt { () async throws(NodeError) in
            let further = try await node.furtherFee(of: draft)
            let bounds = try GasPriceBounds(spending: highest, on: node.chain, gas: gas, beside: further)
            return (further, bounds)
        }
        self.highest = highest
        self.gas = gas
    }

    /// What the node suggests within the bounds.
    func prices(on node: EthereumNode) async throws(Failure) -> GasPriceSuggestion {
        do throws(NodeError) { return try await node.gasPrices(within: bounds) } catch {
            var failure = error.failure
            if case .feeAboveCeiling = error {
                let most = highest.text(on: node.chain)
                let rest =
                    further.reserve.isZero ? "" : ", \(Wei(further.reserve).text(on: node.chain)) of it beside gas"
                failure.message += " for a unit of gas, where all \(gas) units may cost \(most) (--max-fee)\(rest)"
            }
            throw failure
        }
    }
}

extension EthereumTransaction.Fees {
    /// The highest that `--max-fee` allows, for a draft.
    static func most(_ fee: FeeOptions, gas: UInt64, on chain: ChainID) throws(Failure) -> EthereumTransaction.Fees {
        let highest = try fee.highestFee(on: chain).value
        let price = Wei((try? highest.divided(by: UInt256(gas)).quotient) ?? .zero)
        return EthereumTransaction.Fees(maxPriorityFeePerGas: price, maxFeePerGas: price)
    }
}

extension FeeOptions.Hurry {
    /// The fees for so much hurry.
    func fees(of prices: GasPriceSuggestion) -> EthereumTransaction.Fees {
        switch self {
        case .low: prices.low
        case .normal: prices.normal
        case .high: prices.high
        }
    }
}
