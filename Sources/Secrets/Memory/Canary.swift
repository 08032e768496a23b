/// 16 constant bytes on both sides of a secret: a write past a secret is detected when the secret is freed.
enum Canary {
    static let size = 16

    /// Writes the canary of this place.
    @inline(__always)
    static func write(at place: UnsafeMutableRawPointer) {
        let (first, second) = words(at: place)
        place.storeBytes(of: first, as: UInt64.self)
        place.storeBytes(of: second, toByteOffset: 8, as: UInt64.self)
    }

    /// Ends the process if the canary of this place was changed.
    @inline(__always)
    static func check(at place: UnsafeMutableRawPointer) {
        let (first, second) = words(at: place)
        let isWhole =
            (place.loadUnaligned(as: UInt64.self) ^ first)
            | (place.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ second) == 0
        precondition(isWhole, "something wrote past a secret")
    }

    /// The canary differs at each place, so that a copy that runs into the next canary does not write the right one.
    @inline(__always)
    private static func words(at place: UnsafeMutableRawPointer) -> (UInt64, UInt64) {
        let address = UInt64(UInt(bitPattern: place))
        return (key.0 ^ address, key.1 ^ address)
    }

    /// The random key, drawn once in each process.
    private static let key: (UInt64, UInt64) = {
        let bytes = SystemRandom().publicBytes(count: size)
        return bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }()
}
