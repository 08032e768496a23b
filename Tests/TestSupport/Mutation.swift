/// Makes mutated inputs from valid ones.
struct Mutation {
    private let seeds: [[UInt8]]
    private let random: SeededRandom

    init(of seeds: [[UInt8]], random: SeededRandom) {
        self.seeds = seeds
        self.random = random
    }

    /// Returns one seed, changed in one to four places.
    func next() -> [UInt8] {
        var bytes = anySeed
        for _ in 0...random.below(4) { change(&bytes) }
        return bytes
    }

    private var anySeed: [UInt8] { seeds[random.below(seeds.count)] }
    private var anyByte: UInt8 { UInt8(random.below(256)) }

    private func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes = (0..<random.below(9)).map { _ in anyByte } }
        let position = random.below(bytes.count)
        let end = position + 1 + random.below(min(16, bytes.count - position))
        switch random.below(12) {
        case 0, 1: bytes[position] ^= 1 << random.below(8)
        case 2: bytes[position] = anyByte
        // Another byte of the input: the likeliest to be in the alphabet, a type or a length.
        case 3: bytes[position] = bytes[random.below(bytes.count)]
        case 4: bytes[position] = bytes[position] &+ (random.below(2) == 0 ? 1 : 255)
        case 5: bytes.removeLast(bytes.count - position)
        case 6: bytes.append(contentsOf: (0...random.below(8)).map { _ in anyByte })
        case 7: bytes.removeSubrange(position..<end)
        case 8: bytes.insert(contentsOf: bytes[position..<end], at: random.below(bytes.count + 1))
        case 9: splice(&bytes, at: position)
        case 10: overwrite(&bytes, at: position, with: integer)
        default: overwrite(&bytes, at: position, with: (position..<end).map { _ in anyByte })
        }
    }

    /// The beginning of this one, and the end of another.
    private func splice(_ bytes: inout [UInt8], at position: Int) {
        let other = anySeed
        bytes.replaceSubrange(position..., with: other.suffix(random.below(other.count + 1)))
    }

    private func overwrite(_ bytes: inout [UInt8], at position: Int, with block: [UInt8]) {
        for (offset, byte) in block.enumerated() where position + offset < bytes.count {
            bytes[position + offset] = byte
        }
    }

    /// An integer that often breaks programs, in 1, 2, 4 or 8 bytes of either order.
    private var integer: [UInt8] {
        let width = 1 << random.below(4)
        let top = UInt64.max >> UInt64(64 - 8 * width)
        let values: [UInt64] = [
            0, 1, 0x17, 0x18, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x1_0000, top >> 1, top / 2 + 1, top - 1, top,
        ]
        let value = values[random.below(values.count)] & top
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
        return random.below(2) == 0 ? bytes : bytes.reversed()
    }
}
