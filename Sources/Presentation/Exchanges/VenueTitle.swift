package import Exchange

extension Venue {
    /// The exchange's name for a person.
    package var title: String {
        switch self {
        case .binance: "Binance"
        case .kraken: "Kraken"
        }
    }
}

extension Moment {
    /// The seconds since 1970.
    var seconds: UInt64 { milliseconds / 1_000 }
}

extension KeyRight {
    /// The right in words.
    var words: String {
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
