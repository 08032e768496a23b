public import Amounts

/// What owners of a Safe (a wallet that is a contract) agree on by signatures: the Safe will do it.
public struct SafeTransaction: Hashable, Sendable {
    /// How the Safe reaches the account that it calls.
    public enum Operation: Hashable, Sendable {
        /// An ordinary call.
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
    /// The account that is called.
    public let to: EthereumAddress
    /// The ether that is sent.
    public let value: Wei
    /// The data of the call.
    public let data: [UInt8]
    /// How the account is called.
    public let operation: Operation
    /// The gas for the call.
    public let safeTxGas: UInt256
    /// The gas for everything beside the call.
    public let baseGas: UInt256
    /// What the Safe pays back for gas: with a price that is not zero, to ``refundReceiver`` and in ``gasToken``.
    public let gasPrice: UInt256
    /// The token of the refund; zero for ether.
    public let gasToken: EthereumAddress
    /// The account that gets the refund; zero for the sender of the transaction.
    public let refundReceiver: EthereumAddress
    /// The nonce of the Safe.
    public let nonce: UInt256

    /// What the Safe will call.
    public var call: ContractCall { ContractCall(decoding: data) }
}
