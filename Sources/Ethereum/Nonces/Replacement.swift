public import Amounts

extension EthereumTransaction {
    /// The fees that nodes compare: a single gas price is both.
    public var boundFees: Fees { fees ?? Fees(maxPriorityFeePerGas: maxFeePerGas, maxFeePerGas: maxFeePerGas) }

    /// The least fees of a transaction that takes this one's place: a tenth more on both, rounded up, as all common nodes ask.
    ///
    /// - Throws: ``NonceLedger/Fault/notReplaceable`` for blobs, whose rule is another.
    public func leastReplacementFees() throws(NonceLedger.Fault) -> Fees {
        if case .blob = kind { throw .notReplaceable }
        func more(_ fee: Wei) throws(NonceLedger.Fault) -> Wei {
            let percent = UInt256(100 + EthereumLimits.replacementPercent)
            guard let product = try? fee.value.multiplied(by: percent).adding(99),
                let raised = try? product.divided(by: 100).quotient
            else { throw .notReplaceable }
            // Of nothing a tenth is nothing, and an equal fee is no replacement.
            return Wei(max(raised, .one))
        }
        return Fees(
            maxPriorityFeePerGas: try more(boundFees.maxPriorityFeePerGas),
            maxFeePerGas: try more(boundFees.maxFeePerGas))
    }

    /// The same transaction with other fees: to be mined sooner.
    ///
    /// - Parameter gas: its limit of gas, if it may take more than the first one.
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

    /// A payment of nothing to the account itself with the same nonce: whichever of the two is mined, the other one never is.
    ///
    /// - Parameter gas: its limit of gas; 21,000 is enough on Ethereum for an account without code.
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
    /// The least fees of a transaction that takes the place of all of these; nil if there are none.
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
    /// The fees for a replacement: what is suggested now, and no less than nodes ask for in the place of any of these, also of what
    /// was refused.
    ///
    /// - Parameter ceiling: for each unit of gas in all.
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
