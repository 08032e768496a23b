internal import Amounts
internal import Custody
internal import Encoding
internal import Ethereum
internal import Nodes
internal import Payments
internal import Wallet

/// What became of a transaction on Ethereum that was to be sent.
struct EthereumOutcome: Encodable {
    /// Its hash.
    let id: String
    /// `sent` or `mined`.
    let state: String
    let chain: String?
    let account: UInt32
    let from: String
    let nonce: UInt64
    /// Whether it was signed before, and found or sent once more now.
    let earlier: Bool
    /// Of the block, once it is mined.
    let height: UInt64?
    /// What it cost, in wei, once it is mined.
    let fee: String?
    /// The hash of the transaction that was waited for, if another one, which pays the same, was mined in its place.
    let replaced: String?
    /// What a node takes, in hexadecimal.
    let transaction: String
    let shares: [String]
    /// What should be known, and what went wrong when the signature was there.
    let warnings: [String]
    /// Null if it was signed before.
    let digest: String?
    /// All that was signed; null if it was signed before.
    let intent: IntentView?

    private let unit: String

    enum CodingKeys: String, CodingKey {
        case id, state, chain, account, from, nonce, earlier, height, fee, replaced, transaction, shares, warnings,
            digest, intent
    }

    init(_ delivered: DeliveredEthereumPayment, shares: [String], warnings: [String], intent: IntentView?) {
        let signed = delivered.transaction
        id = signed.name
        state = delivered.height == nil ? "sent" : "mined"
        let chain = signed.transaction.chainID.map(Chain.ethereum)
        self.chain = chain?.description
        unit = chain?.unit ?? Wei.unknownUnit
        account = delivered.account
        from = signed.sender.description
        nonce = signed.transaction.nonce
        earlier = delivered.isEarlier
        height = delivered.height
        fee = delivered.fee?.value.description
        replaced = delivered.replaced
        transaction = "0x" + Hex.encode(signed.encoded)
        self.shares = shares
        self.warnings = warnings + delivered.warnings.compactMap(\.warning)
        let isShown = delivered.replaced == nil
        digest = intent == nil && isShown ? nil : Hex.encode(delivered.digest)
        self.intent = isShown ? intent : nil
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
