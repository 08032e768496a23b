/// The unit in which a user reads amounts of Bitcoin.
public enum BitcoinUnit: String, CaseIterable, Sendable {
    /// Bitcoin, with eight decimals.
    case btc
    /// Satoshi: a bitcoin is 100,000,000 of them.
    case sat
}
