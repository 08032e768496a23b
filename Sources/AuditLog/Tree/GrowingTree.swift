/// The right edge of a tree to which leaves are appended: one hash for each bit of its size.
struct GrowingTree: Sendable {
    /// A hash of a tile above the leaves.
    struct Placed: Sendable {
        let level: Int
        /// The number of the hash in its level.
        let index: UInt64
        let hash: TreeHash
    }

    private(set) var size: UInt64 = 0
    /// The roots of whole subtrees from the left, each smaller than the one before.
    private var edge: [TreeHash] = []

    init() {}

    /// Continues a tree whose hashes are stored.
    init(size: UInt64, from source: some TreeSource) throws(AuditLogError) {
        self.size = size
        var start: UInt64 = 0
        for height in (0..<64).reversed() where size >> UInt64(height) & 1 == 1 {
            edge.append(try source.node(height: height, at: start))
            start += 1 << UInt64(height)
        }
    }

    var root: TreeHash {
        guard let last = edge.last else { return .empty }
        return edge.dropLast().reversed().reduce(last) { .node($1, $0) }
    }

    /// Appends a leaf, and reports the hashes above the leaves that it completes.
    mutating func append(_ leaf: TreeHash, completing report: (Placed) -> Void) {
        var (hash, height, count) = (leaf, 0, size)
        while count & 1 == 1, let left = edge.popLast() {
            hash = .node(left, hash)
            height += 1
            count >>= 1
            guard height.isMultiple(of: 8) else { continue }
            report(Placed(level: height / 8, index: count, hash: hash))
        }
        edge.append(hash)
        size += 1
    }
}
