public import Amounts
public import Ethereum

/// The asset that an amount counts: the chain's coin, tokens, or items of a collection. The chain is in the ``Intent``.
public enum Asset: Hashable, Sendable {
    /// The chain's own coin, in its smallest unit: satoshi or wei.
    case coin
    /// Tokens of a contract (ERC-20), in their smallest unit.
    case token(EthereumAddress)
    /// One item of a collection (ERC-721), or an amount of one kind of items (ERC-1155).
    case item(EthereumAddress, id: UInt256)
    /// An amount of tokens or the identifier of one item: only the contract knows, because ERC-20 and ERC-721 use the
    /// same names for these functions.
    case tokenOrItem(EthereumAddress)

    /// The contract that records who owns the asset.
    public var contract: EthereumAddress? {
        switch self {
        case .coin: nil
        case .token(let contract), .item(let contract, _), .tokenOrItem(let contract): contract
        }
    }
}
