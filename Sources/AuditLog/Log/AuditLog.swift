internal import Encoding
internal import Files
internal import Synchronization
internal import Time

/// An append-only log of security events: encrypted for its owner, in a Merkle tree whose checkpoints are signed.
///
/// When ``append(_:)`` or ``admit(_:)`` returns, the event survives a loss of power. When it throws, the act that was
/// to be logged must not be done. Many callers at once share one flush of the disk.
///
/// ```swift
/// let admission = try await log.admit(.wallet(signing))
/// // sign
/// try await log.append(.wallet(signed(admission.sequence)))
/// ```
public final class AuditLog: Sendable {
    private enum Call {
        /// The caller commits for all who wait.
        case lead
        case done(Result<UInt64, AuditLogError>)
    }

    private struct Item {
        let events: [Committer.Stamped]
        /// Nil for the one who leads.
        var continuation: CheckedContinuation<Call, Never>?
    }

    private struct Queue {
        var waiting: [Item] = []
        var events = 0
        var isLed = false
        var isClosed = false
    }

    private let setup: AuditLogSetup
    private let committer: Committer
    private let queue = Mutex(Queue())
    private let feeds = Mutex<[AuditIdentifier: SinkFeed]>([:])
    /// Checkpoints are signed and kept one after another, so that the last one that is kept is the largest.
    private let checkpointLock = AsyncLock()

    /// The number of bytes that opening removed from the end of the log: a commit that was not finished, or one that
    /// was changed afterwards. No checkpoint has it.
    public let droppedAtOpening: Int

    private init(_ setup: AuditLogSetup, _ committer: Committer, droppedAtOpening: Int = 0) {
        (self.setup, self.committer, self.droppedAtOpening) = (setup, committer, droppedAtOpening)
    }

    deinit {
        // Their tasks end; otherwise they would wait for a batch for ever.
        for feed in feeds.withLock({ Array($0.values) }) { feed.remove() }
    }

    // MARK: Opening and closing

    /// Makes a new log in a folder, which is made if it is missing.
    ///
    /// - Throws: ``AuditLogError/alreadyExists`` if the folder has a log, and ``AuditLogError/rolledBack(size:expected:)``
    ///   if checkpoints of this origin were signed before: the log was removed.
    public static func create(_ setup: AuditLogSetup) async throws(AuditLogError) -> AuditLog {
        // A folder that this made would be in the way of the one that is put back.
        if !FolderCreation.isOccupied(setup.folder) { try await requireNothingKnown(setup) }
        let lock: FileLock
        do {
            try FolderCreation.make(setup.folder)
            lock = try FileLock(on: setup.folder + "/log")
        } catch { throw AuditLogError(error) }
        let files = try DiskFiles(at: setup.folder, isWritable: true)
        return try await create(setup, in: files, lock: lock)
    }

    static func create(
        _ setup: AuditLogSetup, in files: any LogFiles, lock: FileLock?
    ) async throws(AuditLogError) -> AuditLog {
        guard try !isThere(in: files) else { throw .alreadyExists }
        try await requireNothingKnown(setup)
        let writer = try LogWriter.create(setup.identity, in: files, segmentEntries: setup.segmentEntries)
        // A secret of an earlier log at this place would tie the new log to it.
        return AuditLog(setup, Committer(setup, writer: writer, lock: lock, lastEpoch: try await lastEpoch(setup)))
    }

    /// Opens a log for writing.
    ///
    /// A commit at the end that was interrupted is removed, and the removal is logged.
    /// - Throws: ``AuditLogError/rolledBack(size:expected:)`` or ``AuditLogError/forked(size:)`` if the log does not
    ///   continue the last checkpoint that was signed, or a state in ``AuditLogSetup/known``; nothing is changed.
    public static func open(
        _ setup: AuditLogSetup, missingSecret: AuditLogSetup.MissingSecret = .refused
    ) async throws(AuditLogError) -> AuditLog {
        let files = try DiskFiles(at: setup.folder, isWritable: true)
        let lock: FileLock
        do { lock = try FileLock(on: setup.folder + "/log") } catch { throw AuditLogError(error) }
        return try await open(setup, in: files, lock: lock, missingSecret: missingSecret)
    }

