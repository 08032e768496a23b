public import ExchangeCredentials

/// The name of a market, as its exchange writes it: `BTCUSDT`, `1INCHUSDT` on Binance, `XBTUSD`, `BTC/USD` on Kraken.
///
/// It is not changed, since no rule leads from one exchange's names to another's, and removing a character can give the
/// name of another market.
public struct TradingSymbol: Hashable, Sendable, CustomStringConvertible {
    /// The exchange.
    public let venue: Venue
    /// The text.
    public let text: String

    /// Reads a symbol.
    ///
    /// - Parameters:
    ///   - text: on Binance, upper-case letters, digits, hyphens, points and underscores, and the Chinese characters
    ///     and full-width forms that its documentation allows; on Kraken, letters, digits, points, hyphens, and one
    ///     slash between two assets.
    ///   - venue: the exchange.
    /// - Throws: ``ExchangeError/invalid(_:_:)``.
    public init(_ text: String, on venue: Venue) throws(ExchangeError) {
        if let fault = Self.fault(in: text, on: venue) { throw .invalid(.symbol, fault) }
        self.venue = venue
        self.text = text
    }

    /// The text.
    public var description: String { text }

    private static func fault(in text: String, on venue: Venue) -> InputFault? {
        let scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { return .empty }
        guard scalars.count <= ExchangeLimits.symbolCharacters else {
            return .tooLong(most: ExchangeLimits.symbolCharacters)
        }
        switch venue {
        case .binance:
            if let fault = InputCheck.fault(in: scalars, allowing: { isBinance($0) || InputCheck.isLower($0) }) {
                return fault
            }
            if let offset = scalars.firstIndex(where: InputCheck.isLower) { return .lowerCase(offset: offset) }
        case .kraken:
            if let fault = InputCheck.fault(in: scalars, allowing: isKraken) { return fault }
            let slashes = scalars.indices.filter { scalars[$0] == "/" }
            if let first = slashes.first, slashes.count > 1 || first == 0 || first == scalars.count - 1 {
                return .character(offset: slashes.count > 1 ? slashes[1] : first)
            }
        }
        return scalars.count < 2 ? .tooShort(least: 2) : nil
    }

    private static func isBinance(_ scalar: Unicode.Scalar) -> Bool {
        InputCheck.isUpper(scalar) || InputCheck.isDigit(scalar) || scalar == "-" || scalar == "." || scalar == "_"
            || InputCheck.isWide(scalar)
    }

    /// Kraken's tokenised shares have a lower-case letter: `AAPLx/USD`.
    private static func isKraken(_ scalar: Unicode.Scalar) -> Bool {
        InputCheck.isAlphanumeric(scalar) || scalar == "." || scalar == "-" || scalar == "/"
    }
}

extension InputCheck {
    /// The Chinese characters, and the full-width digits and capitals, that Binance's documentation allows in names.
    static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        (0x4E00...0x9FFF).contains(scalar.value) || (0xFF10...0xFF19).contains(scalar.value)
            || (0xFF21...0xFF3A).contains(scalar.value)
    }
}
