import Curves
import Encoding
import Secrets
import TestSupport
import Testing

@testable import HDKeys

@Suite("Fuzzed keys")
struct FuzzTests {
    @Test("mutated text of a path or an extended public key is refused, or printed unchanged")
    func texts() throws {
        Fuzz.texts(of: ["m", "m/86'/0'/0'/1/2147483647", "m/0/5"]) {
            try DerivationPath($0.replacing("h", with: "'")).description.count == $0.count ? $0 : ""
        }
        let text = ExtendedPublicKey(group: .generator).text(on: .mainnet)
        Fuzz.texts(of: [text], iterations: 2_000) { try ExtendedPublicKey($0, on: .mainnet).text(on: .mainnet) }
        // With a checksum that is right, so that the key is reached.
        let payload = try Base58Check.decode(text)
        Fuzz.roundTrips(of: [payload], iterations: 4_000, decode: { try ExtendedPublicKey.parse($0) }) { key in
            try Base58Check.decode(
                key.key.text(on: key.version == Network.mainnet.extendedKeyVersion ? .mainnet : .signet))
        }
    }

    @Test("a mutated extended private key is refused, or printed unchanged")
    func privateKeys() throws {
        let key = try ExtendedPrivateKey(seed: guarded([UInt8](repeating: 9, count: 32))).derive(
            DerivationPath("m/1'/2"))
        let danger = ExtendedPrivateKey.Danger.whoeverReadsItHasEveryKeyBelow
        let text = key.exportedText(on: .mainnet, danger: danger).exposed
        Fuzz.roundTrips(
            of: [text], iterations: 1_000, decode: { try ExtendedPrivateKey(text: guarded($0), on: .mainnet) }
        ) {
            $0.exportedText(on: .mainnet, danger: danger).exposed
        }
        // With a checksum that is right, so that the key is reached.
        let payload = try Base58Check.decode(String(decoding: text, as: UTF8.self))
        let part = Fuzz.roundTrips(
            of: [payload], iterations: 1_000,
            decode: { try ExtendedPrivateKey(text: guarded(Base58Check.encode($0.prefix(128))), on: .mainnet) }
        ) { try Base58Check.decode($0.exportedText(on: .mainnet, danger: danger).exposedText) }
        #expect(part > 0.1)
    }
}