    static func open(
        _ setup: AuditLogSetup, in files: any LogFiles, lock: FileLock?, missingSecret: AuditLogSetup.MissingSecret
    ) async throws(AuditLogError) -> AuditLog {
        let (writer, dropped) = try LogWriter.open(
            setup.identity, in: files, known: try await known(setup), segmentEntries: setup.segmentEntries)
        let inLog = try LogReader(files: files, identity: setup.identity).lastEpoch(below: writer.tree.size)
        let inStore = try await lastEpoch(setup)
        // An epoch's secret is stored before its first event: an older one comes from a copy of the store.
        if let needed = inLog?.withEntries, inStore.map({ $0 < needed }) ?? true, missingSecret == .refused {
            throw .epochSecretMissing
        }
        // The begin of an epoch is in the log before the store has its secret.
        if let inStore, inStore > inLog?.epoch ?? 0 || inLog == nil {
            throw .rolledBack(size: writer.tree.size, expected: writer.tree.size + 1)
        }
        let last = inLog?.epoch
        let log = AuditLog(
            setup, Committer(setup, writer: writer, lock: lock, lastEpoch: last), droppedAtOpening: dropped)
        if dropped > 0 {
            _ = try await log.append(.log(.tailDropped(bytes: UInt32(clamping: dropped))))
        }
        return log
    }

    private static func isThere(in files: any LogFiles) throws(AuditLogError) -> Bool {
        do {
            _ = try LogWriter.identity(in: files)
            return true
        } catch .notFound { return false }
    }

    private static func kept(_ setup: AuditLogSetup) async throws(AuditLogError) -> Checkpoint? {
        do {
            return try await setup.checkpoints.last(of: setup.identity.origin).flatMap { note in
                try Checkpoint(parsing: note.text)
            }
        } catch { throw .portFailed(.checkpoints) }
    }

    /// Returns the states with which the log is compared.
    private static func known(_ setup: AuditLogSetup) async throws(AuditLogError) -> [Checkpoint] {
        guard setup.known.allSatisfy({ $0.origin == setup.identity.origin }) else { throw .otherLog }
        return setup.known + (try await kept(setup).map { [$0] } ?? [])
    }

    /// Checks that no log of this origin is known to have entries: it was removed.
    private static func requireNothingKnown(_ setup: AuditLogSetup) async throws(AuditLogError) {
        if let most = try await known(setup).map(\.size).max(), most > 0 {
            throw .rolledBack(size: 0, expected: most)
        }
    }

    private static func lastEpoch(_ setup: AuditLogSetup) async throws(AuditLogError) -> UInt32? {
        guard let secret = try await setup.storedSecret() else { return nil }
        return secret.epoch
    }

    /// Logs the end, signs a last checkpoint, and refuses further events.
    ///
    /// - Throws: the errors of ``append(_:)`` and ``checkpoint()``. The log is closed in any case.
    @discardableResult
    public func close() async throws(AuditLogError) -> SignedNote {
        let end = await result(of: [.log(.closed)], closing: true)
        let size = await committer.size
        for feed in feeds.withLock({ Array($0.values) }) {
            // The deadline of the sink bounds this wait.
            if feed.isRequired { _ = await feed.hasTaken(through: size) }
            feed.remove()
        }
        let note: Result<SignedNote, AuditLogError>
        do { note = .success(try await checkpoint()) } catch { note = .failure(error) }
        // A checkpoint of another caller that is under way is finished first.
        await checkpointLock.lock()
        await committer.unlock()
        checkpointLock.unlock()
        _ = try end.get()
        return try note.get()
    }

    // MARK: Logging

