import Curves
import Secrets
import Threshold

@testable import ThresholdECDSA

/// The extension as the protocol page describes it: row by row and bit by bit, sharing only the hashes with the code
/// under test. It also plays a cheating receiver.
struct ExtensionModel {
    typealias Row = [UInt8]

    let message: [UInt8]
    private let rows: [Row]
    private let correlation: [UInt8]
    private let padHash: ECDSA.LoopHash

    /// - Parameter flip: in the correction of this tree, this column's choice is flipped.
    init(_ known: KnownExtension, seeds: DealtTrees? = nil, flipping flip: (tree: Int, column: Int)? = nil) {
        let seeds = seeds ?? known.seeds
        let shape = known.shape
        let blocks = shape.transfers / 128
        let base = ECDSA.TaggedHash.hash(
            "ot extension", known.session, [UInt8(known.sender.value)], [UInt8(known.receiver.value)])
        let hash = ECDSA.LoopHash(base)
        var rows: [Row] = []
        var corrections: [UInt8] = []
        for tree in 0..<shape.trees {
            let pieces = seeds.seeds[tree].map { seed in
                Array((0..<3).flatMap { hash.hash(seed + [UInt8($0)]) }.prefix(shape.columns / 8))
            }
            for level in 1...4 {
                let chosen = (0..<16).filter { $0 >> (4 - level) & 1 == 1 }
                rows.append(chosen.map { pieces[$0] }.reduce([UInt8](repeating: 0, count: shape.columns / 8), xor))
            }
            var choice = known.choice
            if let flip, flip.tree == tree { choice[flip.column / 8] ^= 1 << (flip.column % 8) }
            corrections += pieces.reduce(choice, xor)
        }

        let challenge = ECDSA.LoopHash(ECDSA.TaggedHash.hash("ot extension challenge", base, corrections))
        let chi = (0..<blocks).map { FieldElement(challenge.hash([UInt8($0)])) }
        func map(_ row: Row) -> FieldElement {
            (0..<blocks).reduce(FieldElement(Array(row[(16 * blocks)...]))) { sum, block in
                sum + chi[block] * FieldElement(Array(row[(16 * block)...]))
            }
        }
        let mapped = rows.map(map)
        let columns = (0..<128).flatMap { bit in
            (0..<(shape.rows / 8)).map { byte in
                (0..<8).reduce(UInt8(0)) { $0 | UInt8(mapped[8 * byte + $1].bit(bit)) << $1 }
            }
        }
        message = corrections + map(known.choice).bytes + columns
        self.rows = rows
        transfers = shape.transfers
        correlation = seeds.correlation
        padHash = ECDSA.LoopHash(ECDSA.TaggedHash.hash("ot extension pads", base, corrections))
        choice = known.choice
    }

    private let choice: [UInt8]
    private let transfers: Int

    func receiverPads(width: Int) -> [UInt8] { pads(width: width) { _ in 0 } }

    /// Q = V + Δ·choice; the pad of 1 has Δ added again.
    func senderPads(width: Int, bit wanted: Int) -> [UInt8] { pads(width: width) { bit(choice, $0) ^ wanted } }

    private func pads(width: Int, isCorrelated: (Int) -> Int) -> [UInt8] {
        (0..<transfers).flatMap { column in
            var bytes = [UInt8](repeating: 0, count: rows.count / 8)
            for row in rows.indices { bytes[row / 8] |= UInt8(bit(rows[row], column)) << (row % 8) }
            if isCorrelated(column) == 1 { bytes = xor(bytes, correlation) }
            return (0..<width).flatMap { padHash.hash([UInt8(column / 256), UInt8(column % 256), UInt8($0)] + bytes) }
        }
    }
}

/// The sum of two byte strings.
func xor(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }

/// GF(2¹²⁸) with X¹²⁸ = X⁷ + X² + X + 1, the lowest power first.
private struct FieldElement {
    var value: UInt128

    init(_ bytes: [UInt8]) { value = bytes.prefix(16).reversed().reduce(0) { $0 << 8 | UInt128($1) } }
    init(value: UInt128) { self.value = value }

    var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func bit(_ position: Int) -> Int { Int(value >> position & 1) }

    static func + (left: Self, right: Self) -> Self { Self(value: left.value ^ right.value) }

    static func * (left: Self, right: Self) -> Self {
        var product: UInt128 = 0
        for position in (0..<128).reversed() {
            product = product << 1 ^ (product >> 127) &* 0x87
            if right.bit(position) == 1 { product ^= left.value }
        }
        return Self(value: product)
    }
}
