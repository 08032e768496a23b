import Crypto
import ExchangeCredentials
import ExchangeTestSupport
import Foundation
import SecretStoreTestSupport
import Testing
import Time

@testable import Exchange

/// The known answers of the exchanges' documentation.
@Suite struct KnownAnswerTests {
    private static let terms =
        "side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559"

    @Test("Binance's HMAC example has the documented signature")
    func binance() throws {
        let signer = try SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance)
        #expect(
            signer.binanceSignature(of: Array("symbol=LTCBTC&\(Self.terms)".utf8))
                == "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71")
    }

    @Test("a symbol outside of ASCII is percent-encoded before it is signed, as in Binance's example")
    func binanceNonASCII() throws {
        let symbol = try TradingSymbol("１２３４５６", on: .binance)
        let payload = Wire.form([("symbol", symbol.text)]) + "&" + Self.terms
        let signer = try SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance)
        #expect(
            signer.binanceSignature(of: Array(payload.utf8))
                == "e1353ec6b14d888f1164ae9af8228a3dbd508bc82eb867db8ab6046442f33ef3")
    }

    @Test("Binance's Ed25519 example has the documented signature")
    func binanceEd25519() throws {
        let signer = try SigningSecret(reading: secret(DocumentedKeys.binancePEM), of: .binance)
        #expect(signer.method == .binanceEd25519)
        let message = "A\u{1}EXAMPLE\u{1}SPOT\u{1}1\u{1}20240627-11:17:25.223"
        #expect(
            signer.binanceSignature(of: Array(message.utf8))
                == "4MHXelVVcpkdwuLbl6n73HQUXUf1dse2PCgT1DYqW9w8AVZ1RACFGM+5UdlGPrQHrgtS3CvsRURC1oj73j8gCA==")
    }

    @Test("Kraken's example has the documented API-Sign")
    func kraken() throws {
        let signer = try SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken)
        let body = "nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25"
        #expect(
            signer.krakenSignature(path: "/0/private/AddOrder", nonce: 1_616_492_376_594, body: Array(body.utf8))
                == "4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==")
    }

    @Test("a form encodes every character outside of the unreserved ones, the signature's too")
    func form() {
        #expect(Wire.form([("a", "b c/+=&%"), ("ü", "~-._")]) == "a=b%20c%2F%2B%3D%26%25&%C3%BC=~-._")
    }

    @Test(
        "a time has the form of RFC 3339",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_617_236_325_007, "2021-04-01T00:18:45Z"),
            (951_782_399_999, "2000-02-28T23:59:59Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
            (4_102_444_800_000, "2100-01-01T00:00:00Z"), (1_709_251_199_000, "2024-02-29T23:59:59Z"),
        ] as [(Int64, String)])
    func times(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }
}
