internal import Encoding
internal import Secrets
internal import Threshold

extension ECDSA {
    /// A participant's data about one peer after pairing, with which the two multiply secrets. It is stored sealed,
    /// like the share.
    ///
    /// It is a class, so that a dictionary can contain it; its contents never change.
    final class Pair: Sendable {
        private static let trees = ExtensionShape.signing.trees
        private static let baseSize = 32
        private static let coPathsSize = CoPaths.size(ofTrees: trees)
        private static let rootsSize = trees * TreeRoots.treeSize
        static let encodedSize = 1 + seedSize + baseSize + coPathsSize + baseSize + rootsSize

        let peer: ParticipantIndex
        /// 32 bytes that only these two participants know.
        let seed: SecretBytes
        /// The trees for extensions in which this participant is the sender.
        let coPaths: CoPaths
        /// The trees for extensions in which this participant is the receiver.
        let roots: TreeRoots

        init(
            peer: ParticipantIndex, seed: consuming SecretBytes, coPaths: consuming CoPaths, roots: consuming TreeRoots
        ) {
            precondition(seed.count == seedSize, "the seed of a pair has \(seedSize) bytes")
            precondition(coPaths.trees.count == Self.trees && roots.trees.count == Self.trees, "trees for signing")
            self.peer = peer
            self.seed = seed
            self.coPaths = coPaths
            self.roots = roots
        }

        /// Writes the peer's index and the seed; g, Δ and the co-paths; g and the roots.
        ///
        /// - Parameter memory: ``encodedSize`` bytes.
        func encode(into memory: UnsafeMutableRawBufferPointer) {
            precondition(memory.count == Self.encodedSize, "an encoded pair has \(Self.encodedSize) bytes")
            memory[0] = UInt8(peer.value)
            var offset = 1
            func append(_ bytes: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
                offset += bytes.count
            }
            seed.withUnsafeBytes { append($0) }
            coPaths.trees.base.withUnsafeBytes { append($0) }
            coPaths.bytes.withUnsafeBytes { append($0) }
            roots.trees.base.withUnsafeBytes { append($0) }
            roots.bytes.withUnsafeBytes { append($0) }
        }

        /// Reads a pair that is part of something longer.
        ///
        /// - Throws: `ThresholdError.malformed(_:)` if there are fewer bytes, `ThresholdError.invalidParameters` if
        ///   the peer's index is invalid.
        convenience init(decoding bytes: borrowing SecretBytes, at start: Int) throws(ThresholdError) {
            guard bytes.count - start >= Self.encodedSize else { throw .malformed(.truncated) }
            let peer = try ParticipantIndex(bytes.withUnsafeBytes { Int($0[start]) })
            let coPathsOffset = start + 1 + seedSize
            let rootsOffset = coPathsOffset + Self.baseSize + Self.coPathsSize
            self.init(
                peer: peer, seed: bytes.part(start + 1, seedSize),
                coPaths: CoPaths(
                    Self.trees(bytes, coPathsOffset), bytes.part(coPathsOffset + Self.baseSize, Self.coPathsSize)),
                roots: TreeRoots(
                    Self.trees(bytes, rootsOffset), bytes.part(rootsOffset + Self.baseSize, Self.rootsSize)))
        }

        /// Returns the trees whose public g is at an offset.
        private static func trees(_ bytes: borrowing SecretBytes, _ offset: Int) -> GGMTrees {
            GGMTrees(base: bytes.withUnsafeBytes { Array($0.part(offset, baseSize)) }, count: trees)
        }
    }
}
