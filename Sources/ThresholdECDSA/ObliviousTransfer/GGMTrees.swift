internal import Curves
internal import Threshold

extension ECDSA {
    /// Trees of 16 leaves, in which each node is a hash of the one above it (Goldreich, Goldwasser, Micali). One side
    /// of a pair knows all leaves, and the other all but one of each tree (Roy, "SoftSpokenOT", ePrint 2022/192,
    /// figures 13 and 14).
    struct GGMTrees: Sendable {
        /// The size of a leaf's check in bytes.
        static let checkSize = 2 * seedSize

        /// g, 32 public bytes.
        let base: [UInt8]
        /// The number of trees.
        let count: Int
        private let hash: LoopHash

        /// - Parameters:
        ///   - rows: the number of rows of the extensions that use the trees.
        ///   - sender: the participant that knows all leaves.
        ///   - receiver: the participant that knows all but one.
        init(rows: Int, session: [UInt8], sender: ParticipantIndex, receiver: ParticipantIndex) {
            self.init(
                base: TaggedHash.hash(
                    "punctured trees", session, [UInt8(rows >> 8), UInt8(rows & 0xff)], [UInt8(sender.value)],
                    [UInt8(receiver.value)]),
                count: rows / treeDepth)
        }

        /// - Parameter base: 32 bytes.
        init(base: [UInt8], count: Int) {
            self.base = base
            self.count = count
            hash = LoopHash(base)
        }

        /// Replaces some nodes of a level by their children: those of the node at p are written to 2p and 2p + 1. The
        /// child b of a node is F(g; tree ‖ level ‖ b ‖ node).
        ///
        /// - Parameters:
        ///   - nodes: 16 places of 32 bytes.
        ///   - level: the level of the children.
        ///   - path: exchanges the children where its lowest bit is 1. The bit may be secret.
        func grow(
            _ tree: Int, _ nodes: UnsafeMutableRawPointer, parents: Range<Int>, to level: Int, path: UInt64 = 0
        ) {
            let first = 2 * parents.lowerBound
            hash(tree, level: level, count: 2 * parents.count, to: nodes + first * seedSize) { number in
                (UInt8(truncatingIfNeeded: UInt64(number & 1) ^ (path & 1)), nodes + (first + number) / 2 * seedSize)
            }
        }

        /// Writes the seeds of some leaves.
        func seeds(
            _ tree: Int, of leaves: Range<Int>, in nodes: UnsafeMutableRawPointer, to seeds: UnsafeMutableRawPointer
        ) {
            hash(tree, level: treeDepth + 1, count: leaves.count, to: seeds) { number in
                (0, nodes + (leaves.lowerBound + number) * seedSize)
            }
        }

        /// Writes the checks of some leaves, ``checkSize`` bytes each.
        func checks(
            _ tree: Int, of leaves: Range<Int>, in nodes: UnsafeMutableRawPointer, to checks: UnsafeMutableRawPointer
        ) {
            hash(tree, level: treeDepth + 1, count: 2 * leaves.count, to: checks) { number in
                (UInt8(1 + number & 1), nodes + (leaves.lowerBound + number / 2) * seedSize)
            }
        }

        /// Writes the hash of a label and a node, for each node.
        @inline(__always)
        private func hash(
            _ tree: Int, level: Int, count: Int, to output: UnsafeMutableRawPointer,
            _ input: (Int) -> (label: UInt8, node: UnsafeMutableRawPointer)
        ) {
            hash.hashes(count: count, ofSize: 3 + seedSize, to: output) { number, memory in
                let (label, node) = input(number)
                memory.storeBytes(of: UInt8(tree), as: UInt8.self)
                memory.storeBytes(of: UInt8(level), toByteOffset: 1, as: UInt8.self)
                memory.storeBytes(of: label, toByteOffset: 2, as: UInt8.self)
                (memory + 3).copyMemory(from: node, byteCount: seedSize)
            }
        }

        /// Returns the hash of all checks of a tree.
        func hash(checks: UnsafeRawBufferPointer, tree: Int) -> [UInt8] {
            var hasher = SHA512()
            hasher.update(base)
            hasher.update(base)
            hasher.update([UInt8(tree)])
            hasher.update(checks)
            return hasher.finalize()
        }
    }
}
