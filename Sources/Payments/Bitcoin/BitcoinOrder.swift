internal import Amounts
public import Bitcoin
public import Custody
public import HDKeys
public import Wallet

/// A payment on Bitcoin as a person orders it: whom, and how much.
public struct BitcoinOrder: Sendable {
    /// Who is paid, and how much.
    public let recipients: [SpendOrder.Recipient]
    /// By what the order is known when it is given again.
    public let identity: OrderIdentity
    /// What a transaction of it does; nil where somebody gets everything that is left.
    public let effects: [Effect]?

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - recipients: each address once.
    ///   - key: the caller's own. With one the payment is made once, however often it is ordered.
    /// - Throws: ``PaymentError/address(_:)`` with ``AddressFault/paidTwice(_:)``.
    public init(
        paying recipients: [SpendOrder.Recipient], key: PaymentKey? = nil, on network: Network
    ) throws(PaymentError) {
        for (index, recipient) in recipients.enumerated()
        where recipients[..<index].contains(where: { $0.address == recipient.address }) {
            throw .address(.paidTwice(recipient.address))
        }
        self.recipients = recipients
        var effects: [Effect] = []
        var items: [OrderIdentity.Item] = []
        for recipient in recipients {
            switch recipient.share {
            case .exactly(let amount):
                let amount = UInt256(amount.satoshis)
                effects.append(.payment(.coin, amount: amount, to: .bitcoin(recipient.address)))
                items.append(.init(.coin, amount: amount, to: .bitcoin(recipient.address)))
            case .everythingLeft: items.append(.init(.coin, amount: nil, to: .bitcoin(recipient.address)))
            }
        }
        self.effects = effects.count == items.count ? effects : nil
        identity = OrderIdentity(key: key, paying: items, on: .bitcoin(network), from: 0)
    }

    /// The order in words, from which a plan's seed is made: the same order gives the same plan.
    var text: String { recipients.map { "\($0.address) \($0.share)" }.joined(separator: ", ") }
}

/// What a transaction of Bitcoin may cost.
public struct BitcoinFee: Sendable {
    /// How soon it should be mined.
    public var priority: FeePriority
    /// The feerate in place of the node's.
    public var rate: FeeRate?
    /// The highest fee that is signed for.
    public var ceiling: Amount

    /// Creates the terms of a fee.
    public init(_ priority: FeePriority = .normal, rate: FeeRate? = nil, ceiling: Amount) {
        self.priority = priority
        self.rate = rate
        self.ceiling = ceiling
    }
}
