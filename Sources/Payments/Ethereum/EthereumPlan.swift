internal import Amounts
internal import DisplayText
internal import Ethereum
internal import Nodes
internal import Wallet

/// An Ethereum transaction before it is shown: its gas, its fees, and the node's information about it.
struct EthereumPlan {
    let transaction: EthereumTransaction
    let view: NodeView

    /// Plans a transaction.
    ///
    /// - Parameters:
    ///   - call: the call that it makes.
    ///   - gas: the person's gas limit; nil for the node's estimate.
    init(
        _ call: EthereumCall, payee: EthereumAddress, nonce: UInt64, gas: UInt64?, fee: EthereumFee,
        on node: EthereumNode
    ) async throws(PaymentError) {
        let failure = try await Self.failure(of: call, on: node)
        let gas = if let gas { gas } else { try await Self.gas(for: call, failure, on: node) }
        func transaction(_ fees: EthereumTransaction.Fees) throws(PaymentError) -> EthereumTransaction {
            do throws(EthereumError) {
                return try EthereumTransaction(
                    chainID: node.chain, nonce: nonce, gasLimit: gas, to: call.to, value: call.value, data: call.data,
                    kind: .dynamicFee(fees, []))
            } catch { throw error.asPaymentError }
        }
        let ceiling = try await FeeCeiling(fee, for: transaction(.most(fee, gas: gas)), on: node)
        let prices = try await ceiling.prices(on: node)
        self.transaction = try transaction(prices.fees(fee.priority))
        view = try await NodeView(from: call.from, payee: payee, ceiling, prices, failure: failure, on: node)
    }

    /// Creates the plan of an earlier planned transaction.
    init(
        keeping transaction: EthereumTransaction, payee: EthereumAddress, from account: EthereumAddress,
        fee: EthereumFee, on node: EthereumNode
    ) async throws(PaymentError) {
        let ceiling = try await FeeCeiling(fee, for: transaction, on: node)
        guard transaction.maxFeePerGas <= ceiling.bounds.maxFeePerGas else {
            throw .gas(.heldAboveCeiling)
        }
        self.transaction = transaction
        view = try await NodeView(
            from: account, payee: payee, ceiling, ceiling.prices(on: node),
            failure: Self.failure(of: EthereumCall(transaction, from: account), on: node), on: node)
    }

    /// Plans a replacement of an unconfirmed transaction.
    ///
    /// - Parameters:
    ///   - slot: all transactions with this nonce.
    ///   - remake: returns the replacement, given its new fees and its gas limit; nil keeps the limit.
    init(
        replacing slot: NonceLedger.Slot, from account: EthereumAddress, fee: EthereumFee, on node: EthereumNode,
        as remake: (EthereumTransaction.Fees, _ gas: UInt64?) throws(NonceLedger.Fault) -> EthereumTransaction
    ) async throws(PaymentError) {
        let draft = try attempt { () throws(NonceLedger.Fault) in
            try remake(slot.newest.transaction.transaction.boundFees, nil)
        }
        let failure = try await Self.failure(of: EthereumCall(draft, from: account), on: node)
        let gas = try await attempt { () async throws(NodeError) in
            try await node.gasLimit(replacing: draft, from: account, mayFail: failure != nil)
        }
        let ceiling = try await FeeCeiling(
            fee,
            for: attempt { () throws(NonceLedger.Fault) in try remake(draft.boundFees, gas) }, on: node)
        let prices = try await ceiling.prices(on: node)
        let transaction = try attempt { () throws(NonceLedger.Fault) in
            let suggested = prices.fees(fee.priority)
            return try remake(
                try slot.replacementFees(suggested: suggested, ceiling: ceiling.bounds.maxFeePerGas), gas)
        }
        self.transaction = transaction
        view = try await NodeView(
            from: account, payee: transaction.payee ?? account, ceiling, prices, failure: failure, on: node)
    }

    /// Returns a clause about an expected failure.
    private static func failure(of call: EthereumCall, on node: EthereumNode) async throws(PaymentError)
        -> SanitizedText?
    {
        switch try await attempt({ () async throws(NodeError) in try await node.simulate(call) }) {
        case .returns(let bytes):
            // Some old tokens answer "no" instead of failing.
            guard case .transfer = ContractCall(decoding: call.data), bytes == UInt256.zero.bytes else { return nil }
            return SanitizedText(ofNode: "the contract answers 'no'")
        case .reverts(let reason): return SanitizedText(ofNode: "the contract refuses: \(reason)")
        case .fails(let words): return words
        }
    }

    private static func gas(
        for call: EthereumCall, _ failure: SanitizedText?, on node: EthereumNode
    ) async throws(PaymentError) -> UInt64 {
        let runsNoCode = try await attempt { () async throws(NodeError) in try await node.runsNoCode(call) }
        if runsNoCode, node.chain.feeRule == .gas { return NodeLimits.leastGas }
        if let failure, !runsNoCode {
            throw .gas(.wouldFail(failure))
        }
        do throws(NodeError) { return try await node.gasLimit(for: call) } catch {
            // A node gives no estimate for a call that the account cannot pay. The checks refuse it with their own
            // message.
            let balance = try await attempt { () async throws(NodeError) in try await node.balance(of: call.from) }
            guard case .rpc = error, runsNoCode, balance <= call.value else { throw .node(error) }
            return NodeLimits.leastGas
        }
    }
}

extension NodeView {
    fileprivate init(
        from account: EthereumAddress, payee: EthereumAddress, _ ceiling: FeeCeiling, _ prices: GasPriceSuggestion,
        failure: SanitizedText?, on node: EthereumNode
    ) async throws(PaymentError) {
        let (balance, code) = try await attempt { () async throws(NodeError) in
            (try await node.balance(of: account), try await node.code(at: payee))
        }
        var contracts: Set<Party> = []
        if case .contract = code { contracts = [.ethereum(payee)] }
        self.init(
            balance: balance.value, expectedFee: try? prices.normal.maxFeePerGas.multiplied(by: ceiling.gas).value,
            contracts: contracts, failure: failure, furtherFee: ceiling.further)
    }
}

extension EthereumTransaction {
    /// The payee: for a token not the called contract.
    fileprivate var payee: EthereumAddress? {
        if case .transfer(let payee, _) = ContractCall(decoding: data) { payee } else { to }
    }
}
