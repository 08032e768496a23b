public import Ethereum

extension EthereumNode {
    /// Returns whether the call runs no code: a payment without data to an account that has none.
    public func runsNoCode(_ call: EthereumCall) async throws(NodeError) -> Bool {
        guard call.data.isEmpty, let to = call.to else { return false }
        return try await code(at: to) == .none
    }

    /// Returns whether the call takes exactly 21,000 gas by the chain's protocol, so that no node needs to be asked.
    public func takesLeastGas(_ call: EthereumCall) async throws(NodeError) -> Bool {
        guard chain.feeRule == .gas else { return false }
        return try await runsNoCode(call)
    }

    /// Returns a gas limit for the call: the node's estimate and a fifth more; 21,000 if the node says so.
    ///
    /// A lying node can make the limit too high or too low. A high limit alone costs nothing, because unused gas is not
    /// paid for.
    ///
    /// - Throws: ``NodeError/rpc(code:message:)`` if the call would fail.
    public func gasLimit(for call: EthereumCall) async throws(NodeError) -> UInt64 {
        let gas = try await rpc.read("eth_estimateGas", [call.json]).uint64(.gas)
        guard (NodeLimits.leastGas...NodeLimits.gas).contains(gas) else { throw .unexpected(.gas) }
        guard gas > NodeLimits.leastGas else { return gas }
        return min(gas + gas * NodeLimits.gasMarginPercent / 100, NodeLimits.gas)
    }

    /// Returns a gas limit for a transaction that replaces another one with the same nonce: the draft's own, or more if the
    /// chain needs more by now.
    ///
    /// - Parameter mayFail: whether to keep the draft's limit if the node says that the call would fail.
    public func gasLimit(
        replacing draft: EthereumTransaction, from account: EthereumAddress, mayFail: Bool
    ) async throws(NodeError) -> UInt64 {
        let call = EthereumCall(draft, from: account)
        if try await takesLeastGas(call) { return draft.gasLimit }
        do {
            return max(try await gasLimit(for: call), draft.gasLimit)
        } catch {
            guard mayFail, case .rpc = error else { throw error }
            return draft.gasLimit
        }
    }
}
