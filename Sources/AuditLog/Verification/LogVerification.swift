/// Verifies a log: its tree, the checkpoints that were kept elsewhere, and, with the owner's key, each entry.
public struct LogVerification {
    private let reader: LogReader
    private var tree = GrowingTree()
    private var findings: [VerificationReport.Finding] = []
    private var checkpoints: [UInt64: [TreeHash]]
    private var lastMatching: UInt64 = 0
    private var opening: EntryOpening?
    /// The stored hashes of the leaves of the present tile.
    private var stored: (tile: UInt64, hashes: [TreeHash]) = (.max, [])
    private let visit: (UInt64, AuditRecord) -> Void

    /// Verifies a log, and reads it if the key is given.
    ///
    /// - Parameters:
    ///   - identity: the expected identity.
    ///   - checkpoints: those that the caller keeps or has from witnesses, with verified signatures. Without any, an
    ///     earlier state of the log, and one that someone with its keys made, cannot be told from the log.
    ///   - key: the owner's key. Nil verifies the tree alone.
    ///   - visit: is called with each entry that was opened, in order.
    /// - Throws: ``AuditLogError`` if the system cannot read the files. The report contains the faults of the log.
    public static func report(
        on reader: LogReader, identity: LogIdentity, checkpoints: [Checkpoint], key: ReaderKey?,
        visit: @escaping (UInt64, AuditRecord) -> Void = { _, _ in }
    ) throws(AuditLogError) -> VerificationReport {
        var verification = LogVerification(reader, checkpoints: checkpoints, visit: visit)
        if reader.identity != identity || checkpoints.contains(where: { $0.origin != identity.origin }) {
            verification.findings.append(.otherLog)
        }
        if key != nil { verification.opening = EntryOpening(log: identity.digest) }
        try verification.walk(key)
        return VerificationReport(
            size: verification.tree.size, root: verification.tree.root, findings: verification.findings)
    }

    private init(
        _ reader: LogReader, checkpoints: [Checkpoint], visit: @escaping (UInt64, AuditRecord) -> Void
    ) {
        (self.reader, self.visit) = (reader, visit)
        self.checkpoints = Dictionary(grouping: checkpoints, by: \.size).mapValues { $0.map(\.root) }
    }

    private mutating func walk(_ key: ReaderKey?) throws(AuditLogError) {
        compareCheckpoint(tree)
        let starts = try reader.files.segmentStarts()
        if starts.isEmpty { findings.append(.damaged(sequence: 0)) }
        for start in starts {
            guard start == tree.size else {
                findings.append(
                    start > tree.size ? .gap(from: tree.size, to: start) : .damaged(sequence: start))
                break
            }
            guard try walk(segment: start, isLast: start == starts.last, key) else { break }
        }
        if let longest = checkpoints.keys.max(), longest > tree.size, !findings.contains(where: \.isFault) {
            findings.append(.truncated(size: tree.size, expected: longest))
        }
    }

    /// Returns whether the file is whole, so that the next one can be read.
    private mutating func walk(
        segment start: UInt64, isLast: Bool, _ key: ReaderKey?
    ) throws(AuditLogError) -> Bool {
        let bytes: [UInt8]
        do { bytes = try reader.files.segment(at: start) } catch .outsideLimits {
            findings.append(.damaged(sequence: start))
            return false
        }
        guard let header = Segment.Header(decoding: bytes.prefix(Segment.headerSize)) else {
            let isInterrupted = isLast && start > 0 && bytes.count <= Segment.headerSize
            findings.append(
                isInterrupted
                    ? .unfinishedCommit(sequence: start, bytes: bytes.count) : .damaged(sequence: start))
            return false
        }
        guard header == Segment.Header(log: reader.identity.digest, start: start, root: tree.root) else {
            findings.append(.changed(sequence: start))
            return false
        }
        var records = Segment.Records(bytes)
        var end = records.offset
        var next = tree
        var pending: [(entry: ArraySlice<UInt8>, leaf: TreeHash)] = []
        while let record = records.next() {
            switch record {
            case .entry(let entry):
                let leaf = TreeHash.leaf(entry)
                pending.append((entry, leaf))
                next.append(leaf) { _ in }
            case .commit(let size, let root):
                guard size == next.size, root == next.root, !pending.isEmpty else {
                    // The last commit of the log can be torn; every other one was flushed.
                    if isLast, records.isAtEnd { return report(tail: bytes.count - end) }
                    findings.append(.changed(sequence: try firstChanged(pending.map(\.leaf))))
                    return false
                }
                for (entry, leaf) in pending { try take(entry, leaf, key) }
                pending.removeAll(keepingCapacity: true)
                end = records.offset
            }
        }
        let tail = bytes.dropFirst(end)
        guard !tail.isEmpty else { return true }
        if isLast, Segment.canBeInterrupted(tail) { return report(tail: tail.count) }
        findings.append(.damaged(sequence: try firstChanged(pending.map(\.leaf))))
        return false
    }

    private mutating func report(tail bytes: Int) -> Bool {
        findings.append(.unfinishedCommit(sequence: tree.size, bytes: bytes))
        return false
    }

    /// Returns the first of some entries after the verified ones whose hash is not the stored one.
    private mutating func firstChanged(_ leaves: [TreeHash]) throws(AuditLogError) -> UInt64 {
        for (offset, leaf) in leaves.enumerated() {
            let sequence = tree.size + UInt64(offset)
            if let stored = try storedLeaf(sequence), stored != leaf { return sequence }
        }
        return tree.size + UInt64(leaves.count)
    }

    private mutating func storedLeaf(_ sequence: UInt64) throws(AuditLogError) -> TreeHash? {
        if stored.tile != sequence >> 8 {
            let name = LevelFiles.name(0)
            let offset = Int(sequence >> 8) * 256 * TreeHash.size
            let exists = try reader.files.size(of: name) != nil
            let bytes = exists ? try reader.files.read(name, from: offset, count: 256 * TreeHash.size) : []
            stored = (sequence >> 8, LevelFiles.hashes(bytes))
        }
        return stored.hashes.dropFirst(Int(sequence & 0xFF)).first
    }

    private mutating func take(
        _ entry: ArraySlice<UInt8>, _ leaf: TreeHash, _ key: ReaderKey?
    ) throws(AuditLogError) {
        let sequence = tree.size
        if try storedLeaf(sequence) != leaf, !findings.contains(where: { $0.isHashesDiffer }) {
            findings.append(.hashesDiffer(sequence: sequence))
        }
        tree.append(leaf) { _ in }
        compareCheckpoint(tree)
        guard opening != nil else { return }
        let opened = opening?.open(entry, sequence: sequence, key)
        findings += opened?.findings ?? []
        if let record = opened?.record { visit(sequence, record) }
    }

    private mutating func compareCheckpoint(_ tree: GrowingTree) {
        guard let roots = checkpoints[tree.size] else { return }
        guard roots.allSatisfy({ $0 == tree.root }) else {
            if !findings.contains(where: { $0.isForked }) {
                findings.append(.forked(after: lastMatching, before: tree.size))
            }
            return
        }
        lastMatching = tree.size
    }
}

extension VerificationReport.Finding {
    fileprivate var isHashesDiffer: Bool { if case .hashesDiffer = self { true } else { false } }
    fileprivate var isForked: Bool { if case .forked = self { true } else { false } }
}
