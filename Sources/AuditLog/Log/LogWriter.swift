/// The files of a log that is open for writing. It knows entries as bytes only.
struct LogWriter {
    private static let description = "description"
    private static let reserve = "reserve"

    let files: any LogFiles
    let log: TreeHash
    private let segmentEntries: UInt64
    private(set) var tree: GrowingTree
    /// The sequence number of the first entry in the present file.
    private var start: UInt64
    /// The end of the last commit in the present file.
    private var offset: Int
    /// Whether a write failed so that the state of the disk is unknown.
    private(set) var isBroken = false
    /// Whether the reserve was used up, because the disk was full.
    private(set) var isFull = false
    /// Whether writing hashes failed, so that they have to be made again.
    private var lacksHashes = false

    var levels: LevelFiles { LevelFiles(files: files) }

    /// The number of entries that the present file still takes; all of a new one if it is full.
    var room: Int {
        let used = tree.size - start
        return Int(used < segmentEntries ? segmentEntries - used : segmentEntries)
    }

    // MARK: Making and opening

    /// Makes the files of a new log.
    ///
    /// - Throws: ``AuditLogError/alreadyExists`` if there is a log.
    static func create(
        _ identity: LogIdentity, in files: any LogFiles, segmentEntries: UInt64
    ) throws(AuditLogError) -> LogWriter {
        let header = Segment.Header(log: identity.digest, start: 0, root: .empty)
        let first = Segment.name(start: 0)
        for name in try files.names() where Segment.start(of: name) != nil {
            // The remains of an interrupted creation have no entries.
            guard name == first, try (files.size(of: name) ?? 0) <= Segment.headerSize else { throw .alreadyExists }
            try files.remove(name)
        }
        try files.remove(description)
        try files.remove(reserve)
        try make(reserve, [UInt8](repeating: 0, count: AuditLimits.reserve), in: files)
        try make(first, header.encoded, in: files)
        // The description comes last: a folder without one is not a log.
        try files.flushNames()
        try make(description, identity.encoded, in: files)
        try files.flushNames()
        return LogWriter(files: files, log: identity.digest, segmentEntries: segmentEntries)
    }

    private static func make(_ name: String, _ bytes: [UInt8], in files: any LogFiles) throws(AuditLogError) {
        try files.create(name)
        try files.write(bytes, to: name, at: 0)
        try files.flush(name)
    }

    private init(files: any LogFiles, log: TreeHash, segmentEntries: UInt64) {
        (self.files, self.log, self.segmentEntries) = (files, log, segmentEntries)
        (tree, start, offset) = (GrowingTree(), 0, Segment.headerSize)
    }

    /// Reads the description of the log in a folder.
    ///
    /// - Throws: ``AuditLogError/notFound`` if the folder has no log, or its creation was interrupted.
    static func identity(in files: any LogFiles) throws(AuditLogError) -> LogIdentity {
        let bytes = try files.all(of: description, limit: AuditLimits.description)
        do { return try LogIdentity(decoding: bytes) } catch .damaged {
            let first = try files.size(of: Segment.name(start: 0)) ?? 0
            throw first <= Segment.headerSize ? .notFound : .damaged(sequence: 0)
        }
    }

    /// Opens a log, and removes the commit at its end that was not finished.
    ///
    /// - Parameter known: states that the log had. They are compared before anything is changed.
    /// - Returns: the log, and the number of bytes that were removed.
    static func open(
        _ identity: LogIdentity, in files: any LogFiles, known: [Checkpoint], segmentEntries: UInt64
    ) throws(AuditLogError) -> (LogWriter, dropped: Int) {
        guard try Self.identity(in: files) == identity else { throw .otherLog }
        var writer = LogWriter(files: files, log: identity.digest, segmentEntries: segmentEntries)
        let last = try writer.lastSegment()
        writer.start = last.header.start
        try writer.takeTree(at: last.header)
        let replay = try Replay(last.bytes, after: writer.tree)
        writer.tree = replay.tree
        writer.offset = replay.end
        if let most = known.map(\.size).max(), most > replay.tree.size {
            throw .rolledBack(size: replay.tree.size, expected: most)
        }
        // Hashes are derived: nothing else is changed before the comparison.
        try writer.write(replay.leaves, replay.placed, from: writer.start)
        for state in known where try writer.root(at: state.size) != state.root { throw .forked(size: state.size) }
        let name = Segment.name(start: writer.start)
        let dropped = last.bytes.count - replay.end
        if dropped > 0 { try files.truncate(name, to: replay.end) }
        // The last commit may be in the system's memory only: its writer was killed before it flushed, or the flush
        // failed, after which another flush would not write it. A checkpoint signs only entries on the disk.
        if let commit = replay.lastCommit {
            try files.write(Array(last.bytes[commit..<replay.end]), to: name, at: commit)
        }
        try files.flush(name)
        if try files.size(of: reserve) != AuditLimits.reserve { writer.isFull = true }
        return (writer, dropped)
    }

