internal import Curves
internal import Secrets

/// Random bytes that are others in each session, and for each signature in it, even where the source repeats itself: a machine
/// that was set back to a snapshot, or a broken one. What is signed, and the share, are bound in where they are used.
struct SessionRandom: RandomSource {
    let source: any RandomSource
    let session: SessionID
    /// Of the signature.
    let number: Int

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while offset < buffer.count {
            var hasher = BIP340.taggedHasher("Fueki/session randomness")
            hasher.update(session.bytes)
            hasher.update(ECDSARequest.encode(number))
            hasher.update(SecretBytes(count: SHA256.size, from: source))
            let size = min(SHA256.size, buffer.count - offset)
            hasher.finalizeSecret().withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<(offset + size)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<size]))
            }
            offset += size
        }
    }
}
