import Encoding
import ExchangeTestSupport
import Foundation
import SecretStoreTestSupport
import Secrets
import TestSupport
import Testing
import Time

@testable import ExchangeCredentials

/// Returns the fault that a call reports.
private func fault(_ body: () throws(CredentialError) -> Void) -> InputFault? {
    do throws(CredentialError) { try body() } catch .invalid(_, let fault) { return fault } catch { return nil }
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
        #expect(fault { () throws(CredentialError) in _ = try APIKey(text, of: .binance) } == expected)
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
        #expect(fault { () throws(CredentialError) in _ = try APIKey(text, of: .kraken) } == expected)
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
            fault { () throws(CredentialError) in _ = try SigningSecret(reading: secret(text), of: venue) } == expected)
    }

    @Test("a credential with another exchange's secret, or a passphrase that cannot be sent, is refused")
    func credential() throws {
        let key = try APIKey(DocumentedKeys.binanceKey, of: .binance)
        let now = Timestamp(milliseconds: 0)
        #expect(
            fault { () throws(CredentialError) in
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
                fault { () throws(CredentialError) in
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

    @Test(
        "a label is a plain word",
        arguments: [
            ("main", nil), ("bot-1.eu_2", nil), ("", .empty), ("a b", .space(offset: 1)),
            ("a/b", .character(offset: 1)),
            ("ä", .character(offset: 0)), (String(repeating: "a", count: 65), .tooLong(most: 64)),
        ] as [(String, InputFault?)])
    func labels(text: String, expected: InputFault?) {
        #expect(fault { () throws(CredentialError) in _ = try KeyLabel(text) } == expected)
    }
}

@Suite("Keys from files") struct KeyReadingTests {
    @Test("a key in a file is read without the line break at its end")
    func lines() throws {
        for end in ["", "\n", "\r\n", "\n\n"] {
            let key = try APIKey(reading: secret(DocumentedKeys.krakenKey + end), of: .kraken)
            #expect(try key == APIKey(DocumentedKeys.krakenKey, of: .kraken))
        }
    }

    @Test("a file with more than a key is refused")
    func others() {
        let key = DocumentedKeys.krakenKey
        for (text, fault) in [
            ("\(key)\n\(key)", InputFault.space(offset: 56)), ("", .empty), ("\n", .empty),
            ("\(key) ", .space(offset: 56)), (" \(key)", .space(offset: 0)),
            (String(repeating: "a", count: 300), .tooLong(most: 256)),
            (DocumentedKeys.krakenSecret, .secretInPlaceOfKey),
        ] {
            #expect(throws: CredentialError.invalid(.key, fault), "\(text.count)") {
                _ = try APIKey(reading: secret(text), of: .kraken)
            }
        }
    }

    @Test("a label of a rotation is recognised, and no other one")
    func labels() throws {
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        #expect(KeyLabel(ofNext: key).isOfInterruptedRotation)
        #expect(try KeyLabel(KeyLabel(ofNext: key).text) == KeyLabel(ofNext: key))
        for text in ["next", "next.", "next.abc", "main", "next.\(String(repeating: "G", count: 32))"] {
            #expect(try !KeyLabel(text).isOfInterruptedRotation)
        }
    }
}