    /// The number of entries that are durable.
    public var size: UInt64 { get async { await committer.size } }

    /// The present state of the log, without a signature.
    public var state: Checkpoint { get async throws(AuditLogError) { try await committer.checkpoint() } }

    /// Appends an event. When it returns, the event survives a loss of power.
    ///
    /// - Returns: its sequence number.
    /// - Throws: ``AuditLogError``: the event is not logged, or not certainly.
    @discardableResult
    public func append(_ event: AuditEvent) async throws(AuditLogError) -> UInt64 {
        try await result(of: [event]).get()
    }

    /// Appends events in order, with as few flushes as possible. If it throws, the first of them may be logged.
    ///
    /// - Returns: the sequence number of the first.
    @discardableResult
    public func append(contentsOf events: [AuditEvent]) async throws(AuditLogError) -> UInt64 {
        guard !events.isEmpty, events.count <= AuditLimits.commitEntries else { throw .outsideLimits }
        return try await result(of: events).get()
    }

    /// Logs an act before it is done. When it returns, the event is durable here and in every required sink.
    ///
    /// - Returns: the permission to do the act, which functions that act take as a parameter.
    /// - Throws: ``AuditLogError``: the act must not be done.
    public func admit(_ event: AuditEvent) async throws(AuditLogError) -> Admission {
        let sequence = try await append(event)
        for feed in feeds.withLock({ $0.values.filter(\.isRequired) }) {
            guard await feed.hasTaken(through: sequence + 1) else {
                throw .sinkFailed(String(decoding: feed.name.bytes, as: UTF8.self))
            }
        }
        return Admission(sequence: sequence)
    }

    private func result(of events: [AuditEvent], closing: Bool = false) async -> Result<UInt64, AuditLogError> {
        let call = await withCheckedContinuation { continuation in
            let call = queue.withLock { queue -> Call? in
                guard !queue.isClosed else { return .done(.failure(.closed)) }
                if closing { queue.isClosed = true }
                // The end of the log is one event more than the limit at most.
                guard closing || queue.events + events.count <= AuditLimits.waitingEvents else {
                    return .done(.failure(.overloaded))
                }
                // The time is taken here, so that times are in the order of the log.
                let stamped = events.map { (setup.now(), $0) }
                queue.events += events.count
                queue.waiting.append(Item(events: stamped, continuation: queue.isLed ? continuation : nil))
                guard queue.isLed else {
                    queue.isLed = true
                    return .lead
                }
                return nil
            }
            if let call { continuation.resume(returning: call) }
        }
        switch call {
        case .done(let result): return result
        case .lead:
            // Tasks that are ready now join this commit. Without it, each would commit for itself, because a task that
            // meets a free actor goes through without waiting.
            await Task.yield()
            return await commitBatch()
        }
    }

    /// Commits the first of those who wait, who is the caller, and as many others as one commit takes.
    private func commitBatch() async -> Result<UInt64, AuditLogError> {
        let batch = queue.withLock { queue in
            var (count, events) = (0, 0)
            for item in queue.waiting {
                guard count == 0 || events + item.events.count <= AuditLimits.commitEntries else { break }
                (count, events) = (count + 1, events + item.events.count)
            }
            let batch = Array(queue.waiting.prefix(count))
            queue.waiting.removeFirst(count)
            queue.events -= events
            return batch
        }
        var results: [Result<UInt64, AuditLogError>]
        do {
            let numbers = try await committer.append(batch.flatMap(\.events))
            var rest = numbers[...]
            results = batch.map { item in
                defer { rest = rest.dropFirst(item.events.count) }
                return rest.first.map { .success($0) } ?? .failure(.broken)
            }
        } catch {
            results = batch.map { _ in .failure(error) }
        }
        for commit in await committer.takeBatches() { offer(commit) }
        // One of those who wait leads the next commit, so that no caller commits for others without end.
        let next = queue.withLock { queue -> CheckedContinuation<Call, Never>? in
            guard !queue.waiting.isEmpty else {
                queue.isLed = false
                return nil
            }
            defer { queue.waiting[0].continuation = nil }
            return queue.waiting[0].continuation
        }
        next?.resume(returning: .lead)
        for (item, result) in zip(batch, results) { item.continuation?.resume(returning: .done(result)) }
        return results.first ?? .failure(.broken)
    }

