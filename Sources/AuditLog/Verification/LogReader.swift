internal import Files

/// A log that is open for reading. It takes no lock and changes nothing: another program may be writing.
public struct LogReader: Sendable {
    let files: any LogFiles
    /// The identity by the log's own description, which the caller compares with the expected one.
    public let identity: LogIdentity

    /// Opens a log.
    ///
    /// - Throws: ``AuditLogError/notFound``, or ``AuditLogError/damaged(sequence:)`` if its description is.
    public init(at folder: String) throws(AuditLogError) {
        files = try DiskFiles(at: folder, isWritable: false)
        identity = try LogWriter.identity(in: files)
    }

    init(files: any LogFiles, identity: LogIdentity) {
        self.files = files
        self.identity = identity
    }

    /// The number of entries that are committed. It is not verified.
    public var size: UInt64 {
        get throws(AuditLogError) {
            guard let start = try files.segmentStarts().last else { return 0 }
            return start + UInt64(Self.entries(in: try files.segment(at: start)).count)
        }
    }

    /// Returns the last epoch of the log, and the last one that has entries besides its opening.
    func lastEpoch(below size: UInt64) throws(AuditLogError) -> (epoch: UInt32, withEntries: UInt32?)? {
        var epoch: UInt32?
        for start in try files.segmentStarts().reversed() where start < size {
            // Of up to 16,384 entries only the last ones are decoded.
            let entries = Self.entries(in: try files.segment(at: start)).lazy.map { SealedEntry(decoding: $0) }
            guard let last = entries.last else { continue }
            guard let number = last?.epoch else { throw .damaged(sequence: start + UInt64(entries.count) - 1) }
            let known = epoch ?? number
            epoch = known
            if let found = entries.last(where: { $0?.opening == nil }) { return (known, found?.epoch) }
        }
        return epoch.map { ($0, nil) }
    }

    /// Returns the entries of a file that are committed.
    private static func entries(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var records = Segment.Records(bytes)
        var (committed, pending): ([ArraySlice<UInt8>], [ArraySlice<UInt8>]) = ([], [])
        while let record = records.next() {
            switch record {
            case .entry(let entry): pending.append(entry)
            case .commit:
                committed += pending
                pending = []
            }
        }
        return committed
    }

    /// Returns the sealed bytes of entries.
    ///
    /// - Parameter range: in one tile: entries of one file.
    /// - Throws: ``AuditLogError/outsideLimits`` if the log does not have them.
    public func entries(_ range: Range<UInt64>) throws(AuditLogError) -> [[UInt8]] {
        var segment = ReadSegment()
        return try entries(range, in: &segment)
    }

    /// The entries of the segment that was read last.
    private struct ReadSegment {
        var start: UInt64 = 0
        var entries: [ArraySlice<UInt8>] = []
    }

    private func entries(
        _ range: Range<UInt64>, in read: inout ReadSegment
    ) throws(AuditLogError) -> [[UInt8]] {
        if !(read.start..<(read.start + UInt64(read.entries.count))).contains(range.lowerBound) {
            let start = try files.segmentStarts().last { $0 <= range.lowerBound }
            guard let start else { throw .outsideLimits }
            read = ReadSegment(start: start, entries: Self.entries(in: try files.segment(at: start)))
        }
        let (first, last) = (range.lowerBound - read.start, range.upperBound - read.start)
        guard last <= read.entries.count else { throw .outsideLimits }
        return read.entries[Int(first)..<Int(last)].map { Array($0) }
    }

