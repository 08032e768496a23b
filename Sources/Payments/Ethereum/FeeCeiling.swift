public import Amounts
internal import Ethereum
internal import Nodes
internal import Wallet

/// What a transaction's fees may be at most, by the caller's ceiling: those for gas, and what the chain charges beside them.
struct FeeCeiling {
    /// The transaction's limit.
    let gas: UInt64
    /// What the chain charges beside gas.
    let further: FurtherFee
    /// The prices for a unit of gas at which all stays within the ceiling.
    let bounds: GasPriceBounds
    private let highest: Wei

    /// - Parameter draft: the transaction, whose fees may become lower ones.
    init(
        _ fee: EthereumFee, for draft: EthereumTransaction, on node: EthereumNode
    ) async throws(PaymentError) {
        let highest = fee.ceiling
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
    func prices(on node: EthereumNode) async throws(PaymentError) -> GasPriceSuggestion {
        do throws(NodeError) { return try await node.gasPrices(within: bounds) } catch {
            guard case .feeAboveCeiling = error else { throw .node(error) }
            throw .gas(
                .priceAboveCeiling(error, gas: gas, highest: highest, beside: Wei(further.reserve), node.chain))
        }
    }
}

extension EthereumTransaction.Fees {
    /// The highest that a ceiling allows, for a draft.
    static func most(_ fee: EthereumFee, gas: UInt64) -> EthereumTransaction.Fees {
        let highest = fee.ceiling.value
        let price = Wei((try? highest.divided(by: UInt256(gas)).quotient) ?? .zero)
        return EthereumTransaction.Fees(maxPriorityFeePerGas: price, maxFeePerGas: price)
    }
}

/// What a transaction of Ethereum may cost.
public struct EthereumFee: Sendable {
    /// How soon it should be mined.
    public var priority: FeePriority
    /// The highest fee that is signed for, with what the chain charges beside gas.
    public var ceiling: Wei

    /// Creates the terms of a fee.
    public init(_ priority: FeePriority = .normal, ceiling: Wei) {
        self.priority = priority
        self.ceiling = ceiling
    }
}
