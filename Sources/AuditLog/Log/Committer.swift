internal import Crypto
internal import Files
internal import Secrets
internal import Time

/// The only writer of a log: it seals events, commits them, and begins epochs.
///
/// - Note: A commit blocks the thread that it runs on until the disk has flushed.
actor Committer {
    /// An event and its time.
    typealias Stamped = (time: ClockReading, event: AuditEvent)

    private let setup: AuditLogSetup
    private var lock: FileLock?
    /// Whether another program may have the log open: then this one neither signs nor writes.
    private var isUnlocked = false
    private var writer: LogWriter
    /// Nil before the first epoch of this opening, and after a failed commit.
    private var epoch: Epoch?
    /// The number of the last epoch in the log; nil before the first one.
    private var lastEpoch: UInt32?
    private var lastWall: Timestamp?
    private var isFullRecorded = false
    /// The commits that no sink has got yet. They include those of calls that failed later.
    private var batches: [SinkBatch] = []
    private var hasSinks = false

    private struct Epoch {
        let number: UInt32
        let key: SymmetricKey
        let began: ClockReading
        var entries: UInt64 = 0
    }

    init(_ setup: AuditLogSetup, writer: LogWriter, lock: FileLock?, lastEpoch: UInt32?) {
        (self.setup, self.writer, self.lock, self.lastEpoch) = (setup, writer, lock, lastEpoch)
    }

    var size: UInt64 { writer.tree.size }
    var root: TreeHash { writer.tree.root }

    /// Appends events durably, in as few commits as possible.
    ///
    /// - Returns: their sequence numbers.
    func append(_ events: [Stamped]) async throws(AuditLogError) -> [UInt64] {
        guard !writer.isBroken else { throw .broken }
        if writer.isFull { try await leaveFullDisk() }
        do {
            return try await commit(events)
        } catch .diskFull where !writer.isBroken {
            await recordFullDisk()
            throw .diskFull
        }
    }

    private func commit(_ events: [Stamped]) async throws(AuditLogError) -> [UInt64] {
        var numbers: [UInt64] = []
        var rest = events[...]
        while let first = rest.first {
            if needsEpoch(at: first.time) { try await beginEpoch(at: first.time) }
            guard var epoch else { throw .broken }
            let left = Int(clamping: setup.epochLength.entries - epoch.entries)
            var records: [AuditRecord] = []
            while let (time, event) = rest.first, records.count < min(writer.room, max(left, 1)) {
                // The report of the clock takes one more place; it belongs before the event.
                if let back = clockWentBack(at: time), records.count + 1 < writer.room {
                    records.append(AuditRecord(time: time, event: .log(.clockWentBack(milliseconds: back))))
                    lastWall = time.wall
                    continue
                }
                lastWall = max(lastWall ?? time.wall, time.wall)
                numbers.append(writer.tree.size + UInt64(records.count))
                records.append(AuditRecord(time: time, event: event))
                rest = rest.dropFirst()
            }
            let entries = seal(records, key: epoch.key, epoch: epoch.number, opening: nil)
            try commit(entries: entries)
            epoch.entries += UInt64(entries.count)
            self.epoch = epoch
        }
        return numbers
    }

    private func clockWentBack(at time: ClockReading) -> UInt64? {
        guard let back = lastWall?.since(time.wall).milliseconds, back > AuditLimits.clockTolerance else { return nil }
        return UInt64(back)
    }

    private func seal(
        _ records: [AuditRecord], key: SymmetricKey, epoch: UInt32, opening: SealedEntry.Opening?
    ) -> [[UInt8]] {
        // All nonces by one system call.
        let nonces = setup.random.publicBytes(count: records.count * SealedEntry.nonceSize)
        return records.enumerated().map { offset, record in
            SealedEntry.seal(
                record, key: key, epoch: epoch,
                nonce: Array(nonces.dropFirst(offset * SealedEntry.nonceSize).prefix(SealedEntry.nonceSize)),
                opening: opening, log: writer.log, sequence: writer.tree.size + UInt64(offset))
        }
    }

    private func commit(entries: [[UInt8]]) throws(AuditLogError) {
        let first = writer.tree.size
        try writer.commit(entries)
        guard hasSinks else { return }
        batches.append(SinkBatch(first: first, entries: entries, size: writer.tree.size, root: writer.tree.root))
    }

    /// Begins to keep commits for sinks.
    ///
    /// - Returns: the size of the log, from which on they are kept.
    func keepBatches() -> UInt64 {
        hasSinks = true
        return size
    }

    /// Returns the commits since the last call, in order.
    func takeBatches() -> [SinkBatch] {
        defer { batches = [] }
        return batches
    }

    // MARK: Epochs

    private func needsEpoch(at time: ClockReading) -> Bool {
        guard let epoch else { return true }
        return epoch.entries >= setup.epochLength.entries
            || time.uptime - epoch.began.uptime >= setup.epochLength.time
    }

    /// Begins an epoch with an entry of its own.
    ///
    /// The entry is committed before the store gets the new secret, and the store has it before any other entry of the
    /// epoch. So whatever is interrupted, the store has the secret of the last epoch with entries; the next epoch names
    /// the one from which it was made.
    private func beginEpoch(at time: ClockReading) async throws(AuditLogError) {
        epoch = nil
        let fresh = SecretBytes(count: 32, from: setup.random)
        let stored = try await setup.storedSecret()
        let number = (lastEpoch.map { $0 &+ 1 }) ?? 0
        guard number > 0 || lastEpoch == nil else { throw .outsideLimits }
        let secret: EpochSecret
        let predecessor: UInt32?
        if let stored {
            secret = stored.next(number, fresh: fresh, of: writer.log)
            predecessor = stored.epoch
        } else {
            secret = EpochSecret(first: number, fresh: fresh, of: writer.log)
            predecessor = nil
        }
        let context = Envelope.context(log: writer.log, sequence: writer.tree.size)
        let opening = SealedEntry.Opening(
            predecessor: predecessor,
            envelope: try Envelope.seal(secret.forReader(fresh: fresh), to: setup.identity.reader, context: context))
        let key = secret.entryKey()
        let record = AuditRecord(time: time, event: .log(.epochBegan))
        try commit(entries: seal([record], key: key, epoch: number, opening: opening))
        lastEpoch = number
        do { try await setup.secrets.replace(with: secret.stored()) } catch AuditLogError.diskFull {
            throw .diskFull
        } catch { throw .portFailed(.epochSecrets) }
        epoch = Epoch(number: number, key: key, began: time, entries: 1)
    }

    // MARK: A full disk

    /// Records with the reserved space that the disk is full. If even that fails, the refusal of the act is the only
    /// trace.
    private func recordFullDisk() async {
        guard !isFullRecorded else { return }
        isFullRecorded = true
        // An interrupted commit may have left bytes on the disk: see `SealedEntry.seal` for why that is harmless.
        do {
            try writer.useReserve()
            _ = try await commit([(setup.now(), .log(.diskFull))])
        } catch {}
    }

    private func leaveFullDisk() async throws(AuditLogError) {
        try writer.refillReserve()
        isFullRecorded = false
        _ = try await commit([(setup.now(), .log(.spaceRestored))])
    }

    /// Lets other programs open the log.
    func unlock() { (lock, isUnlocked) = (nil, true) }

    // MARK: Reading

    /// Returns the state of the log, for a checkpoint.
    func checkpoint() throws(AuditLogError) -> Checkpoint {
        guard !isUnlocked else { throw .closed }
        return try Checkpoint(origin: setup.identity.origin, size: size, root: root)
    }

    func consistencyProof(from old: UInt64, to new: UInt64) throws(AuditLogError) -> [TreeHash] {
        try withHashes { levels throws(AuditLogError) in
            let proof = try levels.consistencyProof(from: old, to: new)
            let isValid = TreeProof.verifies(
                consistencyFrom: old, root: try levels.root(size: old), to: new, root: try levels.root(size: new),
                proof: proof)
            return isValid ? proof : nil
        }
    }

    func inclusionProof(of index: UInt64, in tree: Checkpoint) throws(AuditLogError) -> [TreeHash] {
        try withHashes { levels throws(AuditLogError) in
            let path = try levels.inclusionProof(of: index, size: tree.size)
            let leaf = try levels.tile(level: 0, index: index >> 8, width: Int(index & 0xFF) + 1).last ?? .empty
            let isValid = TreeProof.verifies(
                inclusionOf: leaf, at: index, path: path, size: tree.size, root: tree.root)
            return isValid ? path : nil
        }
    }

    /// Makes a proof of the stored hashes. If it is not valid, the hashes are made again, once.
    private func withHashes(
        _ prove: (LevelFiles) throws(AuditLogError) -> [TreeHash]?
    ) throws(AuditLogError) -> [TreeHash] {
        try writer.completeHashes()
        if let proof = try? prove(writer.levels) { return proof }
        try writer.rebuildHashes()
        guard let proof = try prove(writer.levels) else { throw .forked(size: writer.tree.size) }
        return proof
    }

    func root(at size: UInt64) throws(AuditLogError) -> TreeHash {
        try writer.completeHashes()
        return try writer.root(at: size)
    }
}
