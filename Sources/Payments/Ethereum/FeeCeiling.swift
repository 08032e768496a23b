public import Amounts
package import Ethereum
package import Nodes
package import Wallet

/// The highest fees of a transaction by the caller's ceiling: those for gas, and the chain's fee beside them.
package struct FeeCeiling {
    /// The transaction's gas limit.
    let gas: UInt64
    /// The chain's fee beside gas.
    package let further: FurtherFee
    /// The prices for a unit of gas at which the total stays within the ceiling.
    let bounds: GasPriceBounds
    private let highest: Wei
    /// The price for a unit of gas that the person named.
    private let named: Wei?

    /// Creates the limits.
    ///
    /// - Parameter draft: the transaction, whose fees may be lowered.
    package init(
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
        named = fee.gasPrice
        self.gas = gas
    }

    /// Returns the named price, or the node's suggestion, within the bounds.
    package func prices(on node: EthereumNode) async throws(PaymentError) -> GasPriceSuggestion {
        do throws(NodeError) {
            if let named { return try GasPriceSuggestion(naming: named, within: bounds) }
            return try await node.gasPrices(within: bounds)
        } catch {
            guard case .feeAboveCeiling = error else { throw .node(error) }
            throw .gas(
                .priceAboveCeiling(error, gas: gas, highest: highest, beside: Wei(further.reserve), node.chain))
        }
    }
}

extension EthereumTransaction.Fees {
    /// Returns the highest fees that a ceiling allows, for a draft.
    package static func most(_ fee: EthereumFee, gas: UInt64) -> EthereumTransaction.Fees {
        let highest = fee.ceiling.value
        let price = Wei((try? highest.divided(by: UInt256(gas)).quotient) ?? .zero)
        return EthereumTransaction.Fees(maxPriorityFeePerGas: price, maxFeePerGas: price)
    }
}

/// The terms of an Ethereum transaction's fee.
public struct EthereumFee: Sendable {
    /// The priority: how soon it should be mined.
    public var priority: FeePriority
    /// The price for a unit of gas that replaces the node's. All of it is paid.
    public var gasPrice: Wei?
    /// The highest fee that may be signed, including the chain's fee beside gas.
    public var ceiling: Wei

    /// Creates the terms.
    public init(_ priority: FeePriority = .normal, gasPrice: Wei? = nil, ceiling: Wei) {
        self.priority = priority
        self.gasPrice = gasPrice
        self.ceiling = ceiling
    }
}
