public import Secrets
internal import Synchronization

/// A repeatable random source: the same seed gives the same bytes (SplitMix64). For tests only.
public final class SeededRandom: RandomSource {
    public let seed: UInt64
    private let state: Mutex<UInt64>

    public init(seed: UInt64) {
        self.seed = seed
        state = Mutex(seed)
    }

    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while offset < buffer.count {
            let word = next()
            let count = min(8, buffer.count - offset)
            withUnsafeBytes(of: word.littleEndian) { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<(offset + count)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            offset += count
        }
    }

    /// The next 64 random bits.
    public func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

    /// Returns a number from 0 up to, but not including, `bound`.
    public func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
