internal import Curves

extension ECDSA {
    /// The offsets in a tree's part of the message.
    enum TreeMessage {
        static let sumsSize = 2 * (treeDepth - 1) * seedSize
        static let checksOffset = sumsSize
        static let hashOffset = checksOffset + GGMTrees.checkSize
        /// The size of a tree's part: six sums, the sum of the checks, and their hash.
        static let treeSize = hashOffset + SHA512.size

        static func size(of trees: GGMTrees) -> Int { trees.count * treeSize }

        /// Returns the offset of the sum of the nodes of a level, 2 to 4, that are their parents' child `bit`.
        static func sum(level: Int, bit: Int) -> Int { (2 * (level - 2) + bit) * seedSize }

        /// Calls `body` with working memory for one tree, and wipes it: 16 nodes of 32 bytes, and 16 checks of 64.
        static func withMemory<Result>(
            _ body: (_ nodes: UnsafeMutableRawBufferPointer, _ checks: UnsafeMutableRawBufferPointer) -> Result
        ) -> Result {
            let nodesSize = leaves * seedSize
            let checksSize = leaves * GGMTrees.checkSize
            return Extension.withWords((nodesSize + checksSize) / 8) { words in
                let memory = UnsafeMutableRawBufferPointer(start: words, count: nodesSize + checksSize)
                return body(memory.part(0, nodesSize), memory.part(nodesSize, checksSize))
            }
        }
    }
}
