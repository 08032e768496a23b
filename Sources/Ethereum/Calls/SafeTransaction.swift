public import Amounts

/// What owners of a Safe (a wallet that is a contract) agree on by signatures: the Safe will do it.
public struct SafeTransaction: Hashable, Sendable {
    public enum Operation: Hashable, Sendable {
        case call
        /// The code of the other contract runs as the Safe: it can take everything, and change the owners.
        case delegateCall
        /// A number that no Safe knows.
        case unknown(UInt256)
    }

    /// Nil if the domain does not say which.
    public let safe: EthereumAddress?
    /// Nil for a Safe before version 1.3, which signs for every chain.
    public let chainID: UInt256?
    public let to: EthereumAddress
    public let value: Wei
    public let data: [UInt8]
    public let operation: Operation
    public let safeTxGas: UInt256
    public let baseGas: UInt256
    /// What the Safe pays back for gas: with a price that is not zero, to ``refundReceiver`` and in ``gasToken``.
    public let gasPrice: UInt256
    public let gasToken: EthereumAddress
    public let refundReceiver: EthereumAddress
    public let nonce: UInt256

    /// What the Safe will call.
    public var call: ContractCall { ContractCall(decoding: data) }
}
