/// The hashes of the tree in one file for each level: hash N is in the 32 bytes from 32 N on, so that a tile is a part
/// of the file.
///
/// They are made of the entries, and can be made again: they are flushed only when a new file of entries begins.
struct LevelFiles: TreeSource {
    let files: any LogFiles

    static func name(_ level: Int) -> String { "hashes-\(level)" }

    func tile(level: Int, index: UInt64, width: Int) throws(AuditLogError) -> [TreeHash] {
        guard (1...256).contains(width), index <= AuditLimits.size >> 8 else { throw .outsideLimits }
        let bytes = try files.read(
            Self.name(level), from: Int(index) * 256 * TreeHash.size, count: width * TreeHash.size)
        guard bytes.count == width * TreeHash.size else { throw .damaged(sequence: index << UInt64(8 * (level + 1))) }
        return Self.hashes(bytes)
    }

    static func hashes(_ bytes: [UInt8]) -> [TreeHash] {
        stride(from: 0, to: bytes.count, by: TreeHash.size).compactMap {
            TreeHash(bytes[$0..<min($0 + TreeHash.size, bytes.count)])
        }
    }

    /// Writes hashes from number `start` of a level on.
    func write(_ hashes: [TreeHash], level: Int, from start: UInt64) throws(AuditLogError) {
        guard !hashes.isEmpty else { return }
        let name = Self.name(level)
        if start == 0, try files.size(of: name) == nil { try files.create(name) }
        try files.write(hashes.flatMap(\.bytes), to: name, at: Int(start) * TreeHash.size)
    }

    /// Returns whether every level has the hashes of a tree of this size, which is a multiple of 256.
    func has(size: UInt64) throws(AuditLogError) -> Bool {
        var (level, count) = (0, size)
        while count > 0 {
            guard let bytes = try files.size(of: Self.name(level)), bytes / TreeHash.size >= count else { return false }
            (level, count) = (level + 1, count >> 8)
        }
        return true
    }

    /// Makes what was written survive a loss of power.
    func flush(size: UInt64) throws(AuditLogError) {
        var (level, count) = (0, size)
        while count > 0 {
            try files.flush(Self.name(level))
            (level, count) = (level + 1, count >> 8)
        }
    }
}
