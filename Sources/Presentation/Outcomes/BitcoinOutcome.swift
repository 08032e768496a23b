internal import Amounts
internal import Bitcoin
internal import Encoding
package import HDKeys
package import Payments
internal import Wallet

/// The result of a Bitcoin transaction. Its members have the names of ``EthereumOutcome``.
package struct BitcoinOutcome: Encodable {
    package let id: String
    let chain: String
    /// `sent` or `mined`.
    let state: String
    /// The height of its block; null while it is unconfirmed.
    let height: UInt32?
    /// The identifier of the transaction that was waited for, if another one with the same payment was mined in its place.
    let replaced: String?
    /// The fee in satoshi; null if it was signed before and its coins are unknown.
    let fee: String?
    let virtual_size: Int
    /// Whether it was signed before: this command has paid nothing more.
    let earlier: Bool
    /// The encoded transaction in hexadecimal.
    let transaction: String
    let shares: [String]
    /// The problems after signing, which do not affect the signatures.
    let warnings: [String]
    /// The digest of the intent; null if another machine signed it.
    let digest: String?
    /// The signed intent as it was shown; null if it was signed before, or if another transaction was mined.
    let intent: IntentView?

    package init(
        _ delivered: DeliveredBitcoinPayment, on network: Network, shares: [String], warnings: [String],
        intent: IntentView?
    ) {
        id = delivered.transaction.id.description
        chain = Chain.bitcoin(network).description
        state = delivered.height == nil ? "sent" : "mined"
        height = delivered.height
        replaced = delivered.replaced?.description
        fee = delivered.fee?.description
        virtual_size = delivered.transaction.virtualSize
        earlier = delivered.isEarlier
        transaction = Hex.encode(delivered.transaction.encoded)
        self.shares = shares
        self.warnings = warnings + delivered.warnings.compactMap(\.warning)
        digest = delivered.digest.map { Hex.encode($0) }
        self.intent = delivered.replaced == nil ? intent : nil
    }

    /// A sentence with the state of the transaction.
    package var text: String {
        let state =
            if let height {
                "is mined, in block \(height)"
            } else if earlier {
                "was sent as it was signed; it waits for a block"
            } else {
                "was sent; it waits for a block"
            }
        return "transaction \(id) \(state)"
    }
}
