internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import AppleStores

@Suite("The formats in the keychain")
struct KeychainFormatTests {
    private let header = KeychainHeader(
        attributes: .critical(.seed), policy: .custom([.biometryAny, .devicePasscode, .or]), revision: 258,
        installation: InstallationID(from: SeededRandom(seed: 1)))

    @Test("the header has the bytes of version 1")
    func golden() throws {
        let bytes = header.encoded
        #expect(bytes.count == KeychainHeader.size)
        #expect(bytes.prefix(5).elementsEqual(Array("FKCH".utf8) + [1]))
        #expect(bytes[5..<26].elementsEqual([1, 2, 1, 4, 5, 0, 0, 0, 0, 0, 0, 0x40, 0x12, 0, 0, 0, 0, 0, 0, 1, 2]))
        #expect(try KeychainHeader(decoding: bytes) == header)
    }

    @Test("every policy round-trips, and a header that is cut, longer, or has other values is refused")
    func headers() throws {
        for policy in KeychainSuiteTests.policies {
            let other = KeychainHeader(
                attributes: .sensitive(.other), policy: policy, revision: 1, installation: header.installation)
            #expect(try KeychainHeader(decoding: other.encoded) == other)
        }
        let malformed = SecureStorageError.backend(.keychain, .malformedAnswer)
        for length in 0..<KeychainHeader.size {
            #expect(throws: malformed) { try KeychainHeader(decoding: header.encoded.prefix(length)) }
        }
        #expect(throws: malformed) { try KeychainHeader(decoding: header.encoded + [0]) }
        for (offset, value) in [(0, 0), (5, 2), (6, 99), (9, 6), (9, 1), (17, 0), (18, 0x80)] as [(Int, UInt8)] {
            var bytes = header.encoded
            bytes[offset] = value
            // Flags without a condition.
            if offset == 17 { bytes[16] = 0x40 }
            #expect(throws: malformed, "offset \(offset)") { try KeychainHeader(decoding: bytes) }
        }
    }

    @Test("an envelope round-trips, and each changed bit is noticed")
    func envelopes() throws {
        let name = try name("a")
        let envelope = try KeychainEnvelope.seal(secret("payload"), as: name, header: header)
        #expect(text(try KeychainEnvelope.open(envelope, as: name, header: header)) == "payload")
        let bytes = envelope.withUnsafeBytes { [UInt8]($0) }
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let altered = SecretBytes(moving: &changed)
            #expect(throws: SecureStorageError.self) {
                _ = text(try KeychainEnvelope.open(altered, as: name, header: header))
            }
        }
        for length in 0..<bytes.count {
            let cut = envelope.prefix(length)
            #expect(throws: SecureStorageError.self) {
                _ = text(try KeychainEnvelope.open(cut, as: name, header: header))
            }
        }
    }

    @Test("an account is read only as it is written")
    func places() throws {
        let place = KeychainPlace(try name("a"), slot: 0xab, role: .witness)
        #expect(place.account == "a 00000000000000ab witness")
        #expect(KeychainPlace(service: "test", decoding: place.account) == place)
        for text in [
            "a", "a ", " 00000000000000ab", "a 00000000000000AB", "a 0000000000000ab", "a 00000000000000ab ",
            "a 00000000000000ab other", "a +0000000000000ab", "a  00000000000000ab", "ä 00000000000000ab",
            "\u{212A} 00000000000000ab",
        ] {
            #expect(KeychainPlace(service: "test", decoding: text) == nil, "\(text)")
        }
    }

    @Test("mutated headers, envelopes and installations are refused or round-trip")
    func fuzz() throws {
        let accepted = Fuzz.roundTrips(
            of: [header.encoded], decode: { try KeychainHeader(decoding: $0) }, encode: { $0.encoded })
        #expect(accepted > 0)
        let installation = try Installation(header.installation).adopting(InstallationID(from: SeededRandom(seed: 2)))
        Fuzz.roundTrips(
            of: [installation.encoded], decode: { try Installation(decoding: $0) }, encode: { $0.encoded })
        let name = try name("a")
        let envelope = try KeychainEnvelope.seal(secret("payload"), as: name, header: header)
        let seed = envelope.withUnsafeBytes { [UInt8]($0) }
        Fuzz.mutations(of: [seed]) { input in
            var bytes = input
            let opened = try? KeychainEnvelope.open(SecretBytes(moving: &bytes), as: name, header: header)
            if text(opened) != nil { #expect(input == seed) }
        }
    }
}
