internal import Curves
internal import Encoding
internal import Secrets
internal import Threshold

extension ECDSA {
    /// The receiver of the punctured trees: it knows all leaves but one of each. It will send extensions.
    enum TreeReceiver {
        /// Returns the co-paths, after checking that the sender has grown the trees correctly.
        ///
        /// - Parameters:
        ///   - message: the sender's message.
        ///   - pads: the pads of the transfers for the trees, those of the bits of `choice`, 32 bytes each.
        ///   - choice: its complement is Δ, in its first bits.
        ///   - sender: the participant to blame if the check fails.
        /// - Throws: `ThresholdError.malformed(_:)`, `ThresholdError.cheating(by:)`.
        static func coPaths(
            from message: [UInt8], pads: borrowing SecretBytes, choice: borrowing SecretBytes, trees: GGMTrees,
            sender: ParticipantIndex
        ) throws(ThresholdError) -> CoPaths {
            let size = TreeMessage.size(of: trees)
            guard message.count >= size else { throw .malformed(.truncated) }
            guard message.count == size else { throw .malformed(.leftOver(count: message.count - size)) }
            let correlationSize = CoPaths.correlationSize(ofTrees: trees.count)
            let correlation = Masks.complement(choice.prefix(correlationSize))
            // Zero while all trees are right. A wrong one does not end the loop, because its number may depend on Δ.
            var wrong = 0
            let coPaths = SecretBytes(count: CoPaths.size(ofTrees: trees.count)) { coPaths in
                correlation.withUnsafeBytes { correlation in
                    coPaths.copyMemory(from: correlation)
                    message.withUnsafeBytes { message in
                        pads.withUnsafeBytes { pads in
                            TreeMessage.withMemory { nodes, checks in
                                for tree in 0..<trees.count {
                                    let side = Side(
                                        tree: tree, trees: trees, correlation: correlation,
                                        message: message.part(tree * TreeMessage.treeSize, TreeMessage.treeSize))
                                    side.grow(
                                        pads.part(treeDepth * tree * seedSize, treeDepth * seedSize), nodes,
                                        coPaths.part(correlationSize + tree * CoPaths.treeSize, CoPaths.treeSize))
                                    wrong |= side.isSound(nodes, checks) ? 0 : 1
                                }
                            }
                        }
                    }
                }
            }
            guard wrong == 0 else { throw .cheating(by: sender) }
            return CoPaths(trees, coPaths)
        }

        /// One tree, whose nodes are numbered as ``CoPaths`` says.
        private struct Side {
            let tree: Int
            let trees: GGMTrees
            let correlation: UnsafeRawBufferPointer
            let message: UnsafeRawBufferPointer

            /// Returns all ones if the missing leaf's path has a 1 at this level.
            private func missing(_ level: Int) -> UInt64 {
                Masks.mask(correlation, bit: treeDepth * tree + level - 1)
            }

            /// Grows all nodes but those on the path, and writes the co-path.
            ///
            /// - Parameter pads: one pad of each level.
            func grow(
                _ pads: UnsafeRawBufferPointer, _ nodes: UnsafeMutableRawBufferPointer,
                _ coPath: UnsafeMutableRawBufferPointer
            ) {
                let beside = nodes.part(seedSize, seedSize)
                for level in 1...treeDepth {
                    let pad = pads.part((level - 1) * seedSize, seedSize)
                    if level == 1 {
                        beside.copyMemory(from: pad)
                    } else {
                        let parents = 1 << (level - 1)
                        let path = missing(level)
                        trees.grow(tree, nodes.origin, parents: 1..<parents, to: level, path: path)
                        // The sum of its kind, less the pad and the others of the kind.
                        Masks.select(
                            message.part(TreeMessage.sum(level: level, bit: 0), seedSize),
                            message.part(TreeMessage.sum(level: level, bit: 1), seedSize), where: ~path, to: beside)
                        Masks.add(pad, to: beside)
                        for parent in 1..<parents {
                            Masks.add(
                                UnsafeRawBufferPointer(nodes).part((2 * parent + 1) * seedSize, seedSize), to: beside)
                        }
                    }
                    coPath.part((level - 1) * seedSize, seedSize).copyMemory(from: UnsafeRawBufferPointer(beside))
                }
            }

            /// Checks the leaves against the sender's hash, which covers their checks in the order of the leaves.
            func isSound(_ nodes: UnsafeMutableRawBufferPointer, _ checks: UnsafeMutableRawBufferPointer) -> Bool {
                func check(_ place: Int) -> UnsafeMutableRawBufferPointer {
                    checks.part(place * GGMTrees.checkSize, GGMTrees.checkSize)
                }
                trees.checks(tree, of: 1..<leaves, in: nodes.origin, to: check(1).origin)
                check(0).copyMemory(from: message.part(TreeMessage.checksOffset, GGMTrees.checkSize))
                for y in 1..<leaves { Masks.add(UnsafeRawBufferPointer(check(y)), to: check(0)) }
                // Converts y to x = y ⊕ path: each bit of the path exchanges all pairs that differ in it, or none.
                for level in 1...treeDepth {
                    let step = 1 << (treeDepth - level)
                    let mask = missing(level)
                    for place in 0..<leaves where place & step == 0 {
                        Masks.exchange(check(place), check(place | step), where: mask)
                    }
                }
                let hash = trees.hash(checks: UnsafeRawBufferPointer(checks), tree: tree)
                return hash.withUnsafeBytes {
                    constantTimeEquals($0, message.part(TreeMessage.hashOffset, SHA512.size))
                }
            }
        }
    }
}
