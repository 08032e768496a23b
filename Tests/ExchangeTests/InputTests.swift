import ExchangeCredentials
import TestSupport
import Testing

@testable import Exchange

/// Returns the fault that a call reports.
private func fault(_ body: () throws(ExchangeError) -> Void) -> InputFault? {
    do throws(ExchangeError) { try body() } catch .invalid(_, let fault) { return fault } catch { return nil }
    return nil
}

@Suite struct MarketInputTests {
    @Test(
        "symbols of the exchanges are accepted as they are",
        arguments: [
            (.binance, "BTCUSDT"), (.binance, "1INCHUSDT"), (.binance, "1000SATSUSDT"), (.binance, "币安人生USDT"),
            (.kraken, "XBTUSD"), (.kraken, "BTC/USD"), (.kraken, "XXBTZUSD"), (.kraken, "1INCH/USD"),
            (.kraken, "AAPLx/USD"), (.kraken, "ETH2.S"),
        ] as [(Venue, String)])
    func symbols(venue: Venue, text: String) throws {
        #expect(try TradingSymbol(text, on: venue).text == text)
    }

    @Test(
        "a wrong symbol is refused with its fault, and never changed",
        arguments: [
            (.binance, "", .empty), (.binance, "btcusdt", .lowerCase(offset: 0)),
            (.binance, "BTC/USDT", .character(offset: 3)),
            (.binance, "BTC USDT", .space(offset: 3)), (.binance, "BTC\u{200B}USDT", .invisible(offset: 3)),
            (.binance, "ВTCUSDT", .character(offset: 0)), (.binance, "B", .tooShort(least: 2)),
            (.binance, String(repeating: "A", count: 25), .tooLong(most: 24)),
            (.binance, "BTC&USDT", .character(offset: 3)),
            (.kraken, "/USD", .character(offset: 0)), (.kraken, "BTC/", .character(offset: 3)),
            (.kraken, "A/B/C", .character(offset: 3)), (.kraken, "XBT\u{00AD}USD", .invisible(offset: 3)),
        ] as [(Venue, String, InputFault)])
    func wrongSymbols(venue: Venue, text: String, expected: InputFault) {
        #expect(fault { () throws(ExchangeError) in _ = try TradingSymbol(text, on: venue) } == expected)
    }

    @Test(
        "an amount is exact, with up to 18 places",
        arguments: [
            ("1", "1"), ("0.1", "0.1"), ("0.000000000000000001", "0.000000000000000001"), ("007.500", "7.5"),
            ("1000000000000000", "1000000000000000"), ("0.30000000000000004", "0.30000000000000004"),
        ])
    func amounts(text: String, expected: String) throws {
        #expect(try Quantity(text, for: .amount).description == expected)
    }

    @Test(
        "a wrong amount is refused with its fault",
        arguments: [
            ("", .empty), ("0", .zero), ("0.000", .zero), ("-1", .sign), ("+1", .sign), ("1e5", .exponent),
            ("1,5", .comma(offset: 1)),
            ("1.", .notANumber), (".5", .notANumber), ("1.2.3", .notANumber), ("0x10", .character(offset: 1)),
            ("1 000", .space(offset: 1)), ("1\u{2009}000", .space(offset: 1)), ("1\u{200B}", .invisible(offset: 1)),
            ("NaN", .character(offset: 0)), ("inf", .character(offset: 0)), ("１", .character(offset: 0)),
            ("0.0000000000000000001", .tooManyDecimals(most: 18)), ("1000000000000000.1", .tooLarge),
            (String(repeating: "9", count: 41), .tooLong(most: 40)),
        ] as [(String, InputFault)])
    func wrongAmounts(text: String, expected: InputFault) {
        #expect(fault { () throws(ExchangeError) in _ = try Quantity(text, for: .amount) } == expected)
    }

    @Test("an order of nothing, and an id that is not a UUID, are refused")
    func orders() throws {
        let symbol = try TradingSymbol("BTCUSDT", on: .binance)
        #expect(fault { () throws(ExchangeError) in _ = try Order(.buy, .zero, of: symbol, .market) } == .zero)
        let one = try Quantity("1", for: .amount)
        #expect(
            fault { () throws(ExchangeError) in
                _ = try Order(.buy, one, of: symbol, .limit(price: .zero, .untilCancelled))
            } == .zero)
        let id = ClientOrderID(random: SeededRandom(seed: 1))
        #expect(try ClientOrderID(id.description) == id)
        #expect(id.description.utf8.count == 36)
        for (text, expected) in [
            ("", .empty), ("abc", .tooShort(least: 36)), (id.description + "a", .tooLong(most: 36)),
            (id.description.uppercased(), nil), (String(id.description.dropLast()) + "g", .character(offset: 35)),
        ] as [(String, InputFault?)] {
            guard let expected else { continue }
            #expect(fault { () throws(ExchangeError) in _ = try ClientOrderID(text) } == expected)
        }
    }
}
