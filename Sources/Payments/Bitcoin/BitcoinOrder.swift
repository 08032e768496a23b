internal import Amounts
public import Bitcoin
public import HDKeys
package import Nodes
public import Wallet

/// An order for a Bitcoin payment: the payees and the amounts.
public struct BitcoinOrder: Sendable {
    /// The payees with their amounts.
    public let recipients: [SpendOrder.Recipient]
    /// The identity by which the order is recognised when it is given again.
    public let identity: OrderIdentity
    /// The effects of its transaction; nil if a payee gets the whole balance.
    public let effects: [Effect]?

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - recipients: the payees, each address once.
    ///   - key: the caller's payment key. With a key the payment is made once, however often it is ordered.
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

    /// The order as text, from which a plan's seed is derived: the same order gives the same plan.
    var text: String { recipients.map { "\($0.address) \($0.share)" }.joined(separator: ", ") }
}

/// The terms of a Bitcoin transaction's fee.
public struct BitcoinFee: Sendable {
    /// The priority: how soon it should be mined.
    public var priority: FeePriority
    /// The feerate that replaces the node's.
    public var rate: FeeRate?
    /// The highest fee that may be signed.
    public var ceiling: Amount

    /// Creates the terms.
    public init(_ priority: FeePriority = .normal, rate: FeeRate? = nil, ceiling: Amount) {
        self.priority = priority
        self.rate = rate
        self.ceiling = ceiling
    }

    /// Returns the named feerate, or the node's.
    ///
    /// - Throws: ``PaymentError/node(_:)`` with `NodeError.noFeeEstimate(_:)`.
    package func rate(by rates: FeeRateSuggestion) throws(PaymentError) -> FeeRate {
        guard let rate = rate ?? rates.rate(priority) else { throw .node(.noFeeEstimate(.feeRate)) }
        return rate
    }
}
