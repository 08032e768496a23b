import Secrets
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// Both halves of a pair, as their set-up leaves them, made by a dealer who knows everything: for tests of later
/// protocols.
struct DealtPair {
    /// The first participant's half of the pair with the second.
    let first: ECDSA.Pair
    /// The second participant's half of the pair with the first.
    let second: ECDSA.Pair

    init(between first: ParticipantIndex, and second: ParticipantIndex, random: some RandomSource) {
        let seed = random.publicBytes(count: ECDSA.seedSize)
        let there = DealtTrees(random: random)
        let back = DealtTrees(random: random)
        self.first = ECDSA.Pair(peer: second, seed: secret(seed), coPaths: there.coPaths(), roots: back.roots())
        self.second = ECDSA.Pair(peer: first, seed: secret(seed), coPaths: back.coPaths(), roots: there.roots())
    }
}

/// The trees of both sides of extensions in one direction, grown node by node by the protocol page.
struct DealtTrees {
    let base: [UInt8]
    var correlation: [UInt8]
    /// The nodes by tree, level and number in it, from level 1 on.
    let nodes: [[[[UInt8]]]]
    /// The leaves by tree and number.
    let seeds: [[[UInt8]]]

    init(random: some RandomSource, shape: ECDSA.ExtensionShape = .signing) {
        base = random.publicBytes(count: 32)
        correlation = random.publicBytes(count: shape.columnSize)
        let hash = ECDSA.LoopHash(base)
        nodes = (0..<shape.trees).map { tree in
            var levels = [(0..<2).map { _ in random.publicBytes(count: ECDSA.seedSize) }]
            for level in 2...4 {
                levels.append(
                    levels[level - 2].flatMap { node in
                        (0...1).map { hash.hash([UInt8(tree), UInt8(level), UInt8($0)] + node) }
                    })
            }
            return levels
        }
        seeds = nodes.enumerated().map { tree, levels in levels[3].map { hash.hash([UInt8(tree), 5, 0] + $0) } }
    }

    /// The four bits of Δ for a tree, its first level highest: the leaf that the sender lacks.
    func missing(_ tree: Int) -> Int {
        (0..<ECDSA.treeDepth).reduce(0) { 2 * $0 + bit(correlation, ECDSA.treeDepth * tree + $1) }
    }

    /// Returns the same trees, in which the sender lacks other leaves.
    func withCorrelation(_ correlation: [UInt8]) -> DealtTrees {
        var trees = self
        trees.correlation = correlation
        return trees
    }

    /// Returns the same with these bits of Δ in one tree, the first level highest.
    func withCorrelation(tree: Int, bits: Int) -> DealtTrees {
        var trees = self
        for level in 0..<ECDSA.treeDepth {
            let place = tree * ECDSA.treeDepth + level
            trees.correlation[place / 8] &= ~(1 << (place % 8))
            trees.correlation[place / 8] |= UInt8(bits >> (ECDSA.treeDepth - 1 - level) & 1) << (place % 8)
        }
        return trees
    }

    func coPaths() -> ECDSA.CoPaths {
        var bytes = correlation
        for (tree, levels) in nodes.enumerated() {
            for (level, nodes) in levels.enumerated() { bytes += nodes[missing(tree) >> (3 - level) ^ 1] }
        }
        return ECDSA.CoPaths(trees, secret(bytes))
    }

    func roots() -> ECDSA.TreeRoots { ECDSA.TreeRoots(trees, secret(nodes.flatMap { $0[0].flatMap { $0 } })) }

    private var trees: ECDSA.GGMTrees { ECDSA.GGMTrees(base: base, count: nodes.count) }
}

extension ECDSA.CoPaths {
    /// The seeds of each tree, in the order of y.
    borrowing func seeds() -> [[[UInt8]]] {
        var seeds: [[[UInt8]]] = []
        forEachTree { _, bytes in seeds.append(Array(bytes).chunks(32)) }
        return seeds
    }
}

extension ECDSA.TreeRoots {
    /// The seeds of each tree, in the order of the leaves.
    borrowing func seeds() -> [[[UInt8]]] {
        var seeds: [[[UInt8]]] = []
        forEachTree { _, bytes in seeds.append(Array(bytes).chunks(32)) }
        return seeds
    }
}

extension ECDSA.Pair {
    func encoded() -> SecretBytes { SecretBytes(count: Self.encodedSize) { encode(into: $0) } }
}

/// Returns bit b of a byte string, in the protocol's order.
func bit(_ bytes: [UInt8], _ position: Int) -> Int { Int(bytes[position / 8] >> (position % 8) & 1) }
