public import Amounts
internal import Curves
public import Wallet

/// The identity of an order for a payment: the caller's key, and the payees with their amounts.
///
/// Every attempt at a payment (the first transaction, one that pays more, a cancellation) has the identity of its order in the
/// wallet's book. So a command that died, and is given again, finds what it did.
public struct OrderIdentity: Hashable, Sendable {
    /// Nil if the caller gave none: then the payees and amounts are the only identity, which holds until the caller has heard the result
    /// (``WalletBook/acknowledge(_:)``).
    public let key: PaymentKey?
    /// 32 bytes over the chain, the account, the payees and the amounts; not over fees.
    public let fingerprint: [UInt8]

    /// One thing that is ordered.
    public struct Item: Hashable, Sendable {
        let asset: Asset
        /// In the smallest unit; nil for everything that is left.
        let amount: UInt256?
        let payee: Party

        /// Creates an item: an amount in the smallest unit of `asset`, or nil for everything that is left.
        public init(_ asset: Asset, amount: UInt256?, to payee: Party) {
            self.asset = asset
            self.amount = amount
            self.payee = payee
        }
    }

    /// - Parameters:
    ///   - key: the caller's own, if there is one.
    ///   - items: the payments of the order, in any sequence.
    ///   - account: which one pays; 0 on Bitcoin, where all accounts pay together.
    public init(key: PaymentKey?, paying items: [Item], on chain: Chain, from account: UInt32) {
        self.key = key
        let lines = items.map(\.line).sorted()
        let text = (["\(chain)", "\(account)"] + lines).joined(separator: "\n")
        fingerprint = BIP340.taggedHash("Fueki/order", Array(text.utf8))
    }

    /// Whether the caller has said, by giving each a key of its own, that both are meant.
    public func isApart(from other: OrderIdentity?) -> Bool {
        guard let key, let otherKey = other?.key else { return false }
        return key != otherKey
    }

    /// One that was written down.
    init(key: PaymentKey?, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

extension OrderIdentity.Item {
    /// One line of text for each value: no part has a blank in it but the last.
    fileprivate var line: String {
        let asset =
            switch asset {
            case .coin: "coin"
            case .token(let contract): "token:\(contract)"
            case .tokenOrItem(let contract): "token_or_item:\(contract)"
            case .item(let contract, let id): "item:\(contract):\(id)"
            }
        return "\(asset) \(amount?.description ?? "all") \(payee)"
    }
}
