internal import Amounts
internal import Bitcoin
internal import Custody
internal import Encoding
internal import HDKeys
internal import Payments
internal import Wallet

/// What became of a transaction on Bitcoin that was to be sent. It has the names of ``EthereumOutcome``.
struct BitcoinOutcome: Encodable {
    let id: String
    let chain: String
    /// `sent` or `mined`.
    let state: String
    /// Of the block, if it is mined.
    let height: UInt32?
    /// The identifier of the transaction that was waited for, if another one, which pays the same, was mined in its place.
    let replaced: String?
    /// In satoshi; null where it was signed before and its coins are not known.
    let fee: String?
    let virtual_size: Int
    /// Whether it was signed before, and found or sent once more now: this command has paid nothing more.
    let earlier: Bool
    /// What a node takes, in hexadecimal.
    let transaction: String
    let shares: [String]
    /// What went wrong when the signatures were there. They are good.
    let warnings: [String]
    /// Null where another machine signed it.
    let digest: String?
    /// What was signed, as it was shown; null if that was before, or if another one was mined.
    let intent: IntentView?

    init(
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

    /// - Parameter waiting: what is said of one that waits for a block.
    func text(_ waiting: String) -> String {
        "transaction \(id) " + (height.map { "is mined, in block \($0)" } ?? waiting)
    }
}
