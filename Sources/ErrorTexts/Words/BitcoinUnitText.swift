package import Amounts
internal import Custody

extension BitcoinUnit {
    /// Returns the amount with all decimals: `0.00250000 BTC` or `250000 sat`.
    package func full(_ satoshis: UInt256) -> String {
        switch self {
        case .btc: "\(DecimalText.full(satoshis, .bitcoin)) BTC"
        case .sat: "\(satoshis) sat"
        }
    }

    /// Returns the amount without trailing zeros: `0.0025 BTC` or `250000 sat`.
    package func short(_ satoshis: UInt256) -> String {
        switch self {
        case .btc: "\(DecimalText.short(satoshis, .bitcoin)) BTC"
        case .sat: "\(satoshis) sat"
        }
    }

    /// Returns an amount in satoshi, given as decimal text, with all decimals.
    package func full(decimal satoshis: String) -> String {
        (try? UInt256(decimal: satoshis)).map(full) ?? satoshis
    }
}
