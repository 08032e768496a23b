internal import Amounts
internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Wallet

/// A payment on Bitcoin as a person orders it: whom, and how much.
struct BitcoinOrder {
    let recipients: [SpendOrder.Recipient]
    let identity: OrderIdentity
    /// What a transaction of it does; nil where somebody gets everything that is left.
    let effects: [Effect]?

    /// - Parameters:
    ///   - payees: as the command line names them.
    ///   - key: the caller's own.
    init(
        _ payees: [(recipient: Recipient, share: SpendOrder.Recipient.Share)], key: PaymentKey?,
        among contacts: [Contact], on network: Network
    ) throws(Failure) {
        var recipients: [SpendOrder.Recipient] = []
        for payee in payees {
            let address = try payee.recipient.address(among: contacts, on: network)
            if recipients.contains(where: { $0.address == address }) {
                throw .usage("\(address) is paid twice: add both amounts")
            }
            recipients.append(.init(address, payee.share))
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

    /// Reads how much one payee gets.
    static func share(_ amount: String) throws(Failure) -> SpendOrder.Recipient.Share {
        if amount == "all" { return .everythingLeft }
        return .exactly(try Amount(MoneyUnit.satoshis(amount, of: "--amount"), of: "--amount"))
    }

    /// The order in words, from which a plan's seed is made: the same order gives the same plan.
    var text: String { recipients.map { "\($0.address) \($0.share)" }.joined(separator: ", ") }
}
