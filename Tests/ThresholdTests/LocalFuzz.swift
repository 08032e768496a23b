import TestSupport

/// Until `TestSupport` has its own, which has the same shape.
enum Fuzz {
    static func mutations(of seeds: [[UInt8]], iterations: Int, _ body: ([UInt8]) -> Void) {
        let random = SeededRandom(seed: 0xF0)
        for _ in 0..<iterations {
            var bytes = seeds[random.below(seeds.count)]
            for _ in 0...random.below(3) {
                switch random.below(6) {
                case 0: bytes.removeLast(min(bytes.count, random.below(8)))
                case 1: bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count + 1))
                case 2 where !bytes.isEmpty: bytes.remove(at: random.below(bytes.count))
                default: if !bytes.isEmpty { bytes[random.below(bytes.count)] ^= 1 << random.below(8) }
                }
            }
            body(bytes)
        }
    }
}
