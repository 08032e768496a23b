import ExchangeTestSupport
import SecretStoreTestSupport
import Secrets
import TestSupport
import Testing
import Time

@testable import ExchangeCredentials

/// The decoders of stored items, and the readers of keys, on changed inputs.
@Suite("Fuzzing") struct FuzzTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    @Test("an accepted store item is written with the same bytes")
    func items() throws {
        var use = CredentialUse(fingerprint: String(repeating: "ab", count: 16))
        use.lastUsed = now
        use.rights = [.read, .unknown("enableX"), .withdraw]
        Fuzz.roundTrips(
            of: [use.encoded], iterations: 10_000, decode: { try CredentialUse(decoding: $0) }, encode: { $0.encoded })
        let tombstone = Tombstone(venue: .kraken, label: try KeyLabel("main"), fingerprint: "f", revoked: now)
        Fuzz.roundTrips(
            of: [tombstone.encoded], iterations: 5_000,
            decode: { try Tombstone(decoding: $0, venue: .kraken, fingerprint: "f") }, encode: { $0.encoded })
        let credential = try ExchangeCredential(
            key: APIKey(DocumentedKeys.krakenKey, of: .kraken),
            secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken),
            passphrase: secret("pass"), created: now)
        Fuzz.roundTrips(
            of: [credential.encoded.withUnsafeBytes { Array($0) }], iterations: 5_000,
            decode: { bytes in
                try ExchangeCredential(decoding: SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) })
            }, encode: { $0.encoded.withUnsafeBytes { Array($0) } })
    }

    @Test("an accepted key is printed unchanged, and a secret is accepted or refused")
    func inputs() {
        Fuzz.texts(of: [DocumentedKeys.binanceKey]) { try APIKey($0, of: .binance).text }
        Fuzz.texts(of: [DocumentedKeys.krakenKey]) { try APIKey($0, of: .kraken).text }
        Fuzz.mutations(
            of: [Array(DocumentedKeys.binancePEM.utf8), Array(DocumentedKeys.krakenSecret.utf8)], iterations: 4_000
        ) { bytes in
            for venue in Venue.allCases {
                let text = SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
                do { _ = try SigningSecret(reading: text, of: venue) } catch {}
            }
        }
    }
}