    /// Returns the bytes of a tile or of a bundle, as a server sends them (C2SP tlog-tiles).
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` if the log does not have it.
    private func resource(_ path: TilePath, in read: inout ReadSegment) throws(AuditLogError) -> [UInt8] {
        switch path.content {
        case .hashes(let level):
            return try tree.tile(level: level, index: path.index, width: path.width).flatMap(\.bytes)
        case .entries:
            let first = path.index * 256
            return try entries(first..<(first + UInt64(path.width)), in: &read).flatMap { entry in
                [UInt8(truncatingIfNeeded: entry.count >> 8), UInt8(truncatingIfNeeded: entry.count)] + entry
            }
        }
    }

    /// The hashes of the tree.
    public var tree: some TreeSource { LevelFiles(files: files) }

    /// Returns the proof that the log has an entry in the tree of a checkpoint.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` if the checkpoint is not signed by the key, or does not contain the
    ///   entry; ``AuditLogError/forked(size:)`` if the log has another root at its size;
    ///   ``AuditLogError/damaged(sequence:)`` if the stored hashes or the entry are not those of the checkpoint.
    public func proof(
        of sequence: UInt64, in note: SignedNote, signedBy key: NoteKey
    ) throws(AuditLogError) -> EntryProof {
        guard let checkpoint = Checkpoint(note, signedBy: key), sequence < checkpoint.size else {
            throw .outsideLimits
        }
        guard try tree.root(size: checkpoint.size) == checkpoint.root else { throw .forked(size: checkpoint.size) }
        let proof = EntryProof(
            index: sequence, path: try tree.inclusionProof(of: sequence, size: checkpoint.size), checkpoint: note)
        // The root above is made of few of the stored hashes; the path has others.
        guard let entry = try entries(sequence..<(sequence + 1)).first, proof.verifies(entry, log: key, witnesses: [])
        else { throw .damaged(sequence: sequence) }
        return proof
    }

    /// Writes the log as static files that any client of the specification reads: the checkpoint, its tiles, and the
    /// bundles of entries, which stay sealed. Everything is verified before the first file is written.
    ///
    /// - Parameters:
    ///   - folder: is made if it is missing.
    ///   - note: the checkpoint, which must be this log's.
    ///   - history: earlier checkpoints, in `history/SIZE`.
    /// - Throws: ``AuditLogError/damaged(sequence:)`` if an entry or a stored hash was changed,
    ///   ``AuditLogError/forked(size:)`` if the log has another root than a checkpoint.
    public func export(
        to folder: String, checkpoint note: SignedNote, signedBy key: NoteKey, history: [SignedNote] = []
    ) throws(AuditLogError) {
        guard let checkpoint = Checkpoint(note, signedBy: key) else { throw .outsideLimits }
        var past: [UInt64: SignedNote] = [:]
        var roots = [checkpoint.size: checkpoint.root]
        for earlier in history {
            guard let known = Checkpoint(earlier, signedBy: key), known.size <= checkpoint.size else {
                throw .outsideLimits
            }
            guard roots.updateValue(known.root, forKey: known.size) ?? known.root == known.root else {
                throw .forked(size: known.size)
            }
            past[known.size] = earlier
        }
        try verify(to: checkpoint.size, roots)
        // The checkpoint comes last: a folder with one has all that it needs.
        var segment = ReadSegment()
        for path in TilePath.all(size: checkpoint.size) {
            try Self.write(try resource(path, in: &segment), to: "\(folder)/\(path.text)")
        }
        for (size, earlier) in past { try Self.write(earlier.encoded, to: "\(folder)/history/\(size)") }
        try Self.write(note.encoded, to: "\(folder)/checkpoint")
    }

    /// Verifies that the entries have the stored hashes and these roots, by size.
    private func verify(to size: UInt64, _ roots: [UInt64: TreeHash]) throws(AuditLogError) {
        var computed = GrowingTree()
        if let root = roots[0], root != computed.root { throw .forked(size: 0) }
        var segment = ReadSegment()
        while computed.size < size {
            let first = computed.size
            let count = min(256, size - first)
            let stored = try tree.tile(level: 0, index: first >> 8, width: Int(count))
            var completed: [GrowingTree.Placed] = []
            for (entry, hash) in zip(try entries(first..<(first + count), in: &segment), stored) {
                guard TreeHash.leaf(entry) == hash else { throw .damaged(sequence: computed.size) }
                computed.append(hash) { completed.append($0) }
                if let root = roots[computed.size], root != computed.root { throw .forked(size: computed.size) }
            }
            guard computed.size == first + count else { throw .damaged(sequence: computed.size) }
            for node in completed {
                let tile = try tree.tile(level: node.level, index: node.index >> 8, width: Int(node.index & 0xFF) + 1)
                guard tile.last == node.hash else { throw .damaged(sequence: first) }
            }
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(AuditLogError) {
        do {
            try FolderCreation.make(FolderRelation.folder(of: path))
            try AtomicFile.write(bytes, to: path, replacing: .allowed)
        } catch { throw AuditLogError(error) }
    }
}
