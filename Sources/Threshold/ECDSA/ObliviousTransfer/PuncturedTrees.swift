internal import Curves
internal import Secrets

extension ECDSA {
    /// What the two sides of the punctured trees do alike: from four base transfers each, 64 trees of 16 leaves of which one side
    /// knows all, and the other all but one (Roy, "SoftSpokenOT", ePrint 2022/192, figures 13 and 14; after Goldreich,
    /// Goldwasser, Micali).
    struct PuncturedTrees {
        /// Six sums, the sum of the checks, and their hash.
        static let treeSize = 2 * (treeDepth - 1) * seedSize + checkSize + SHA512.size
        static let messageSize = trees * treeSize
        static let checkSize = 2 * seedSize
        static let checksOffset = 2 * (treeDepth - 1) * seedSize

        /// g
        let base: [UInt8]
        private let nodes: LoopHash

        /// - Parameters:
        ///   - sender: who knows all leaves.
        ///   - receiver: who knows all but one.
        init(session: [UInt8], sender: ParticipantIndex, receiver: ParticipantIndex) {
            base = Oracle.hash("punctured trees", session, [UInt8(sender.value)], [UInt8(receiver.value)])
            nodes = LoopHash(base)
        }

        /// F(g; tree ‖ level ‖ label ‖ node). The label is a child's bit, which may be secret, or what a leaf is used for.
        ///
        /// - Parameter input: 35 bytes of working memory.
        @inline(__always)
        func hash(
            _ tree: Int, level: Int, label: UInt8, _ node: UnsafeRawPointer, input: UnsafeMutableRawBufferPointer,
            to output: UnsafeMutableRawPointer
        ) {
            input[0] = UInt8(tree)
            input[1] = UInt8(level)
            input[2] = label
            (input.origin + 3).copyMemory(from: node, byteCount: seedSize)
            nodes.hash(UnsafeRawBufferPointer(input), to: output)
        }

        /// Writes what is used of a leaf: its seed, and its check of 64 bytes.
        func use(
            _ tree: Int, leaf: UnsafeRawPointer, input: UnsafeMutableRawBufferPointer,
            seed: UnsafeMutableRawPointer, check: UnsafeMutableRawPointer
        ) {
            hash(tree, level: treeDepth + 1, label: 0, leaf, input: input, to: seed)
            hash(tree, level: treeDepth + 1, label: 1, leaf, input: input, to: check)
            hash(tree, level: treeDepth + 1, label: 2, leaf, input: input, to: check + seedSize)
        }

        /// The hash of all checks of a tree.
        func hash(checks: UnsafeRawBufferPointer, tree: Int) -> [UInt8] {
            var hasher = SHA512()
            hasher.update(base)
            hasher.update(base)
            hasher.update([UInt8(tree)])
            hasher.update(checks)
            return hasher.finalize()
        }

        /// Working memory of one tree, which is wiped.
        struct Memory {
            static let words = (leaves * seedSize + leaves * checkSize) / 8 + 5

            let words: UnsafeMutablePointer<UInt64>

            /// 16 nodes of 32 bytes.
            var nodes: UnsafeMutableRawPointer { UnsafeMutableRawPointer(words) }
            /// 16 checks of 64 bytes.
            var checks: UnsafeMutableRawBufferPointer {
                UnsafeMutableRawBufferPointer(start: nodes + leaves * seedSize, count: leaves * checkSize)
            }
            var input: UnsafeMutableRawBufferPointer {
                UnsafeMutableRawBufferPointer(start: checks.origin + leaves * checkSize, count: 3 + seedSize)
            }

            func node(_ position: Int) -> UnsafeMutableRawBufferPointer {
                UnsafeMutableRawBufferPointer(start: nodes + position * seedSize, count: seedSize)
            }
            func check(_ position: Int) -> UnsafeMutableRawBufferPointer {
                UnsafeMutableRawBufferPointer(
                    start: checks.origin + position * PuncturedTrees.checkSize, count: PuncturedTrees.checkSize)
            }
        }
    }
}
