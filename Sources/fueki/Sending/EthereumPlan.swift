internal import Nodes
internal import Wallet

/// A transaction of Ethereum before it is shown: its gas, its fees, and what a node says about it.
struct EthereumPlan {
    let transaction: EthereumTransaction
    let view: NodeView

    /// What whoever makes a block gets for a unit of gas, at most, whatever a node suggests. Polygon asks for 25 gwei, all others for
    /// less.
    static let highestTip = Wei(100_000_000_000)

    /// - Parameters:
    ///   - call: what it does.
    ///   - gas: the limit that the person gives; nothing where the node estimates it.
    init(
        _ call: EthereumCall, payee: EthereumAddress, nonce: UInt64, gas: UInt64?, fee: FeeOptions,
        on node: EthereumNode
    ) async throws(Failure) {
        let isPlain = try await Self.isPlain(call, on: node)
        let failure = try await Self.failure(of: call, on: node)
        let gas = if let gas { gas } else { try await Self.gas(for: call, isPlain: isPlain, failure, on: node) }
        let prices = try await Self.prices(fee, gas: gas, on: node)
        do throws(WalletError) {
            transaction = try EthereumTransaction(
                chainID: node.chain, nonce: nonce, gasLimit: gas, to: call.to, value: call.value, data: call.data,
                kind: .dynamicFee(fee.fee.fees(of: prices), []))
        } catch { throw error.failure }
        view = try await NodeView(
            from: call.from, payee: payee, gas: gas, prices, failure: failure, on: node)
    }

    /// A transaction that was planned before.
    init(
        keeping transaction: EthereumTransaction, payee: EthereumAddress, from account: EthereumAddress,
        fee: FeeOptions, on node: EthereumNode
    ) async throws(Failure) {
        guard try transaction.maxFeePerGas <= Self.ceiling(fee, gas: transaction.gasLimit) else {
            throw Failure(
                code: .refused, name: "fee_above_ceiling",
                message: "the payment that was ordered before, and waits, may cost more for gas than is allowed",
                hint: "allow more with --max-fee, or forget it with 'fueki pending withdraw'")
        }
        self.transaction = transaction
        view = try await NodeView(
            from: account, payee: payee, gas: transaction.gasLimit,
            Self.prices(fee, gas: transaction.gasLimit, on: node),
            failure: Self.failure(of: EthereumCall(transaction, from: account), on: node), on: node)
    }

    /// Another transaction in the place of one that waits.
    ///
    /// - Parameters:
    ///   - slot: all with this nonce.
    ///   - remake: what it becomes, with its new fees.
    init(
        replacing slot: NonceLedger.Slot, from account: EthereumAddress, fee: FeeOptions, on node: EthereumNode,
        as remake: (EthereumTransaction.Fees) throws(NonceLedger.Fault) -> EthereumTransaction
    ) async throws(Failure) {
        let gas = slot.newest.transaction.transaction.gasLimit
        let prices = try await Self.prices(fee, gas: gas, on: node)
        let ceiling = try Self.ceiling(fee, gas: gas)
        let transaction = try attempt { () throws(NonceLedger.Fault) in
            try remake(try slot.replacementFees(suggested: fee.fee.fees(of: prices), ceiling: ceiling))
        }
        self.transaction = transaction
        let call = EthereumCall(transaction, from: account)
        view = try await NodeView(
            from: account, payee: transaction.payee ?? account, gas: transaction.gasLimit, prices,
            failure: Self.failure(of: call, on: node), on: node)
    }

    /// Whether nothing runs: such a payment takes the least gas, and no node need say so.
    private static func isPlain(_ call: EthereumCall, on node: EthereumNode) async throws(Failure) -> Bool {
        guard call.data.isEmpty, let to = call.to else { return false }
        return try await attempt { () async throws(NodeError) in try await node.code(at: to) } == .none
    }

    /// A clause, if it would fail.
    private static func failure(of call: EthereumCall, on node: EthereumNode) async throws(Failure) -> ShownText? {
        switch try await attempt({ () async throws(NodeError) in try await node.simulate(call) }) {
        case .returns(let bytes):
            // Old tokens say "no" in place of failing.
            guard case .transfer = ContractCall(decoding: call.data), bytes == UInt256.zero.bytes else { return nil }
            return ShownText(ofNode: "the contract answers 'no'")
        case .reverts(let reason): return ShownText(ofNode: "the contract refuses: \(reason)")
        case .fails(let words): return words
        }
    }

    private static func gas(
        for call: EthereumCall, isPlain: Bool, _ failure: ShownText?, on node: EthereumNode
    ) async throws(Failure) -> UInt64 {
        if isPlain { return NodeLimits.leastGas }
        if let failure {
            throw Failure(
                code: .refused, name: "would_fail", message: "the node says that it would fail: \(failure)",
                hint: "with a --gas-limit it can be signed all the same")
        }
        return try await attempt { () async throws(NodeError) in try await node.gasLimit(for: call) }
    }

    /// What a unit of gas may cost, so that all of it costs no more than `--max-fee`.
    private static func ceiling(_ fee: FeeOptions, gas: UInt64) throws(Failure) -> Wei {
        let highest = try fee.highestFee(in: .ether)
        return Wei((try? highest.divided(by: UInt256(gas)).quotient) ?? .zero)
    }

    private static func prices(
        _ fee: FeeOptions, gas: UInt64, on node: EthereumNode
    ) async throws(Failure) -> GasPriceSuggestion {
        let ceiling = try ceiling(fee, gas: gas)
        let bounds = GasPriceBounds(maxFeePerGas: ceiling, maxPriorityFeePerGas: min(ceiling, highestTip))
        do throws(NodeError) { return try await node.gasPrices(within: bounds) } catch {
            var failure = error.failure
            if case .feeAboveCeiling = error {
                let highest = Wei(try fee.highestFee(in: .ether)).text(on: node.chain)
                failure.message += " for a unit of gas, where all \(gas) units may cost \(highest) (--max-fee)"
            }
            throw failure
        }
    }
}

extension NodeView {
    fileprivate init(
        from account: EthereumAddress, payee: EthereumAddress, gas: UInt64, _ prices: GasPriceSuggestion,
        failure: ShownText?, on node: EthereumNode
    ) async throws(Failure) {
        let (balance, code) = try await attempt { () async throws(NodeError) in
            (try await node.balance(of: account), try await node.code(at: payee))
        }
        var contracts: Set<Party> = []
        if case .contract = code { contracts = [.ethereum(payee)] }
        self.init(
            balance: balance.value, expectedFee: try? prices.normal.maxFeePerGas.multiplied(by: gas).value,
            contracts: contracts, failure: failure)
    }
}

extension EthereumTransaction {
    /// Who is paid: of a token not the contract that is called.
    fileprivate var payee: EthereumAddress? {
        if case .transfer(let payee, _) = ContractCall(decoding: data) { payee } else { to }
    }
}

extension FeeOptions.Hurry {
    fileprivate func fees(of prices: GasPriceSuggestion) -> EthereumTransaction.Fees {
        switch self {
        case .low: prices.low
        case .normal: prices.normal
        case .high: prices.high
        }
    }
}
