internal import CSodium

/// A source of random bytes. It is passed to code that needs randomness; nothing in this package takes randomness from
/// elsewhere.
public protocol RandomSource: Sendable {
    /// Overwrites the whole buffer with random bytes.
    func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

extension RandomSource {
    /// Returns `count` random bytes that are not secret: a salt, an identifier, a challenge.
    public func publicBytes(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { fill($0) }
        return bytes
    }
}

/// The operating system's generator (`getrandom`, through libsodium).
public struct SystemRandom: RandomSource {
    public init() {}

    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        Sodium.start()
        guard let base = buffer.baseAddress else { return }
        randombytes_buf(base, buffer.count)
    }
}
