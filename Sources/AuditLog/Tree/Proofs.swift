/// Verifies proofs of a tree (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Each has exactly one accepted form.
public enum TreeProof {
    /// Returns whether the path proves that the leaf is at `index` in the tree of `size` leaves with this root.
    ///
    /// An empty path proves a leaf of a tree of one leaf only.
    public static func verifies(
        inclusionOf leaf: TreeHash, at index: UInt64, path: [TreeHash], size: UInt64, root: TreeHash
    ) -> Bool {
        guard size <= AuditLimits.size, index < size, path.count <= AuditLimits.proofHashes else { return false }
        var (node, last, hash) = (index, size - 1, leaf)
        for sibling in path {
            guard last != 0 else { return false }
            if node & 1 == 1 || node == last {
                hash = .node(sibling, hash)
                // A node without a right sibling moves up unchanged.
                while node & 1 == 0, node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                hash = .node(hash, sibling)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && hash == root
    }

    /// Returns whether the proof shows that the tree of `old` leaves is the beginning of the one of `new` leaves.
    ///
    /// Every tree begins with the empty one, which needs no proof.
    public static func verifies(
        consistencyFrom old: UInt64, root oldRoot: TreeHash, to new: UInt64, root newRoot: TreeHash,
        proof: [TreeHash]
    ) -> Bool {
        guard new <= AuditLimits.size, old <= new, proof.count <= AuditLimits.proofHashes else { return false }
        if old == 0 { return proof.isEmpty && oldRoot == .empty && (new > 0 || newRoot == .empty) }
        if old == new { return proof.isEmpty && oldRoot == newRoot }
        // The root of a whole subtree is not part of the proof.
        var path = proof[...]
        if old.nonzeroBitCount == 1 { path = [oldRoot] + path }
        guard let first = path.popFirst() else { return false }
        var (node, last) = (old - 1, new - 1)
        while node & 1 == 1 { (node, last) = (node >> 1, last >> 1) }
        var (oldHash, newHash) = (first, first)
        for sibling in path {
            guard last != 0 else { return false }
            if node & 1 == 1 || node == last {
                oldHash = .node(sibling, oldHash)
                newHash = .node(sibling, newHash)
                while node & 1 == 0, node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                newHash = .node(newHash, sibling)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && oldHash == oldRoot && newHash == newRoot
    }
}
