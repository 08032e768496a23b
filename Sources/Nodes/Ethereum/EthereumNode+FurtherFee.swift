internal import Amounts
public import Ethereum
public import Wallet

extension EthereumNode {
    /// Returns the chain's fee for a transaction beside gas, from the chain's oracle if it has one.
    ///
    /// On an unknown chain, it looks for the oracle that most such chains have.
    public func furtherFee(of transaction: EthereumTransaction) async throws(NodeError) -> FurtherFee {
        switch chain.feeRule {
        case .gas, .estimatedGas: return .none
        case .gasAndData(let oracle): return try await furtherFee(of: transaction, by: oracle) ?? .untold
        case .unknown:
            let oracle = DataFeeOracle.optimism
            guard case .contract = try await code(at: oracle.address) else { return chain.isLocal ? .none : .possible }
            return try await furtherFee(of: transaction, by: oracle) ?? .untold
        }
    }

    /// Asks the oracle for a transaction's fee beside gas.
    ///
    /// - Returns: nil if the oracle does not return a number.
    private func furtherFee(
        of transaction: EthereumTransaction, by oracle: DataFeeOracle
    ) async throws(NodeError) -> FurtherFee? {
        guard let data = try await number(oracle.dataFeeCall(for: transaction), of: oracle) else { return nil }
        var fee = data
        // Older oracles lack this function.
        if let call = oracle.operatorFeeCall(gas: transaction.gasLimit), let more = try await number(call, of: oracle) {
            guard let sum = try? fee.adding(more) else { throw .unexpected(.fee) }
            fee = sum
        }
        return .now(fee)
    }

    private func number(_ data: [UInt8], of oracle: DataFeeOracle) async throws(NodeError) -> UInt256? {
        let outcome = try await simulate(EthereumCall(from: .zero, to: oracle.address, value: .zero, data: data))
        guard case .returns(let bytes) = outcome, bytes.count == 32 else { return nil }
        return try? UInt256(bytes: bytes)
    }
}
