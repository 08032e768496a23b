/// A spendable output in the peers' form: hex, and the txid in the order that people read.
public struct Coin: Codable, Equatable, Sendable {
    public var txid: String
    public var vout: Int
    /// The amount in satoshi.
    public var value: Int64
    public var scriptPubKey: String

    public init(txid: String, vout: Int, value: Int64, scriptPubKey: String) {
        self.txid = txid
        self.vout = vout
        self.value = value
        self.scriptPubKey = scriptPubKey
    }

    enum CodingKeys: String, CodingKey {
        case txid, vout, value
        case scriptPubKey = "script_pubkey"
    }
}