    // MARK: Sinks

    /// Adds a second place for entries, from the next one on.
    ///
    /// - Parameters:
    ///   - name: not the name of another sink.
    ///   - isRequired: whether ``admit(_:)`` waits for it.
    ///   - deadline: the time in which it has to take a batch. Afterwards it gets no more, and a required sink makes
    ///     ``admit(_:)`` throw until it is removed.
    /// - Throws: ``AuditLogError/alreadyExists``.
    public func add(
        _ sink: any AuditSink, named name: AuditIdentifier, isRequired: Bool, deadline: Duration,
        clock: any Clock<Duration>
    ) async throws(AuditLogError) {
        let feed = SinkFeed(
            sink, name: name, isRequired: isRequired, deadline: deadline, clock: clock)
        let isNew = feeds.withLock { feeds in
            guard feeds[name] == nil else { return false }
            feeds[name] = feed
            return true
        }
        guard isNew else { throw .alreadyExists }
        // The feed is known before commits are kept, so that it misses none of them.
        feed.run(from: await committer.keepBatches()) { [weak self] in await self?.sinkFailed(name) }
    }

    /// Removes a sink, and logs that. It neither asks nor waits for the sink; those who wait for it go on.
    ///
    /// - Throws: ``AuditLogError/notFound``, and the errors of ``append(_:)``: the sink is removed anyway.
    public func removeSink(_ name: AuditIdentifier) async throws(AuditLogError) {
        guard let feed = feeds.withLock({ $0.removeValue(forKey: name) }) else { throw .notFound }
        feed.remove()
        try await append(.log(.sinkRemoved(name)))
    }

    private func offer(_ batch: SinkBatch) {
        for feed in feeds.withLock({ Array($0.values) }) where !feed.offer(batch) {
            let name = feed.name
            // This is the task that commits; it cannot wait for another commit.
            Task { await sinkFailed(name) }
        }
    }

    private func sinkFailed(_ name: AuditIdentifier) async {
        _ = await result(of: [.log(.sinkFailed(name))])
    }

    // MARK: Checkpoints and proofs

    /// Signs the present state of the log. The store keeps the note before this function returns it.
    ///
    /// - Throws: ``AuditLogError/portFailed(_:)``, and ``AuditLogError/forked(size:)`` or
    ///   ``AuditLogError/rolledBack(size:expected:)`` instead of signing what contradicts the last checkpoint.
    public func checkpoint() async throws(AuditLogError) -> SignedNote {
        await checkpointLock.lock()
        defer { checkpointLock.unlock() }
        let checkpoint = try await committer.checkpoint()
        if let kept = try await Self.kept(setup) {
            guard kept.size <= checkpoint.size else { throw .rolledBack(size: checkpoint.size, expected: kept.size) }
            guard try await committer.root(at: kept.size) == kept.root else { throw .forked(size: kept.size) }
        }
        let signature: [UInt8]
        do { signature = try await setup.signer.sign([UInt8](checkpoint.text.utf8)) } catch {
            throw .portFailed(.signer)
        }
        let note = SignedNote(text: checkpoint.text, signatures: [.init(by: setup.signer.key, signature)])
        guard Checkpoint(note, signedBy: setup.signer.key) == checkpoint else { throw .portFailed(.signer) }
        do { try await setup.checkpoints.keep(note, of: checkpoint) } catch AuditLogError.diskFull {
            throw .diskFull
        } catch { throw .portFailed(.checkpoints) }
        return note
    }

