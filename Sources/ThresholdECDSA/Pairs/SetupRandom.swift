internal import Curves
internal import Secrets
internal import Synchronization
internal import Threshold

extension ECDSA.PairSetup {
    /// A participant's source of secrets for one pair: a stream that depends on 32 fresh bytes, its share, the pair's
    /// seed and the message that it answers. So fresh bytes that repeat, or that an attacker guesses, reveal neither Δ
    /// nor what hides it: in another session or pair, or after another message, all secrets differ; and the peer, who
    /// knows the rest, does not know the share.
    final class SetupRandom: RandomSource {
        private let hash: ECDSA.SecretLoopHash
        private let next = Atomic<UInt32>(0)

        /// - Parameters:
        ///   - share: the share of `index`, who draws.
        ///   - seed: the pair's seed, which depends on the session and both participants.
        ///   - answered: the name of the peer's message; nil for the first one.
        init(
            fresh: borrowing SecretBytes, share: borrowing SecretScalar<Secp256k1>, seed: borrowing SecretBytes,
            of index: ParticipantIndex, answering answered: [UInt8]
        ) {
            var hasher = ECDSA.TaggedHash.hasher("set-up randomness")
            hasher.update(part: fresh)
            hasher.update(part: share.encoded())
            hasher.update(part: seed)
            hasher.update(part: [UInt8(index.value)])
            hasher.update(part: answered)
            hash = ECDSA.SecretLoopHash(hasher.finalizeSecret())
        }

        /// Fills the buffer. Each draw begins with a new block.
        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            ECDSA.Extension.withWords(SHA256.size / 8) { words in
                let block = UnsafeMutableRawBufferPointer(start: words, count: SHA256.size)
                for start in stride(from: 0, to: buffer.count, by: SHA256.size) {
                    let number = next.add(1, ordering: .relaxed).oldValue
                    withUnsafeBytes(of: number.bigEndian) { hash.hash($0, to: block.origin) }
                    let count = min(SHA256.size, buffer.count - start)
                    buffer.part(start, count).copyMemory(from: UnsafeRawBufferPointer(block).part(0, count))
                }
            }
        }
    }
}