    /// Reads the last file of entries. One whose making was interrupted is removed.
    private func lastSegment() throws(AuditLogError) -> (header: Segment.Header, bytes: [UInt8]) {
        let starts = try files.segmentStarts()
        guard starts.first == 0 else { throw .damaged(sequence: 0) }
        for start in starts.reversed() {
            let bytes = try files.segment(at: start)
            if let header = Segment.Header(decoding: bytes.prefix(Segment.headerSize)) {
                guard header.log == log else { throw .otherLog }
                guard header.start == start, start.isMultiple(of: 256) else { throw .damaged(sequence: start) }
                return (header, bytes)
            }
            guard start > 0, start == starts.last, bytes.count <= Segment.headerSize else {
                throw .damaged(sequence: start)
            }
            try files.remove(Segment.name(start: start))
        }
        throw .damaged(sequence: 0)
    }

    /// Continues with the hashes on the disk, or makes them again if they do not fit.
    private mutating func takeTree(at header: Segment.Header) throws(AuditLogError) {
        if try levels.has(size: header.start), let tree = try? GrowingTree(size: header.start, from: levels),
            tree.root == header.root
        {
            self.tree = tree
            return
        }
        tree = try rebuiltHashes(below: header.start)
        guard tree.root == header.root else { throw .damaged(sequence: 0) }
    }

    /// Makes all hashes of the entries below a size again.
    private func rebuiltHashes(below size: UInt64) throws(AuditLogError) -> GrowingTree {
        var tree = GrowingTree()
        while tree.size < size {
            let bytes = try files.segment(at: tree.size)
            guard Segment.Header(decoding: bytes.prefix(Segment.headerSize))?.root == tree.root else {
                throw .damaged(sequence: tree.size)
            }
            let start = tree.size
            let replay = try Replay(bytes, after: tree)
            guard replay.end == bytes.count, replay.tree.size > start else {
                throw .damaged(sequence: replay.tree.size)
            }
            try write(replay.leaves, replay.placed, from: start)
            tree = replay.tree
        }
        return tree
    }

    // MARK: Writing

    /// Appends entries. When it returns, they survive a loss of power; when it throws, the log is unchanged, unless it
    /// is broken.
    ///
    /// - Parameter entries: at most ``room``.
    mutating func commit(_ entries: [[UInt8]]) throws(AuditLogError) {
        guard !isBroken else { throw .broken }
        if tree.size - start == segmentEntries { try beginSegment() }
        let name = Segment.name(start: start)
        var next = tree
        var placed: [GrowingTree.Placed] = []
        var leaves: [TreeHash] = []
        leaves.reserveCapacity(entries.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.reduce(Segment.commitSize) { $0 + $1.count + 3 })
        for entry in entries {
            Segment.append(entry: entry, to: &bytes)
            let leaf = TreeHash.leaf(entry)
            leaves.append(leaf)
            next.append(leaf) { placed.append($0) }
        }
        Segment.append(commit: next.size, root: next.root, to: &bytes)
        do { try files.write(bytes, to: name, at: offset) } catch {
            // The next commit is written to the same place; a part of this one must not remain behind it.
            do { try files.truncate(name, to: offset) } catch { isBroken = true }
            throw error
        }
        do { try files.flush(name) } catch {
            // The system may have dropped the bytes, and a second flush would not report it.
            isBroken = true
            throw error
        }
        let first = tree.size
        tree = next
        offset += bytes.count
        guard !lacksHashes else { return }
        // The entries are durable whether or not this succeeds.
        do { try write(leaves, placed, from: first) } catch { lacksHashes = true }
    }

