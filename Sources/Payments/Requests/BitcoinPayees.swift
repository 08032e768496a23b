internal import Amounts
internal import Bitcoin
public import HDKeys
public import Wallet
public import WalletBooks

/// The payees of a Bitcoin payment as the user names them, read before the wallet's book is opened.
public struct BitcoinPayees: Sendable {
    private let payees: [(recipient: NamedRecipient<Address<Checked>>, share: SpendOrder.Recipient.Share)]
    private let network: Network

    /// Reads the payees.
    ///
    /// - Throws: ``PayeeFault``.
    public init(_ named: [NamedPayee], on network: Network) throws(PayeeFault) {
        self.network = network
        payees = try named.map { payee throws(PayeeFault) in
            (try NamedRecipient(payee.name, on: network), try Self.share(payee.amount))
        }
    }

    /// Returns the order; the addresses of contacts are in the wallet's book.
    ///
    /// - Parameter key: the key of the payment.
    /// - Throws: ``PaymentError/payee(_:)``, ``PaymentError/address(_:)``.
    public func order(among contacts: [Contact], key: PaymentKey?) throws(PaymentError) -> BitcoinOrder {
        let recipients = try attempt { () throws(PayeeFault) in
            try payees.map { payee throws(PayeeFault) in
                SpendOrder.Recipient(
                    try payee.recipient.address(among: contacts, on: network), payee.share)
            }
        }
        return try BitcoinOrder(paying: recipients, key: key, on: network)
    }

    private static func share(_ text: String) throws(PayeeFault) -> SpendOrder.Recipient.Share {
        if text == NamedPayee.all { return .everythingLeft }
        do throws(AmountError) {
            guard let value = try MoneyUnit.satoshis(text).uint64, let amount = try? Amount(satoshis: value) else {
                throw .outOfRange
            }
            return .exactly(amount)
        } catch { throw .badAmount(error, on: .bitcoin) }
    }
}
