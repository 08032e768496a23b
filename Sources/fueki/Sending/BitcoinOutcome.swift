internal import Encoding
internal import Wallet

/// What became of a transaction on Bitcoin that was to be sent. It has the names of ``EthereumOutcome``.
struct BitcoinOutcome: Encodable {
    let id: String
    let chain: String
    /// `sent` or `mined`.
    let state: String
    /// Of the block, if it is mined.
    let height: UInt32?
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
    /// What was signed, as it was shown; null if that was before.
    let intent: IntentView?

    /// - Parameter height: of its block, if it is mined.
    init(
        of transaction: Transaction, on network: Network, height: UInt32?, fee: Amount?, shares: [String],
        warnings: [String], digest: String?, intent: IntentView?
    ) {
        id = transaction.id.description
        chain = Chain.bitcoin(network).description
        state = height == nil ? "sent" : "mined"
        self.height = height
        self.fee = fee.map { "\($0.satoshis)" }
        virtual_size = transaction.virtualSize
        earlier = intent == nil
        self.transaction = Hex.encode(transaction.encoded)
        self.shares = shares
        self.warnings = warnings
        self.digest = digest
        self.intent = intent
    }
}
