internal import CSHA256
internal import CSodium

/// The compression function of SHA-256 (FIPS 180-4, 6.2.2).
enum SHA256Compression {
    /// The initial state H⁽⁰⁾ (5.3.3).
    static let start = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    /// Whether the processor has instructions for it: SHA-NI, or SHA2 of ARMv8.
    static let hasInstructions = csha256_is_available()

    /// Compresses blocks of 64 bytes into a state.
    static func compress(_ state: inout SIMD8<UInt32>, _ blocks: UnsafeRawBufferPointer) {
        guard hasInstructions else {
            compressPortably(&state, blocks)
            return
        }
        withUnsafeMutableBytes(of: &state) { state in
            csha256_compress(
                state.assumingMemoryBound(to: UInt32.self).baseAddress,
                blocks.assumingMemoryBound(to: UInt8.self).baseAddress,
                blocks.count / SHA256.blockSize)
        }
    }

    /// Compresses each block of 64 bytes into a copy of the state, and writes the resulting 32 bytes.
    static func compress(
        each blocks: UnsafeRawBufferPointer, from state: SIMD8<UInt32>, into hashes: UnsafeMutableRawPointer
    ) {
        guard hasInstructions else {
            compressPortably(each: blocks, from: state, into: hashes)
            return
        }
        withUnsafeBytes(of: state) { state in
            csha256_compress_each(
                state.assumingMemoryBound(to: UInt32.self).baseAddress,
                blocks.assumingMemoryBound(to: UInt8.self).baseAddress,
                blocks.count / SHA256.blockSize, hashes.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Does the same as ``compress(_:_:)`` on any processor: libsodium's hash, given a state, takes whole blocks at
    /// once.
    static func compressPortably(_ state: inout SIMD8<UInt32>, _ blocks: UnsafeRawBufferPointer) {
        var hasher = crypto_hash_sha256_state()
        withUnsafeMutableBytes(of: &hasher.state) { words in
            withUnsafeBytes(of: state) { words.copyMemory(from: $0) }
        }
        crypto_hash_sha256_update(
            &hasher, blocks.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(blocks.count))
        withUnsafeBytes(of: &hasher.state) { words in
            withUnsafeMutableBytes(of: &state) { $0.copyMemory(from: words) }
        }
        sodium_memzero(&hasher, MemoryLayout<crypto_hash_sha256_state>.size)
    }

    /// Does the same as ``compress(each:from:into:)`` on any processor.
    static func compressPortably(
        each blocks: UnsafeRawBufferPointer, from state: SIMD8<UInt32>, into hashes: UnsafeMutableRawPointer
    ) {
        for number in 0..<(blocks.count / SHA256.blockSize) {
            var result = state
            let start = number * SHA256.blockSize
            compressPortably(&result, UnsafeRawBufferPointer(rebasing: blocks[start..<(start + SHA256.blockSize)]))
            for word in 0..<8 {
                hashes.storeBytes(
                    of: result[word].bigEndian, toByteOffset: SHA256.size * number + 4 * word, as: UInt32.self)
            }
        }
    }
}
