internal import Secrets

extension ECDSA {
    /// The stored trees of an extension receiver: both nodes of level 1 of each tree, from which all leaves follow.
    struct TreeRoots: ~Copyable, Sendable {
        /// The size of each tree in bytes.
        static let treeSize = 2 * seedSize

        let trees: GGMTrees
        /// The nodes, tree by tree.
        let bytes: SecretBytes

        /// - Precondition: ``treeSize`` bytes for each tree.
        init(_ trees: GGMTrees, _ bytes: consuming SecretBytes) {
            precondition(bytes.count == trees.count * Self.treeSize, "two nodes of each tree")
            self.trees = trees
            self.bytes = bytes
        }

        /// Returns a second guarded copy.
        borrowing func clone() -> TreeRoots { TreeRoots(trees, bytes.clone()) }

        /// Calls `body` with each tree and the seeds of its 16 leaves, in order.
        borrowing func forEachTree(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
            let nodesSize = leaves * seedSize
            bytes.withUnsafeBytes { roots in
                Extension.withWords(2 * nodesSize / 8) { words in
                    let nodes = UnsafeMutableRawPointer(words)
                    let seeds = UnsafeMutableRawBufferPointer(start: nodes + nodesSize, count: nodesSize)
                    for tree in 0..<trees.count {
                        nodes.copyMemory(from: roots.origin + tree * Self.treeSize, byteCount: Self.treeSize)
                        for level in 2...treeDepth {
                            trees.grow(tree, nodes, parents: 0..<(1 << (level - 1)), to: level)
                        }
                        trees.seeds(tree, of: 0..<leaves, in: nodes, to: seeds.origin)
                        body(tree, UnsafeRawBufferPointer(seeds))
                    }
                }
            }
        }
    }

    /// The stored trees of an extension sender: its correlation Δ, and for each tree the nodes beside the path of the
    /// leaf that it does not know, one of each level.
    ///
    /// Nodes are numbered by y = x ⊕ (the tree's bits of Δ): at each level 0 is the missing one, and 1 the one beside
    /// it. So neither the computed nodes nor their places depend on Δ.
    struct CoPaths: ~Copyable, Sendable {
        /// The size of each tree in bytes.
        static let treeSize = treeDepth * seedSize

        let trees: GGMTrees
        /// Δ, then the co-paths, tree by tree, from level 1 on.
        let bytes: SecretBytes

        /// - Precondition: Δ, and ``treeSize`` bytes for each tree.
        init(_ trees: GGMTrees, _ bytes: consuming SecretBytes) {
            precondition(bytes.count == Self.size(ofTrees: trees.count), "Δ, and four nodes of each tree")
            self.trees = trees
            self.bytes = bytes
        }

        /// Returns the size of Δ in bytes: one bit for each level of each tree.
        static func correlationSize(ofTrees count: Int) -> Int { count * treeDepth / 8 }

        /// Returns the size of Δ and all co-paths in bytes.
        static func size(ofTrees count: Int) -> Int { correlationSize(ofTrees: count) + count * treeSize }

        private var correlationSize: Int { Self.correlationSize(ofTrees: trees.count) }

        /// Returns a copy of Δ.
        borrowing func correlation() -> SecretBytes { bytes.prefix(correlationSize) }

        /// Calls `body` with each tree and the seeds of its leaves y = 1…15.
        borrowing func forEachTree(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
            let nodesSize = leaves * seedSize
            bytes.withUnsafeBytes { bytes in
                Extension.withWords(2 * nodesSize / 8) { words in
                    let nodes = UnsafeMutableRawPointer(words)
                    let seeds = UnsafeMutableRawBufferPointer(
                        start: nodes + nodesSize, count: (leaves - 1) * seedSize)
                    for tree in 0..<trees.count {
                        let coPath = bytes.part(correlationSize + tree * Self.treeSize, Self.treeSize)
                        for level in 1...treeDepth {
                            if level > 1 {
                                trees.grow(
                                    tree, nodes, parents: 1..<(1 << (level - 1)), to: level,
                                    path: Masks.mask(bytes, bit: treeDepth * tree + level - 1))
                            }
                            (nodes + seedSize)
                                .copyMemory(from: coPath.origin + (level - 1) * seedSize, byteCount: seedSize)
                        }
                        trees.seeds(tree, of: 1..<leaves, in: nodes, to: seeds.origin)
                        body(tree, UnsafeRawBufferPointer(seeds))
                    }
                }
            }
        }
    }
}
