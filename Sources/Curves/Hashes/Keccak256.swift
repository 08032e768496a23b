internal import Secrets

/// Keccak-256, the hash function of Ethereum: Keccak[512] as it was submitted, with 0x01 as padding.
///
/// SHA3-256 (FIPS 202), which was standardised from it, pads with 0x06, so its hashes differ.
public struct Keccak256: HashFunction {
    public static let size = 32

    /// The bytes that are absorbed between two permutations.
    private static let rate = 136

    private var state = KeccakState()
    /// The input that does not fill a block yet: the first `count` bytes of the block.
    private var block: Block = Block()
    private var count = 0

    public init() {}

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        if count > 0 {
            let part = rest.prefix(Self.rate - count)
            block.write(part, at: count)
            count += part.count
            rest = rest.dropFirst(part.count)
            guard count == Self.rate else { return }
            block.withUnsafeBytes { state.absorb($0) }
            count = 0
        }
        while rest.count >= Self.rate {
            state.absorb(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.rate)))
            rest = rest.dropFirst(Self.rate)
        }
        block.write(rest, at: 0)
        count = rest.count
    }

    public mutating func finalize(into hash: UnsafeMutablePointer<UInt8>) {
        // A one after the input and a one at the end of the block, which may be bits of the same byte.
        block.pad(from: count)
        block.withUnsafeBytes { state.absorb($0) }
        let out = UnsafeMutableRawBufferPointer(start: hash, count: Self.size)
        for (index, lane) in [state.a00, state.a10, state.a20, state.a30].enumerated() {
            out.storeBytes(of: lane.littleEndian, toByteOffset: 8 * index, as: UInt64.self)
        }
        withUnsafeMutableBytes(of: &self) { wipe($0) }
        self = Keccak256()
    }

    /// A block: 17 words, the size of the rate.
    private struct Block {
        private var words:
            (
                UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
                UInt64, UInt64, UInt64, UInt64
            ) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

        mutating func write(_ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int) {
            Swift.withUnsafeMutableBytes(of: &words) {
                UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyBytes(from: bytes)
            }
        }

        mutating func pad(from offset: Int) {
            Swift.withUnsafeMutableBytes(of: &words) {
                for index in offset..<rate { $0[index] = 0 }
                $0[offset] = 0x01
                $0[rate - 1] |= 0x80
            }
        }

        func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
            Swift.withUnsafeBytes(of: words, body)
        }
    }
}
