import Encoding
import Foundation
import SecretStoreTestSupport
import Secrets
import TestSupport
import Testing
import Time

@testable import Exchange

/// Returns the fault that a call reports.
private func fault(_ body: () throws(ExchangeError) -> Void) -> InputFault? {
    do throws(ExchangeError) { try body() } catch .invalid(_, let fault) { return fault } catch { return nil }
    return nil
}

@Suite struct KeyInputTests {
    @Test("the keys that the exchanges issue are accepted, with the characters of Base64 for Kraken")
    func real() throws {
        _ = try APIKey(DocumentedKeys.binanceKey, of: .binance)
        _ = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        #expect(DocumentedKeys.krakenKey.contains("/") && DocumentedKeys.krakenKey.contains("+"))
        _ = try SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance)
        _ = try SigningSecret(reading: secret(DocumentedKeys.binancePEM), of: .binance)
        _ = try SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken)
        // The end of a line comes with a file.
        _ = try SigningSecret(reading: secret(DocumentedKeys.krakenSecret + "\r\n"), of: .kraken)
    }

    @Test(
        "a wrong key is refused with its fault",
        arguments: [
            ("", .empty),
            (String(DocumentedKeys.binanceKey.dropLast()), .tooShort(least: 64)),
            (DocumentedKeys.binanceKey + "A", .tooLong(most: 64)),
            (" " + DocumentedKeys.binanceKey, .space(offset: 0)),
            (DocumentedKeys.binanceKey + "\n", .space(offset: 64)),
            (
                DocumentedKeys.binanceKey.prefix(10) + "\u{200B}" + DocumentedKeys.binanceKey.dropFirst(10),
                .invisible(offset: 10)
            ),
            (
                DocumentedKeys.binanceKey.prefix(10) + "\u{202E}" + DocumentedKeys.binanceKey.dropFirst(10),
                .invisible(offset: 10)
            ),
            (DocumentedKeys.binanceKey.dropLast() + "А", .character(offset: 63)),
            (DocumentedKeys.binanceKey.dropLast() + "-", .character(offset: 63)),
            (DocumentedKeys.krakenKey, .otherVenue(.kraken)),
        ] as [(String, InputFault)])
    func wrongBinance(text: String, expected: InputFault) {
        #expect(fault { () throws(ExchangeError) in _ = try APIKey(text, of: .binance) } == expected)
    }

    @Test(
        "a wrong key of Kraken is refused with its fault",
        arguments: [
            (DocumentedKeys.krakenSecret, .secretInPlaceOfKey), (DocumentedKeys.binanceKey, .otherVenue(.binance)),
            (String(DocumentedKeys.krakenKey.dropLast()), .tooShort(least: 56)),
            (DocumentedKeys.krakenKey.dropLast() + "=", .notBase64),
            (DocumentedKeys.krakenKey.dropLast() + "\u{FEFF}", .invisible(offset: 55)),
            (DocumentedKeys.krakenKey.dropLast() + "_", .character(offset: 55)),
        ] as [(String, InputFault)])
    func wrongKraken(text: String, expected: InputFault) {
        #expect(fault { () throws(ExchangeError) in _ = try APIKey(text, of: .kraken) } == expected)
    }

    @Test(
        "a wrong secret is refused with its fault, which does not contain it",
        arguments: [
            (.binance, "", .empty), (.binance, "abc", .tooShort(least: 64)),
            (.binance, "ab c", .space(offset: 2)), (.binance, "ab\u{200D}c", .invisible(offset: 2)),
            (.binance, "ü", .character(offset: 0)),
            (.kraken, DocumentedKeys.krakenSecret.dropLast(2) + "A=", .notBase64),
            (.kraken, String(DocumentedKeys.krakenSecret.dropLast(4)), .tooShort(least: 88)),
            (
                .kraken, DocumentedKeys.krakenSecret.prefix(44) + "\n" + DocumentedKeys.krakenSecret.dropFirst(44),
                .space(offset: 44)
            ),
            (
                .binance, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
                .encryptedKeyFile
            ),
            (.binance, "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----", .notEd25519),
            (
                .binance,
                "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIIJEYWtGBrhACmb9Dvy\n-----END PRIVATE KEY-----",
                .notAKeyFile
            ),
            (
                .binance,
                "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIIJEYWtGBrhACmb9Dvy+qa8WEf0lQOl1s4CLIAB9m89u",
                .notAKeyFile
            ),
            // The object identifier of X25519.
            (
                .binance,
                "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIIJEYWtGBrhACmb9Dvy+qa8WEf0lQOl1s4CLIAB9m89u\n-----END PRIVATE KEY-----",
                .notEd25519
            ),
            (.binance, String(repeating: "A", count: 257), .tooLong(most: 256)),
        ] as [(Venue, String, InputFault)])
    func wrongSecret(venue: Venue, text: String, expected: InputFault) {
        #expect(
            fault { () throws(ExchangeError) in _ = try SigningSecret(reading: secret(text), of: venue) } == expected)
    }

    @Test("a credential with another exchange's secret, or a passphrase that cannot be sent, is refused")
    func credential() throws {
        let key = try APIKey(DocumentedKeys.binanceKey, of: .binance)
        let now = Timestamp(milliseconds: 0)
        #expect(
            fault { () throws(ExchangeError) in
                _ = try ExchangeCredential(
                    key: key, secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken),
                    passphrase: nil, created: now)
            } == .otherVenue(.kraken))
        for (text, expected) in [
            ("", .empty), ("a b", .character(offset: 1)), (String(repeating: "a", count: 257), .tooLong(most: 256)),
        ]
            as [(String, InputFault)]
        {
            #expect(
                fault { () throws(ExchangeError) in
                    _ = try ExchangeCredential(
                        key: key, secret: SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance),
                        passphrase: secret(text), created: now)
                } == expected)
        }
    }

    @Test("Base64 in guarded memory agrees with the public decoder, for right and wrong texts")
    func base64() throws {
        let random = SeededRandom(seed: 64)
        for size in 1...70 {
            let bytes = random.publicBytes(count: size)
            let text = Data(bytes).base64EncodedString()
            #expect(Self.decoded(secret(text), size) == bytes)
            // Each single change gives other bytes or nothing, as with the public decoder.
            var changed = Array(text.utf8)
            changed[random.below(changed.count)] = UInt8(random.below(256))
            let expected = String(validating: changed, as: UTF8.self).flatMap { try? Base64.decode($0) }
            let found = SecretBytes(count: changed.count) { $0.copyBytes(from: changed) }
            #expect(Self.decoded(found, size) == (expected?.count == size ? expected : nil))
        }
    }

    private static func decoded(_ text: borrowing SecretBytes, _ size: Int) -> [UInt8]? {
        guard let decoded = SecretBase64.decode(text, bytes: size) else { return nil }
        return decoded.withUnsafeBytes { Array($0) }
    }
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

    @Test(
        "a label is a plain word",
        arguments: [
            ("main", nil), ("bot-1.eu_2", nil), ("", .empty), ("a b", .space(offset: 1)),
            ("a/b", .character(offset: 1)),
            ("ä", .character(offset: 0)), (String(repeating: "a", count: 65), .tooLong(most: 64)),
        ] as [(String, InputFault?)])
    func labels(text: String, expected: InputFault?) {
        #expect(fault { () throws(ExchangeError) in _ = try KeyLabel(text) } == expected)
    }
}
