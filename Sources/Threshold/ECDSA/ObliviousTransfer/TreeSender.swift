internal import Curves
internal import Secrets

extension ECDSA {
    /// The side of the punctured trees that knows all leaves. It will receive extensions.
    struct TreeSender: ~Copyable, Sendable {
        /// For the other side.
        let message: [UInt8]
        let seeds: ReceiverSeeds

        /// - Parameter pads: of the base transfers, 32 bytes for each of at least 256 instances.
        init(pads: borrowing SenderPads, trees: PuncturedTrees) {
            var message = [UInt8](repeating: 0, count: PuncturedTrees.messageSize)
            let seeds = SecretBytes(count: ReceiverSeeds.size) { seeds in
                message.withUnsafeMutableBytes { message in
                    pads.zero.withUnsafeBytes { zero in
                        pads.one.withUnsafeBytes { one in
                            Extension.withWords(PuncturedTrees.Memory.words) { words in
                                for tree in 0..<ECDSA.trees {
                                    Self.grow(
                                        tree, (zero, one), trees, PuncturedTrees.Memory(words: words),
                                        UnsafeMutableRawBufferPointer(
                                            rebasing: message[(tree * PuncturedTrees.treeSize)...]),
                                        seeds.origin + tree * leaves * seedSize)
                                }
                            }
                        }
                    }
                }
            }
            self.message = message
            self.seeds = ReceiverSeeds(seeds)
        }

        private static func grow(
            _ tree: Int, _ pads: (zero: UnsafeRawBufferPointer, one: UnsafeRawBufferPointer), _ trees: PuncturedTrees,
            _ memory: PuncturedTrees.Memory, _ message: UnsafeMutableRawBufferPointer,
            _ seeds: UnsafeMutableRawPointer
        ) {
            func pad(_ bit: Int, _ level: Int) -> UnsafeRawBufferPointer {
                (bit == 0 ? pads.zero : pads.one).part((treeDepth * tree + level - 1) * seedSize, seedSize)
            }
            for bit in 0...1 { memory.node(bit).copyMemory(from: pad(bit, 1)) }
            for level in 2...treeDepth {
                let parents = 1 << (level - 1)
                // From the last on, so that children take no place of a parent that is still needed. A copy is hashed.
                for parent in (0..<parents).reversed() {
                    for bit in [1, 0] {
                        trees.hash(
                            tree, level: level, label: UInt8(bit), memory.nodes + parent * seedSize,
                            input: memory.input,
                            to: memory.nodes + (2 * parent + bit) * seedSize)
                    }
                }
                for bit in 0...1 {
                    let start = (2 * (level - 2) + bit) * seedSize
                    let sum = UnsafeMutableRawBufferPointer(rebasing: message[start..<(start + seedSize)])
                    sum.copyMemory(from: pad(bit, level))
                    for parent in 0..<parents {
                        Masks.add(UnsafeRawBufferPointer(memory.node(2 * parent + bit)), to: sum)
                    }
                }
            }
            let sum = UnsafeMutableRawBufferPointer(
                rebasing: message[
                    PuncturedTrees.checksOffset..<(PuncturedTrees.checksOffset + PuncturedTrees.checkSize)])
            for leaf in 0..<leaves {
                trees.use(
                    tree, leaf: memory.nodes + leaf * seedSize, input: memory.input, seed: seeds + leaf * seedSize,
                    check: memory.check(leaf).origin)
                Masks.add(UnsafeRawBufferPointer(memory.check(leaf)), to: sum)
            }
            let hash = trees.hash(checks: UnsafeRawBufferPointer(memory.checks), tree: tree)
            (message.origin + PuncturedTrees.treeSize - SHA512.size).copyMemory(from: hash, byteCount: hash.count)
        }
    }
}
