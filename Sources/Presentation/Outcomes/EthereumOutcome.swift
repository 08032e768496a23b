internal import Amounts
internal import Encoding
internal import ErrorTexts
internal import Ethereum
package import Payments
internal import Wallet

/// The result of an Ethereum transaction.
package struct EthereumOutcome: Encodable {
    /// The hash of the transaction.
    package let id: String
    /// The state: `sent` or `mined`.
    let state: String
    let chain: String?
    let account: UInt32
    let from: String
    let nonce: UInt64
    /// Whether the transaction was signed before, and was found or sent again now.
    let earlier: Bool
    /// The height of the block; null while the transaction is unconfirmed.
    let height: UInt64?
    /// The fee in wei; null while the transaction is unconfirmed.
    let fee: String?
    /// The hash of the transaction that was waited for, if another one with the same payment was mined in its place.
    let replaced: String?
    /// The encoded transaction in hexadecimal.
    let transaction: String
    let shares: [String]
    /// The notes, and the problems after signing.
    let warnings: [String]
    /// The digest of the intent; null if the transaction was signed before.
    let digest: String?
    /// The signed intent; null if the transaction was signed before.
    let intent: IntentView?

    private let unit: String

    enum CodingKeys: String, CodingKey {
        case id, state, chain, account, from, nonce, earlier, height, fee, replaced, transaction, shares, warnings,
            digest, intent
    }

    package init(_ delivered: DeliveredEthereumPayment, shares: [String], warnings: [String], intent: IntentView?) {
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

    /// The text, whose first line is the hash alone.
    package var text: String {
        let fee = fee.flatMap { try? UInt256(decimal: $0) }.map { ", for \(Wei($0).ether) \(unit)" } ?? ""
        return "\(id)\n" + (height.map { "mined in block \($0)\(fee)" } ?? "sent; the node has taken it")
    }
}
