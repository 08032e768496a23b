/// The hashes of a tree, by tile (C2SP tlog-tiles).
public protocol TreeSource {
    /// Returns the first `width` hashes of a tile.
    ///
    /// - Parameters:
    ///   - level: 0 for the hashes of leaves; a hash of a higher level is the root of a full tile below.
    ///   - width: at most 256.
    /// - Throws: ``AuditLogError`` if the tree does not have them.
    func tile(level: Int, index: UInt64, width: Int) throws(AuditLogError) -> [TreeHash]
}

extension TreeSource {
    /// Returns the root of the tree of the first `size` leaves (RFC 6962, section 2.1).
    public func root(size: UInt64) throws(AuditLogError) -> TreeHash {
        size == 0 ? .empty : try subtree(0, size)
    }

    /// Returns the hashes that prove the leaf at `index` in the tree of the first `size` leaves (RFC 6962, section
    /// 2.1.1).
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` unless `index` is below `size`.
    public func inclusionProof(of index: UInt64, size: UInt64) throws(AuditLogError) -> [TreeHash] {
        guard index < size else { throw .outsideLimits }
        var path: [TreeHash] = []
        var (start, end) = (UInt64(0), size)
        // From the root down: at each node, the hash of the half that the leaf is not in.
        while end - start > 1 {
            let middle = start + Self.split(end - start)
            if index < middle {
                path.append(try subtree(middle, end))
                end = middle
            } else {
                path.append(try subtree(start, middle))
                start = middle
            }
        }
        return path.reversed()
    }

    /// Returns the hashes that prove that the tree of the first `old` leaves is the beginning of the one of the first
    /// `new` (RFC 6962, section 2.1.2). Empty if both are the same, or the old one has no leaves.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` if the old tree is larger.
    public func consistencyProof(from old: UInt64, to new: UInt64) throws(AuditLogError) -> [TreeHash] {
        guard old <= new else { throw .outsideLimits }
        guard old > 0, old < new else { return [] }
        var proof: [TreeHash] = []
        var (start, end, isWhole) = (UInt64(0), new, true)
        while old - start < end - start {
            let middle = start + Self.split(end - start)
            if old <= middle {
                proof.append(try subtree(middle, end))
                end = middle
            } else {
                proof.append(try subtree(start, middle))
                (start, isWhole) = (middle, false)
            }
        }
        // The verifier knows the root of the old tree, but not that of a part of it.
        if !isWhole { proof.append(try subtree(start, end)) }
        return proof.reversed()
    }

    /// Returns the largest power of two below `count`, which is at least 2.
    private static func split(_ count: UInt64) -> UInt64 { 1 << UInt64(63 - (count - 1).leadingZeroBitCount) }

    /// Returns the root of the leaves from `start` to below `end`, a node of the tree or the right edge of one.
    private func subtree(_ start: UInt64, _ end: UInt64) throws(AuditLogError) -> TreeHash {
        let count = end - start
        if count.nonzeroBitCount == 1 { return try node(height: count.trailingZeroBitCount, at: start) }
        let middle = start + Self.split(count)
        return .node(try subtree(start, middle), try subtree(middle, end))
    }

    /// Returns the root of the 2^height leaves from `start` on.
    func node(height: Int, at start: UInt64) throws(AuditLogError) -> TreeHash {
        let (level, rest) = (height / 8, height % 8)
        let first = start >> UInt64(8 * level)
        let (offset, width) = (Int(first & 0xFF), 1 << rest)
        var hashes = try tile(level: level, index: first >> 8, width: offset + width).suffix(width)[...]
        guard hashes.count == width else { throw .damaged(sequence: start) }
        while hashes.count > 1 {
            var above: [TreeHash] = []
            while let left = hashes.popFirst(), let right = hashes.popFirst() { above.append(.node(left, right)) }
            hashes = above[...]
        }
        guard let hash = hashes.first else { throw .damaged(sequence: start) }
        return hash
    }
}
