internal import Curves
internal import Encoding
internal import Secrets

extension ECDSA {
    /// The side of the punctured trees that knows all leaves but one of each. It will send extensions.
    enum TreeReceiver {
        /// The seeds, after the check that the sender has grown the trees as it must.
        ///
        /// Nodes are numbered relative to the path of the missing leaf: 0 is the one that is missing, at each level. So which of
        /// them are computed, and where they lie, does not depend on the path.
        ///
        /// - Parameters:
        ///   - message: of the other side.
        ///   - pads: of the base transfers, those of the bits of `choice`, 32 bytes for each of at least 256 instances.
        ///   - choice: whose complement is Δ.
        ///   - sender: who is named if the check fails.
        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/cheating(by:)``.
        static func seeds(
            from message: [UInt8], pads: borrowing SecretBytes, choice: borrowing SecretBytes, trees: PuncturedTrees,
            sender: ParticipantIndex
        ) throws(ThresholdError) -> SenderSeeds {
            guard message.count >= PuncturedTrees.messageSize else { throw .malformed(.truncated) }
            guard message.count == PuncturedTrees.messageSize else {
                throw .malformed(.leftOver(count: message.count - PuncturedTrees.messageSize))
            }
            let correlation = Masks.complement(choice.prefix(columnSize))
            // Zero as long as all trees are right. Not one of them ends the work: which, may depend on Δ.
            var wrong = 0
            let seeds = SecretBytes(count: SenderSeeds.size) { seeds in
                correlation.withUnsafeBytes { correlation in
                    seeds.copyMemory(from: correlation)
                    message.withUnsafeBytes { message in
                        pads.withUnsafeBytes { pads in
                            Extension.withWords(PuncturedTrees.Memory.words) { words in
                                for tree in 0..<ECDSA.trees {
                                    let isSound = grow(
                                        tree, pads, correlation, trees, PuncturedTrees.Memory(words: words),
                                        message.part(tree * PuncturedTrees.treeSize, PuncturedTrees.treeSize),
                                        seeds.origin + columnSize + tree * (leaves - 1) * seedSize)
                                    wrong |= isSound ? 0 : 1
                                }
                            }
                        }
                    }
                }
            }
            guard wrong == 0 else { throw .cheating(by: sender) }
            return SenderSeeds(seeds)
        }

        private static func grow(
            _ tree: Int, _ pads: UnsafeRawBufferPointer, _ correlation: UnsafeRawBufferPointer,
            _ trees: PuncturedTrees, _ memory: PuncturedTrees.Memory, _ message: UnsafeRawBufferPointer,
            _ seeds: UnsafeMutableRawPointer
        ) -> Bool {
            func pad(_ level: Int) -> UnsafeRawBufferPointer {
                pads.part((treeDepth * tree + level - 1) * seedSize, seedSize)
            }
            /// All ones where the missing leaf's path has a 1 at this level.
            func missing(_ level: Int) -> UInt64 {
                Masks.mask(correlation, bit: treeDepth * tree + level - 1)
            }
            memory.node(1).copyMemory(from: pad(1))
            for level in 2...treeDepth {
                let parents = 1 << (level - 1)
                let path = missing(level)
                for parent in (1..<parents).reversed() {
                    for child in [1, 0] {
                        trees.hash(
                            tree, level: level, label: UInt8(truncatingIfNeeded: UInt64(child) ^ (path & 1)),
                            memory.nodes + parent * seedSize, input: memory.input,
                            to: memory.nodes + (2 * parent + child) * seedSize)
                    }
                }
                // The sibling on the path: the sum of its kind, less the pad and the others of the kind.
                let sums = (2 * (level - 2)) * seedSize
                let sibling = memory.node(1)
                Masks.select(
                    message.part(sums, seedSize), message.part(sums + seedSize, seedSize), where: ~path, to: sibling)
                Masks.add(pad(level), to: sibling)
                for parent in 1..<parents {
                    Masks.add(UnsafeRawBufferPointer(memory.node(2 * parent + 1)), to: sibling)
                }
            }
            return isSound(tree, missing, trees, memory, message, seeds)
        }

        /// Writes the seeds, and checks the leaves against the sender's hash, which takes their checks in the order of the leaves.
        private static func isSound(
            _ tree: Int, _ missing: (Int) -> UInt64, _ trees: PuncturedTrees, _ memory: PuncturedTrees.Memory,
            _ message: UnsafeRawBufferPointer, _ seeds: UnsafeMutableRawPointer
        ) -> Bool {
            memory.check(0).copyMemory(from: message.part(PuncturedTrees.checksOffset, PuncturedTrees.checkSize))
            for y in 1..<leaves {
                trees.use(
                    tree, leaf: memory.nodes + y * seedSize, input: memory.input, seed: seeds + (y - 1) * seedSize,
                    check: memory.check(y).origin)
                Masks.add(UnsafeRawBufferPointer(memory.check(y)), to: memory.check(0))
            }
            // From y to x = y ⊕ path: each bit of the path exchanges all pairs that differ in it, or none.
            for level in 1...treeDepth {
                let step = 1 << (treeDepth - level)
                let mask = missing(level)
                for place in 0..<leaves where place & step == 0 {
                    Masks.exchange(memory.check(place), memory.check(place | step), where: mask)
                }
            }
            let hash = trees.hash(checks: UnsafeRawBufferPointer(memory.checks), tree: tree)
            return hash.withUnsafeBytes {
                constantTimeEquals($0, message.part(PuncturedTrees.treeSize - SHA512.size, SHA512.size))
            }
        }
    }
}
