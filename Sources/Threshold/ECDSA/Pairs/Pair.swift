internal import Encoding
internal import Secrets

extension ECDSA {
    /// What a participant keeps of one peer, from their set-up on: with it the two multiply secrets. Stored sealed, as the share is.
    ///
    /// A class, so that a dictionary can hold it; what is in it never changes.
    final class Pair: Sendable {
        static let encodedSize = 1 + seedSize + SenderSeeds.size + ReceiverSeeds.size

        let peer: ParticipantIndex
        /// 32 bytes that these two know and nobody else.
        let seed: SecretBytes
        /// For extensions in which this participant is the sender.
        let sender: SenderSeeds
        /// For extensions in which this participant is the receiver.
        let receiver: ReceiverSeeds

        init(
            peer: ParticipantIndex, seed: consuming SecretBytes, sender: consuming SenderSeeds,
            receiver: consuming ReceiverSeeds
        ) {
            precondition(seed.count == seedSize, "the seed of a pair has \(seedSize) bytes")
            self.peer = peer
            self.seed = seed
            self.sender = sender
            self.receiver = receiver
        }

        /// The peer's index, the seed, the sender's part and the receiver's.
        func encoded() -> SecretBytes {
            SecretBytes(count: Self.encodedSize) { memory in encode(into: memory) }
        }

        /// - Parameter memory: ``encodedSize`` bytes.
        func encode(into memory: UnsafeMutableRawBufferPointer) {
            precondition(memory.count == Self.encodedSize, "an encoded pair has \(Self.encodedSize) bytes")
            memory[0] = UInt8(peer.value)
            var offset = 1
            func append(_ bytes: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
                offset += bytes.count
            }
            seed.withUnsafeBytes { append($0) }
            sender.bytes.withUnsafeBytes { append($0) }
            receiver.bytes.withUnsafeBytes { append($0) }
        }

        /// - Throws: ``ThresholdError/malformed(_:)`` if the size is another, ``ThresholdError/invalidParameters`` if the peer's
        ///   index is none.
        convenience init(decoding bytes: borrowing SecretBytes) throws(ThresholdError) {
            try self.init(decoding: bytes, at: 0, count: bytes.count)
        }

        /// Reads a pair that is part of something longer.
        convenience init(
            decoding bytes: borrowing SecretBytes, at offset: Int, count: Int = encodedSize
        ) throws(ThresholdError) {
            guard count >= Self.encodedSize, bytes.count - offset >= Self.encodedSize else {
                throw .malformed(.truncated)
            }
            guard count == Self.encodedSize else { throw .malformed(.leftOver(count: count - Self.encodedSize)) }
            let peer = try ParticipantIndex(bytes.withUnsafeBytes { Int($0[offset]) })
            let seedOffset = offset + 1
            let senderOffset = seedOffset + seedSize
            let receiverOffset = senderOffset + SenderSeeds.size
            self.init(
                peer: peer, seed: bytes.part(seedOffset, seedSize),
                sender: SenderSeeds(bytes.part(senderOffset, SenderSeeds.size)),
                receiver: ReceiverSeeds(bytes.part(receiverOffset, ReceiverSeeds.size)))
        }
    }
}
