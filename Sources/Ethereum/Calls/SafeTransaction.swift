public import Amounts

/// A transaction of a Safe (a wallet that is a contract), which its owners authorise by signatures.
public struct SafeTransaction: Hashable, Sendable {
    /// How the Safe reaches the account that it calls.
    public enum Operation: Hashable, Sendable {
        /// An ordinary call.
        case call
        /// The code of the other contract runs as the Safe: it can take everything, and change the owners.
        case delegateCall
        /// An unknown operation.
        case unknown(UInt256)
    }

    /// The Safe; nil if the domain does not name it.
    public let safe: EthereumAddress?
    /// The chain; nil for a Safe before version 1.3, whose signatures are valid on every chain.
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
    /// The price of the gas refund: if it is not zero, the Safe pays ``refundReceiver`` in ``gasToken``.
    public let gasPrice: UInt256
    /// The token of the refund; zero for ether.
    public let gasToken: EthereumAddress
    /// The account that gets the refund; zero for the sender of the transaction.
    public let refundReceiver: EthereumAddress
    /// The nonce of the Safe.
    public let nonce: UInt256

    /// The call that the Safe makes.
    public var call: ContractCall { ContractCall(decoding: data) }
}
