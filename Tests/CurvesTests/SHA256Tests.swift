import CSodium
import Secrets
import TestSupport
import Testing

@testable import Curves

@Suite("SHA-256")
struct SHA256Tests {
    /// Computes the hash with libsodium.
    private func expected(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: SHA256.size)
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }

    @Test("all sizes up to four blocks, whole and in two parts, match libsodium")
    func sizes() {
        let bytes = SeededRandom(seed: 1).publicBytes(count: 256)
        for size in 0...bytes.count {
            let message = Array(bytes.prefix(size))
            #expect(SHA256.hash(message) == expected(message))
            for first in stride(from: 0, through: size, by: 7) {
                var hasher = SHA256()
                hasher.update(message[..<first])
                hasher.update(message[first...])
                #expect(hasher.finalize() == expected(message))
            }
        }
    }

    @Test("many hashes at a time equal the same hashes one by one, for each size and for odd numbers of them")
    func each() {
        let random = SeededRandom(seed: 2)
        for whole in [0, 64, 128] {
            var hasher = SHA256()
            let taken = random.publicBytes(count: whole)
            hasher.update(taken)
            for size in 0...SHA256.mostOfLastBlock {
                let count = 1 + size % 5
                var blocks = random.publicBytes(count: count * SHA256.blockSize)
                let inputs = (0..<count).map { Array(blocks[($0 * 64)..<($0 * 64 + size)]) }
                var hashes = [UInt8](repeating: 0, count: count * SHA256.size)
                blocks.withUnsafeMutableBytes { blocks in
                    hashes.withUnsafeMutableBytes { hashes in
                        guard let start = hashes.baseAddress else { return }
                        hasher.finalize(each: blocks, size: size, into: start)
                    }
                }
                #expect(hashes == inputs.flatMap { expected(taken + $0) })
            }
        }
    }

    @Test("the portable compression matches the processor's instructions")
    func portable() {
        let random = SeededRandom(seed: 3)
        for count in 1...5 {
            let blocks = random.publicBytes(count: count * SHA256.blockSize)
            var portable = SHA256Compression.start
            var native = SHA256Compression.start
            var portableHashes = [UInt8](repeating: 0, count: count * SHA256.size)
            var nativeHashes = portableHashes
            blocks.withUnsafeBytes { blocks in
                SHA256Compression.compressPortably(&portable, blocks)
                SHA256Compression.compress(&native, blocks)
                portableHashes.withUnsafeMutableBytes { hashes in
                    guard let start = hashes.baseAddress else { return }
                    SHA256Compression.compressPortably(each: blocks, from: portable, into: start)
                }
                nativeHashes.withUnsafeMutableBytes { hashes in
                    guard let start = hashes.baseAddress else { return }
                    SHA256Compression.compress(each: blocks, from: native, into: start)
                }
            }
            #expect(portable == native)
            #expect(portableHashes == nativeHashes)
        }
    }
}
