public import Bitcoin
public import HDKeys
public import Nodes
public import Wallet
public import WalletBooks

/// One Bitcoin transaction of a wallet: a line of its history.
public struct PaymentRecord: Equatable, Sendable {
    /// The relation of a transaction to the wallet.
    public enum Kind: Equatable, Sendable {
        /// This wallet's book has signed it.
        case own(HistoryEntry)
        /// It pays this amount to the wallet's addresses that were searched, and spends none of its coins that were
        /// found: it is an incoming payment.
        case incoming(Amount)
        /// The wallet's shares have signed it on another machine: of the coins that were found it spends the first
        /// amount, and the second one came back to the wallet. The first one is
        /// zero if the node shows none of the coins: it pays to a change address, spends coins of a transaction that the
        /// wallet signed, or an imported document has it as signed.
        case elsewhere(spent: Amount, received: Amount)
    }

    /// The transaction.
    public let id: TransactionID
    /// The relation to the wallet.
    public let kind: Kind
    /// The outputs that pay to the wallet's addresses; empty for a transaction of the book.
    public let receipts: [Receipt]
    /// Its fee; nil for payments from others, and if it is unknown.
    public let fee: Amount?
    /// The state; that of an own transaction is the book's: refresh that before (`BitcoinRefresh`).
    public let status: TransactionStatus
    /// The time of its block, in seconds since 1970, as its miner wrote it; nil while it is unconfirmed, and
    /// if the node was not asked for it.
    public internal(set) var time: UInt64?

    /// The number of blocks from its own to the newest one; 0 while it is unconfirmed.
    public var confirmations: UInt32 {
        if case .mined(_, let confirmations) = status { confirmations } else { 0 }
    }

    /// The height of its block; nil while it is unconfirmed.
    public var height: UInt32? {
        if case .mined(let height, _) = status { height } else { nil }
    }
}

/// An output that pays to one of the wallet's addresses.
public struct Receipt: Equatable, Sendable {
    /// The address.
    public let address: Address<Checked>
    /// The amount.
    public let amount: Amount
    /// The path of the address in its account.
    public let path: AddressPath
}

extension Receipt {
    /// Nil if the script has no address.
    init?(_ output: TransactionOutput, key: DerivedKey, on network: Network) {
        guard let address = Address<Checked>(output.scriptPubKey, on: network) else { return nil }
        self.init(address: address, amount: output.amount, path: key.path)
    }
}

extension [PaymentRecord] {
    /// The transactions that the book has not signed.
    public var foreign: [PaymentRecord] { filter { if case .own = $0.kind { false } else { true } } }

    /// The transactions whose id begins like this. More than one is no choice that a program may make.
    public func named(_ id: ShortID) -> [PaymentRecord] { filter { id.begins($0.id.description) } }
}
