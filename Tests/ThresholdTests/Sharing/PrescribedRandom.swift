import Secrets

/// A random source that a vector prescribes: the same bytes at each call.
struct PrescribedRandom: RandomSource {
    let bytes: [UInt8]

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count == bytes.count, "\(buffer.count) random bytes were asked for, not \(bytes.count)")
        buffer.copyBytes(from: bytes)
    }
}
