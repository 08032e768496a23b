import TestSupport

/// Random numbers of a seed that stays the same.
struct SeededGenerator: RandomNumberGenerator {
    private let random = SeededRandom(seed: 1)

    mutating func next() -> UInt64 { random.next() }
}
