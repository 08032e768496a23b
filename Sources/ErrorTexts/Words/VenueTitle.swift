package import ExchangeCredentials

extension Venue {
    /// The exchange's name for a person.
    package var title: String {
        switch self {
        case .binance: "Binance"
        case .kraken: "Kraken"
        }
    }
}

extension KeyRight {
    /// The right in words.
    package var words: String {
        switch self {
        case .unknown(let name): "\(name) (a right that this version does not know)"
        case .internalTransfer: "internal transfer"
        case .portfolioMargin: "portfolio margin"
        case .fixTrading: "FIX trading"
        case .fixReading: "FIX reading"
        default: name
        }
    }
}
