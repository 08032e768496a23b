internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// Mutated bytes. No decoder may trap; accepted bytes encode to themselves.
@Suite("Fuzzing")
struct FuzzTests {
    private static func golden(_ file: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try bytes(of: folder.appendingPathComponent("Golden/\(file)").path)
    }

    @Test("vault files, with size and checksum corrected so that the rest is reached")
    func image() throws {
        let seeds = try [
            "one-item.vault", "three-items.vault", "legacy.vault", "empty.vault", "normalised-device.vault",
        ].map(Self.golden)
        var tried = 0
        var accepted = 0
        Fuzz.mutations(of: seeds) { input in
            tried += 1
            var bytes = input
            if tried % 4 != 0, bytes.count >= 46 {
                bytes.replaceSubrange(10..<14, with: withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { [UInt8]($0) })
                bytes.replaceSubrange((bytes.count - 32)..., with: Sealing.digest(of: bytes.dropLast(32)))
            }
            guard let image = try? VaultImage(decoding: bytes) else { return }
            // The seeds come first, and are accepted as they are.
            if tried > seeds.count { accepted += 1 }
            #expect(image.encoded == bytes)
        }
        #expect(accepted > 0 || tried == seeds.count, "the mutations are too coarse to get past the checks")
    }

    @Test("indexes")
    func index() throws {
        let vault = try Vault(opening: try Self.golden("three-items.vault"), passphrase: secret("first passphrase"))
        let seed = VaultIndex(of: vault.state.items.values.sorted { $0.name < $1.name }).encoded
        let accepted = Fuzz.roundTrips(
            of: [seed], decode: { try VaultIndex(decoding: $0, upTo: 4) }, encode: { $0.encoded })
        #expect(accepted > 0)
    }

    @Test("token lists and generation files")
    func small() throws {
        let tokens = try TokenList().appending(secret("one")).appending(secret("a longer token"))
        let list = tokens.encoded.withUnsafeBytes { [UInt8]($0) }
        Fuzz.mutations(of: [list]) { input in
            var bytes = input
            guard let tokens = try? TokenList(decoding: SecretBytes(moving: &bytes)) else { return }
            for position in 0..<tokens.count { #expect(tokens.token(at: position)?.count ?? 0 > 0) }
        }
        let vault = VaultID(unchecked: [UInt8](0..<16))
        Fuzz.mutations(of: [GenerationFolder.encode(7, of: vault)]) { bytes in
            _ = try? GenerationFolder.decode(bytes, of: vault)
        }
    }
}
