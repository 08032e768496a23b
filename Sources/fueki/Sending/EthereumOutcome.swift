internal import Amounts
internal import Custody
internal import Encoding
internal import Ethereum
internal import Nodes
internal import Wallet

/// What became of a transaction on Ethereum that was to be sent.
struct EthereumOutcome: Encodable {
    /// Its hash.
    private(set) var id: String
    /// `sent` or `mined`.
    var state = "sent"
    let chain: String?
    let account: UInt32
    let from: String
    let nonce: UInt64
    /// Whether it was signed before, and found or sent once more now.
    let earlier: Bool
    /// Of the block, once it is mined.
    var height: UInt64?
    /// What it cost, in wei, once it is mined.
    var fee: String?
    /// The hash of the transaction that was waited for, if another one, which pays the same, was mined in its place.
    private(set) var replaced: String?
    /// What a node takes, in hexadecimal.
    private(set) var transaction: String
    let shares: [String]
    /// What should be known, and what went wrong when the signature was there.
    var warnings: [String]
    /// Null if it was signed before.
    private(set) var digest: String?
    /// All that was signed; null if it was signed before.
    private(set) var intent: IntentView?

    private let unit: String

    enum CodingKeys: String, CodingKey {
        case id, state, chain, account, from, nonce, earlier, height, fee, replaced, transaction, shares, warnings,
            digest, intent
    }

    init(
        _ transaction: SignedEthereumTransaction, account: UInt32, shares: [String], warnings: [String],
        intent: IntentView?
    ) {
        id = transaction.name
        let chain = transaction.transaction.chainID.map(Chain.ethereum)
        self.chain = chain?.description
        unit = chain?.unit ?? Wei.unknownUnit
        self.account = account
        from = transaction.sender.description
        nonce = transaction.transaction.nonce
        earlier = intent == nil
        self.transaction = "0x" + Hex.encode(transaction.encoded)
        self.shares = shares
        self.warnings = warnings
        digest = intent?.digest
        self.intent = intent
    }

    mutating func note(_ receipt: EthereumReceipt) {
        state = "mined"
        height = receipt.height
        fee = receipt.fee?.value.description
    }

    /// Tells of the transaction that was mined in the place of this one.
    mutating func note(_ instead: MinedInstead, _ transaction: SignedEthereumTransaction) {
        replaced = instead.awaited
        id = transaction.name
        self.transaction = "0x" + Hex.encode(transaction.encoded)
        digest = Hex.encode(instead.entry.digest)
        intent = nil
        warnings.append(instead.warning)
    }

    /// The hash in the first line, by itself.
    var text: String {
        let fee = fee.flatMap { try? UInt256(decimal: $0) }.map { ", for \(Wei($0).ether) \(unit)" } ?? ""
        return "\(id)\n" + (height.map { "mined in block \($0)\(fee)" } ?? "sent; the node has taken it")
    }
}

extension Wei {
    /// In the usual unit of a chain's coin.
    func text(on chain: ChainID?) -> String {
        "\(ether) " + (chain.map { Chain.ethereum($0).unit } ?? Self.unknownUnit)
    }

    /// Of a chain that nobody named.
    fileprivate static let unknownUnit = "coins"
}
