internal import Foundation
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// Bytes that are almost right. Nothing may trap; what is accepted encodes to the same bytes again.
@Suite("Fuzzing")
struct FuzzTests {
    private static let seed = UInt64(ProcessInfo.processInfo.environment["FUEKI_FUZZ_SEED"] ?? "") ?? 2026
    private static let iterations = 20_000

    private static func golden(_ file: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try bytes(of: folder.appendingPathComponent("Golden/\(file)").path)
    }

    /// One to four changes: a byte set, a bit flipped, bytes removed, repeated or inserted.
    private static func mutated(_ seed: [UInt8], by random: SeededRandom) -> [UInt8] {
        var bytes = seed
        for _ in 0...random.below(4) {
            guard !bytes.isEmpty else { return [UInt8(random.below(256))] }
            let position = random.below(bytes.count)
            let end = min(bytes.count, position + 1 + random.below(16))
            switch random.below(6) {
            case 0: bytes[position] = UInt8(random.below(256))
            case 1: bytes[position] ^= 1 << random.below(8)
            case 2: bytes[position] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)]
            case 3: bytes.removeSubrange(position..<end)
            case 4: bytes.insert(contentsOf: bytes[position..<end], at: position)
            default: bytes.insert(UInt8(random.below(256)), at: position)
            }
        }
        return bytes
    }

    @Test("vault files, with the size and the checksum made right so that the rest is reached")
    func image() throws {
        let seeds = try ["one-item.vault", "three-items.vault", "legacy.vault", "empty.vault"].map(Self.golden)
        let random = SeededRandom(seed: Self.seed)
        var accepted = 0
        for number in 0..<Self.iterations {
            var bytes = Self.mutated(seeds[random.below(seeds.count)], by: random)
            if number % 4 != 0, bytes.count >= 46 {
                bytes.replaceSubrange(10..<14, with: withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { [UInt8]($0) })
                bytes.replaceSubrange((bytes.count - 32)..., with: Sealing.digest(of: bytes.dropLast(32)))
            }
            guard let image = try? VaultImage(decoding: bytes) else { continue }
            accepted += 1
            #expect(image.encoded == bytes, "seed \(Self.seed)")
        }
        #expect(accepted > 0, "the mutations are too coarse to get past the checks")
    }

    @Test("indexes")
    func index() throws {
        let vault = try Vault(opening: try Self.golden("three-items.vault"), passphrase: secret("first passphrase"))
        let seed = VaultIndex(of: vault.state.items.values.sorted { $0.name < $1.name }).encoded
        let random = SeededRandom(seed: Self.seed)
        var accepted = 0
        for _ in 0..<Self.iterations {
            let bytes = Self.mutated(seed, by: random)
            guard let index = try? VaultIndex(decoding: bytes, upTo: 4) else { continue }
            accepted += 1
            #expect(index.encoded == bytes, "seed \(Self.seed)")
        }
        #expect(accepted > 0)
    }

    @Test("token lists and generation files")
    func small() throws {
        let tokens = try TokenList().appending(secret("one")).appending(secret("a longer token"))
        let list = tokens.encoded.withUnsafeBytes { [UInt8]($0) }
        let vault = VaultID(unchecked: [UInt8](0..<16))
        let generation = GenerationFolder.encode(7, of: vault)
        let random = SeededRandom(seed: Self.seed)
        for _ in 0..<Self.iterations {
            var bytes = Self.mutated(list, by: random)
            if let tokens = try? TokenList(decoding: SecretBytes(moving: &bytes)) {
                for position in 0..<tokens.count { #expect(tokens.token(at: position)?.count ?? 0 > 0) }
            }
            _ = try? GenerationFolder.decode(Self.mutated(generation, by: random), of: vault)
        }
    }
}
