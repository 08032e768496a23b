internal import Curves
internal import Secrets

extension ECDSA {
    /// The sender of the punctured trees: it knows all leaves. It will receive extensions.
    struct TreeSender: ~Copyable, Sendable {
        /// The message for the receiver.
        let message: [UInt8]
        let roots: TreeRoots

        /// - Parameter pads: the pads of the transfers for the trees, 32 bytes each, at least four for each tree.
        init(pads: borrowing SenderPads, trees: GGMTrees) {
            var message = [UInt8](repeating: 0, count: TreeMessage.size(of: trees))
            let roots = SecretBytes(count: trees.count * TreeRoots.treeSize) { roots in
                message.withUnsafeMutableBytes { message in
                    pads.zero.withUnsafeBytes { zero in
                        pads.one.withUnsafeBytes { one in
                            TreeMessage.withMemory { nodes, checks in
                                for tree in 0..<trees.count {
                                    for (bit, pads) in [zero, one].enumerated() {
                                        let root = pads.part(treeDepth * tree * seedSize, seedSize)
                                        nodes.part(bit * seedSize, seedSize).copyMemory(from: root)
                                        roots.part(tree * TreeRoots.treeSize + bit * seedSize, seedSize)
                                            .copyMemory(from: root)
                                    }
                                    Self.write(
                                        tree, trees, (zero, one), nodes, checks,
                                        message.part(tree * TreeMessage.treeSize, TreeMessage.treeSize))
                                }
                            }
                        }
                    }
                }
            }
            self.message = message
            self.roots = TreeRoots(trees, roots)
        }

        /// Returns the roots alone.
        consuming func takeRoots() -> TreeRoots { roots }

        /// Grows a tree from its nodes of level 1, and writes its part of the message.
        private static func write(
            _ tree: Int, _ trees: GGMTrees, _ pads: (zero: UnsafeRawBufferPointer, one: UnsafeRawBufferPointer),
            _ nodes: UnsafeMutableRawBufferPointer, _ checks: UnsafeMutableRawBufferPointer,
            _ message: UnsafeMutableRawBufferPointer
        ) {
            for level in 2...treeDepth {
                let parents = 1 << (level - 1)
                trees.grow(tree, nodes.origin, parents: 0..<parents, to: level)
                for bit in 0...1 {
                    let sum = message.part(TreeMessage.sum(level: level, bit: bit), seedSize)
                    sum.copyMemory(
                        from: (bit == 0 ? pads.zero : pads.one)
                            .part((treeDepth * tree + level - 1) * seedSize, seedSize))
                    for parent in 0..<parents {
                        Masks.add(UnsafeRawBufferPointer(nodes).part((2 * parent + bit) * seedSize, seedSize), to: sum)
                    }
                }
            }
            trees.checks(tree, of: 0..<leaves, in: nodes.origin, to: checks.origin)
            let sum = message.part(TreeMessage.checksOffset, GGMTrees.checkSize)
            for leaf in 0..<leaves {
                Masks.add(
                    UnsafeRawBufferPointer(checks).part(leaf * GGMTrees.checkSize, GGMTrees.checkSize), to: sum)
            }
            message.part(TreeMessage.hashOffset, SHA512.size)
                .copyBytes(from: trees.hash(checks: UnsafeRawBufferPointer(checks), tree: tree))
        }
    }
}
