import Secrets

@testable import Threshold

/// Both halves of a pair, as their set-up leaves them, made by one who knows all: for tests of what is built on pairs.
struct DealtPair {
    /// What the first participant keeps of the second.
    let first: ECDSA.Pair
    /// What the second keeps of the first.
    let second: ECDSA.Pair

    init(between first: ParticipantIndex, and second: ParticipantIndex, random: some RandomSource) {
        let seed = random.publicBytes(count: ECDSA.seedSize)
        let there = DealtSeeds(random: random)
        let back = DealtSeeds(random: random)
        self.first = ECDSA.Pair(
            peer: second, seed: secret(seed), sender: there.sender(), receiver: back.receiver())
        self.second = ECDSA.Pair(peer: first, seed: secret(seed), sender: back.sender(), receiver: there.receiver())
    }
}

/// The seeds of both sides of extensions in one direction.
struct DealtSeeds {
    var correlation: [UInt8]
    /// By tree and leaf.
    let seeds: [[[UInt8]]]

    init(random: some RandomSource) {
        correlation = random.publicBytes(count: ECDSA.columnSize)
        seeds = (0..<ECDSA.trees).map { _ in
            (0..<ECDSA.leaves).map { _ in random.publicBytes(count: ECDSA.seedSize) }
        }
    }

    /// The four bits of Δ that belong to a tree, its first level highest: the leaf that the sender lacks.
    func missing(_ tree: Int) -> Int {
        (0..<ECDSA.treeDepth).reduce(0) { 2 * $0 + bit(correlation, ECDSA.treeDepth * tree + $1) }
    }

    /// The same seeds, of which the sender lacks others.
    func withCorrelation(_ correlation: [UInt8]) -> DealtSeeds {
        var seeds = self
        seeds.correlation = correlation
        return seeds
    }

    /// The same with these bits of Δ in one tree, the first level highest.
    func withCorrelation(tree: Int, bits: Int) -> DealtSeeds {
        var seeds = self
        for level in 0..<ECDSA.treeDepth {
            let place = tree * ECDSA.treeDepth + level
            seeds.correlation[place / 8] &= ~(1 << (place % 8))
            seeds.correlation[place / 8] |= UInt8(bits >> (ECDSA.treeDepth - 1 - level) & 1) << (place % 8)
        }
        return seeds
    }

    func sender() -> ECDSA.SenderSeeds {
        var bytes = correlation
        for tree in 0..<ECDSA.trees {
            for y in 1..<ECDSA.leaves { bytes += seeds[tree][y ^ missing(tree)] }
        }
        return ECDSA.SenderSeeds(secret(bytes))
    }

    func receiver() -> ECDSA.ReceiverSeeds { ECDSA.ReceiverSeeds(secret(seeds.flatMap { $0.flatMap { $0 } })) }
}

/// Bit b of a byte string, as the protocol counts.
func bit(_ bytes: [UInt8], _ position: Int) -> Int { Int(bytes[position / 8] >> (position % 8) & 1) }
