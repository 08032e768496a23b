public import Amounts
internal import Curves

/// The identity of an order: the caller's payment key, and the payees with their amounts.
///
/// Every attempt at a payment (the first transaction, one that pays a higher fee, a cancellation) has the identity of
/// its order in the wallet's book. So a command that was killed, and is given again, finds the earlier attempts.
public struct OrderIdentity: Hashable, Sendable {
    /// The payment key; nil if the caller gave none. Without it, payees and amounts alone identify the order until the
    /// result is acknowledged (`WalletBook.acknowledge(_:)`).
    public let key: PaymentKey?
    /// A hash of 32 bytes over the chain, the account, the payees and the amounts; not over fees.
    public let fingerprint: [UInt8]

    /// One payment of an order.
    public struct Item: Hashable, Sendable {
        let asset: Asset
        /// The amount in the smallest unit; nil for the whole balance.
        let amount: UInt256?
        let payee: Party

        /// Creates an item: an amount in the smallest unit of `asset`, or nil for the whole balance.
        public init(_ asset: Asset, amount: UInt256?, to payee: Party) {
            self.asset = asset
            self.amount = amount
            self.payee = payee
        }
    }

    /// Creates the identity of an order.
    ///
    /// - Parameters:
    ///   - key: the caller's payment key, if there is one.
    ///   - items: the payments of the order, in any sequence.
    ///   - account: the account that pays; 0 on Bitcoin, where all accounts pay together.
    public init(key: PaymentKey?, paying items: [Item], on chain: Chain, from account: UInt32) {
        self.key = key
        let lines = items.map(\.line).sorted()
        let text = (["\(chain)", "\(account)"] + lines).joined(separator: "\n")
        fingerprint = BIP340.taggedHash("Fueki/order", Array(text.utf8))
    }

    /// Returns whether the caller gave each order a payment key of its own, and so wants both paid.
    public func isApart(from other: OrderIdentity?) -> Bool {
        guard let key, let otherKey = other?.key else { return false }
        return key != otherKey
    }

    /// Makes an identity from stored values.
    init(key: PaymentKey?, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

extension OrderIdentity.Item {
    /// The item's values as one line of text. Only the last value may contain a blank.
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
