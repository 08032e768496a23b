public import Amounts
public import Ethereum

/// What an amount counts. The chain stands in the ``Intent``.
public enum Asset: Hashable, Sendable {
    /// The chain's own coin, in its smallest unit: satoshi or wei.
    case coin
    /// Tokens of a contract (ERC-20), in the smallest unit there is of them.
    case token(EthereumAddress)
    /// One thing of a collection (ERC-721), or an amount of a kind of things (ERC-1155).
    case item(EthereumAddress, id: UInt256)
    /// What the number is, an amount of tokens or the identifier of one thing, is for the contract to say: ERC-20 and ERC-721
    /// name these functions alike.
    case tokenOrItem(EthereumAddress)

    /// The contract that keeps the accounts.
    public var contract: EthereumAddress? {
        switch self {
        case .coin: nil
        case .token(let contract), .item(let contract, _), .tokenOrItem(let contract): contract
        }
    }
}
