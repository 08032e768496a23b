public import Amounts

extension EthereumTransaction {
    /// The fees that nodes compare. A legacy gas price is both of them.
    public var boundFees: Fees { fees ?? Fees(maxPriorityFeePerGas: maxFeePerGas, maxFeePerGas: maxFeePerGas) }

    /// Returns the lowest fees of a transaction that replaces this one: a tenth more on both, rounded up, as all common
    /// nodes require.
    ///
    /// - Throws: ``NonceLedger/Fault/notReplaceable`` for blobs, which have another rule.
    public func leastReplacementFees() throws(NonceLedger.Fault) -> Fees {
        if case .blob = kind { throw .notReplaceable }
        func more(_ fee: Wei) throws(NonceLedger.Fault) -> Wei {
            let percent = UInt256(100 + EthereumLimits.replacementPercent)
            guard let product = try? fee.value.multiplied(by: percent).adding(99),
                let raised = try? product.divided(by: 100).quotient
            else { throw .notReplaceable }
            // A tenth of zero is zero, and equal fees are not accepted.
            return Wei(max(raised, .one))
        }
        return Fees(
            maxPriorityFeePerGas: try more(boundFees.maxPriorityFeePerGas),
            maxFeePerGas: try more(boundFees.maxFeePerGas))
    }

    /// Returns the same transaction with other fees, so that it is mined sooner.
    ///
    /// - Parameter gas: another gas limit, if it may need more than the first one.
    /// - Throws: ``NonceLedger/Fault/notReplaceable``.
    public func spedUp(_ fees: Fees, gas: UInt64? = nil) throws(NonceLedger.Fault) -> EthereumTransaction {
        let kind: Kind =
            switch self.kind {
            case .legacy: .legacy(gasPrice: fees.maxFeePerGas)
            case .accessList(_, let list): .accessList(gasPrice: fees.maxFeePerGas, list)
            case .dynamicFee(_, let list): .dynamicFee(fees, list)
            case .setCode(_, let list, let authorizations): .setCode(fees, list, authorizations)
            case .blob: throw .notReplaceable
            }
        do {
            return try EthereumTransaction(
                chainID: chainID, nonce: nonce, gasLimit: gas ?? gasLimit, to: to, value: value, data: data, kind: kind)
        } catch { throw .notReplaceable }
    }

    /// Returns a payment of zero to the account itself with the same nonce: only one of the two transactions can be
    /// mined.
    ///
    /// - Parameter gas: its gas limit; 21,000 suffices on Ethereum for an account without code.
    /// - Throws: ``NonceLedger/Fault/notReplaceable``.
    public func cancellation(
        by account: EthereumAddress, _ fees: Fees, gas: UInt64
    ) throws(NonceLedger.Fault) -> EthereumTransaction {
        if case .blob = kind { throw .notReplaceable }
        guard let chainID else { throw .notReplaceable }
        do {
            return try EthereumTransaction(
                chainID: chainID, nonce: nonce, gasLimit: gas, to: account, value: .zero, data: [],
                kind: .dynamicFee(fees, []))
        } catch { throw .notReplaceable }
    }
}

extension NonceLedger {
    /// Returns the lowest fees of a transaction that replaces all of these; nil without attempts.
    static func leastReplacementFees(of attempts: [Attempt]) throws(Fault) -> EthereumTransaction.Fees? {
        var least: EthereumTransaction.Fees?
        for attempt in attempts {
            let fees = try attempt.transaction.transaction.leastReplacementFees()
            least = EthereumTransaction.Fees(
                maxPriorityFeePerGas: max(fees.maxPriorityFeePerGas, least?.maxPriorityFeePerGas ?? .zero),
                maxFeePerGas: max(fees.maxFeePerGas, least?.maxFeePerGas ?? .zero))
        }
        return least
    }
}

extension NonceLedger.Slot {
    /// Returns the fees for a replacement: the present suggestion, and at least what nodes require for replacing any of
    /// these, also refused ones.
    ///
    /// - Parameter ceiling: the maximum for a unit of gas in all.
    /// - Throws: ``NonceLedger/Fault/aboveCeiling(least:)``, ``NonceLedger/Fault/notReplaceable``.
    public func replacementFees(
        suggested: EthereumTransaction.Fees, ceiling: Wei
    ) throws(NonceLedger.Fault) -> EthereumTransaction.Fees {
        guard let least = try NonceLedger.leastReplacementFees(of: attempts) else { return suggested }
        guard least.maxFeePerGas <= ceiling else { throw .aboveCeiling(least: least) }
        let tip = max(suggested.maxPriorityFeePerGas, least.maxPriorityFeePerGas)
        let all = min(max(suggested.maxFeePerGas, least.maxFeePerGas, tip), ceiling)
        return EthereumTransaction.Fees(maxPriorityFeePerGas: min(tip, all), maxFeePerGas: all)
    }
}