    private func write(
        _ leaves: [TreeHash], _ placed: [GrowingTree.Placed], from first: UInt64
    ) throws(AuditLogError) {
        try levels.write(leaves, level: 0, from: first)
        for (level, hashes) in Dictionary(grouping: placed, by: \.level) {
            try levels.write(hashes.map(\.hash), level: level, from: hashes.first?.index ?? 0)
        }
    }

    private mutating func beginSegment() throws(AuditLogError) {
        try completeHashes()
        do { try levels.flush(size: tree.size) } catch {
            lacksHashes = true
            throw error
        }
        let name = Segment.name(start: tree.size)
        do {
            try files.remove(name)
            try Self.make(
                name, Segment.Header(log: log, start: tree.size, root: tree.root).encoded, in: files)
            try files.flushNames()
        } catch {
            // A file without a whole header is removed when the log is opened, too.
            try? files.remove(name)
            throw error
        }
        start = tree.size
        offset = Segment.headerSize
    }

    /// Makes the hashes again that could not be written.
    mutating func completeHashes() throws(AuditLogError) {
        if lacksHashes { try rebuildHashes() }
    }

    /// Makes all hashes again.
    mutating func rebuildHashes() throws(AuditLogError) {
        lacksHashes = true
        _ = try rebuiltHashes(below: tree.size)
        lacksHashes = false
    }

    /// Returns the root that the log had at an earlier size.
    func root(at size: UInt64) throws(AuditLogError) -> TreeHash {
        size == tree.size ? tree.root : try levels.root(size: size)
    }

    // MARK: A full disk

    /// Gives the reserved space back to the disk, so that the log can record that it is full.
    mutating func useReserve() throws(AuditLogError) {
        isFull = true
        try files.remove(Self.reserve)
    }

    /// Reserves the space again.
    mutating func refillReserve() throws(AuditLogError) {
        try files.remove(Self.reserve)
        do { try Self.make(Self.reserve, [UInt8](repeating: 0, count: AuditLimits.reserve), in: files) } catch {
            try? files.remove(Self.reserve)
            throw error
        }
        isFull = false
    }
}

/// The commits of one file of entries, read from its begin.
struct Replay {
    private(set) var tree: GrowingTree
    private(set) var leaves: [TreeHash] = []
    private(set) var placed: [GrowingTree.Placed] = []
    /// The end of the last commit that is whole.
    private(set) var end: Int
    /// The begin of the last commit that is whole; nil without one.
    private(set) var lastCommit: Int?

    /// Reads a file.
    ///
    /// - Parameter tree: the tree of all entries before.
    /// - Throws: ``AuditLogError/damaged(sequence:)`` if bytes are wrong that were flushed, because more was written
    ///   after them. What follows the last whole commit can be the remains of an interrupted one: at most one commit,
    ///   at the very end.
    init(_ bytes: [UInt8], after tree: GrowingTree) throws(AuditLogError) {
        self.tree = tree
        var records = Segment.Records(bytes)
        end = records.offset
        var next = tree
        var (pending, above): ([TreeHash], [GrowingTree.Placed]) = ([], [])
        reading: while let record = records.next() {
            switch record {
            case .entry(let entry):
                let leaf = TreeHash.leaf(entry)
                pending.append(leaf)
                next.append(leaf) { above.append($0) }
            case .commit(let size, let root):
                guard size == next.size, !pending.isEmpty, root == next.root else { break reading }
                self.tree = next
                leaves += pending
                placed += above
                (pending, above) = ([], [])
                lastCommit = end
                end = records.offset
            }
        }
        let tail = bytes.dropFirst(end)
        guard Segment.canBeInterrupted(tail) else { throw .damaged(sequence: self.tree.size) }
    }
}