    /// Signs a checkpoint, has it cosigned by a witness, and logs that.
    ///
    /// - Returns: the checkpoint with the signatures of the log and the witness. The store keeps it.
    /// - Throws: ``AuditLogError/rolledBack(size:expected:)`` if the witness has seen a longer log,
    ///   ``AuditLogError/forked(size:)`` if it has seen another one, ``AuditLogError/witnessRefused(_:)``, and
    ///   ``AuditLogError/badWitnessAnswer(_:)``.
    public func checkpoint(witnessedBy link: any WitnessLink) async throws(AuditLogError) -> SignedNote {
        let note = try await checkpoint()
        guard let own = Checkpoint(note, signedBy: setup.signer.key) else { throw .portFailed(.signer) }
        let cosigned = try await cosigned(note, own, by: link)
        await checkpointLock.lock()
        do {
            defer { checkpointLock.unlock() }
            try await setup.checkpoints.keep(cosigned, of: own)
        } catch AuditLogError.diskFull {
            throw .diskFull
        } catch { throw .portFailed(.checkpoints) }
        if let name = try? AuditIdentifier(TreeHash.plain([UInt8](link.key.text.utf8)).bytes) {
            try await append(.log(.witnessed(by: name, size: own.size)))
        }
        return cosigned
    }

    private func cosigned(
        _ note: SignedNote, _ own: Checkpoint, by link: any WitnessLink
    ) async throws(AuditLogError) -> SignedNote {
        // Only the witness knows its last size. The first request asks for it; a size that is known from elsewhere can
        // be ahead of a witness that was restored.
        var old: UInt64 = 0
        for _ in 0..<3 {
            let proof = try await committer.consistencyProof(from: old, to: own.size)
            let request = WitnessRequest(old: old, proof: proof, checkpoint: note)
            let answer: Result<[SignedNote.Signature], WitnessRefusal>
            do { answer = try await link.answer(to: request) } catch is EncodingError {
                throw .badWitnessAnswer(.malformed)
            } catch { throw .portFailed(.witness) }
            switch answer {
            case .success(let signatures):
                // One suffices. With all that a witness sends, the note could be too long for the store to read.
                let cosigned = note.adding(Array(signatures.filter { $0.isBy(link.key) }.prefix(1)))
                guard let time = cosigned.cosignatureTimes(by: link.key)?.last else {
                    throw .badWitnessAnswer(.cosignature)
                }
                let now = UInt64(clamping: setup.now().wall.seconds)
                guard max(time, now) - min(time, now) <= AuditLimits.cosignatureClock else {
                    throw .badWitnessAnswer(.time)
                }
                return cosigned
            // The size is the one that was asked for: the roots differ.
            case .failure(.otherSize(let size)) where size == old && size == own.size: throw .forked(size: size)
            case .failure(.otherSize(let size)):
                guard size <= own.size else { throw .rolledBack(size: own.size, expected: size) }
                old = size
            case .failure(.otherRoot(let size)): throw .forked(size: size)
            case .failure(.inconsistent): throw .forked(size: old)
            case .failure(let refusal): throw .witnessRefused(refusal)
            }
        }
        // The witness gave another size each time: several copies of this log are in use, or it does not answer
        // truthfully.
        throw .witnessRefused(.otherSize(old))
    }

    /// Proves that the log has an entry, in a checkpoint of this log.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` if the checkpoint does not contain the entry or is not this log's.
    public func proof(of sequence: UInt64, in note: SignedNote) async throws(AuditLogError) -> EntryProof {
        guard let checkpoint = Checkpoint(note, signedBy: setup.signer.key), sequence < checkpoint.size,
            await committer.size >= checkpoint.size
        else { throw .outsideLimits }
        return EntryProof(
            index: sequence, path: try await committer.inclusionProof(of: sequence, in: checkpoint),
            checkpoint: note)
    }
}

/// The permission to do an act, which has been logged.
public struct Admission: Sendable {
    /// The sequence number of the event.
    public let sequence: UInt64
}
