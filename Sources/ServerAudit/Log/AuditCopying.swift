internal import AuditLog
internal import Logging
internal import SQLStore
internal import Secrets
internal import ServerHTTP
internal import Time

/// Copies events from the queue in the store into the audit log, and signs its checkpoints.
///
/// An event is removed from the queue only when the log has it on the disk. The transaction that removes it also notes
/// the state of the log in the store: a log that later has fewer entries, or others, was changed.
actor AuditCopying {
    /// The dependencies of the copying.
    struct Context: Sendable {
        let database: any Database
        let sealer: ColumnSealer
        let places: AuditPlaces
        let signer: Ed25519Signer
        let gate: AuditGate
        let outbox: AuditOutbox
        let published: PublishedCheckpoint
        let clock: @Sendable () -> Timestamp
        let uptime: @Sendable () -> Timestamp.Span
        let random: any RandomSource
        let logger: Logger
        let opening: AuditOpening
    }

    private let context: Context
    /// The open log; nil after a failure, until it is opened again.
    private var log: AuditLog?
    /// The state of the log in the store, as this server wrote it last; nil if the store has none.
    private var stored: LogStateRow?
    /// The state that was to be stored when the store failed: whether it was is not known.
    private var attempted: LogStateRow?
    /// The ids of events that the log has, and that are not yet removed from the queue.
    private var copied: Set<[UInt8]> = []
    /// The events among them whose rows could not be removed.
    private var stuck: Set<[UInt8]> = []
    /// The files of the log after the last copying; nil before, and after a failure.
    private var files: LogFilesState?
    private var isCopying = false
    private var isClosed = false
    private var lastCheckpoint: (size: UInt64, at: Timestamp.Span)?
    private var lastFailure: Timestamp.Span?
    private var lastAdoption: Timestamp.Span?
    /// The rows of other servers that cannot be read, as far as they are counted, and the place of the last one.
    private var foreign = (unreadable: 0, place: AuditQueueEntry.Place.start)

    init(_ context: Context) { self.context = context }

    // MARK: Beginning and ending

    /// Opens the log, and copies all events that wait: for the start of the server.
    ///
    /// - Throws: ``AuditFault`` if the log cannot be opened or written, and ``StoreError``.
    func start() async throws {
        do {
            try await open()
            try await append([event(.configured)])
            try await copyAll()
            try await sign()
            files = LogFilesState(of: context.places.folder)
        } catch let error as AuditLogError { throw AuditFault(error) }
    }

    /// Copies the last events, signs a last checkpoint, and closes the log.
    func close() async {
        await copy()
        isClosed = true
        guard let log else { return }
        self.log = nil
        do {
            let note = try await log.close()
            context.published.set(note)
            let end = try Checkpoint(parsing: note.text)
            _ = try await store(end)
        } catch {
            context.logger.error(
                "audit log closed without a checkpoint", metadata: .of([.reason: "\(ProblemMapping.reason(of: error))"])
            )
        }
    }

    // MARK: Copying

    /// Copies all events that wait, and signs a checkpoint if it is time. A failure shuts the gate until a later call
    /// succeeds.
    func copy() async {
        guard !isCopying, !isClosed else { return }
        isCopying = true
        defer { isCopying = false }
        do {
            // Nothing more is written into files that are not those that the server knows.
            if let files, files != LogFilesState(of: context.places.folder) { log = nil }
            files = nil
            if log == nil { try await open() }
            try await adoptIfDue()
            try await copyAll()
            do { try await signIfDue() } catch AuditLogError.portFailed {
                // Events are logged meanwhile, and the store knows the state of the log.
                lastFailure = context.uptime()
                context.logger.warning("audit log could not sign or keep a checkpoint")
            }
            files = LogFilesState(of: context.places.folder)
            if let fault = context.gate.open() {
                context.logger.notice(
                    "audit log takes events again", metadata: .of([.reason: "\(fault.rawValue)"]))
            }
        } catch let fault as AuditFault {
            await fail(fault)
        } catch let error as AuditLogError {
            await fail(AuditFault(error))
        } catch {
            // The store does not answer. Nothing can be changed, so nothing has to be logged.
            context.logger.warning(
                "audit events were not copied", metadata: .of([.reason: "\(ProblemMapping.reason(of: error))"]))
        }
    }

    /// Shuts the gate, until a later call of ``copy()`` succeeds.
    func fail(_ fault: AuditFault) async {
        // A full disk leaves the log as it was. After every other failure it is opened again, which compares it with
        // the known states.
        if fault != .diskFull, let log {
            self.log = nil
            _ = try? await log.close()
        }
        if context.gate.shut(fault) {
            context.logger.error(
                "audit log takes no events; changes are refused", metadata: .of([.reason: "\(fault.rawValue)"]))
        }
    }

    private func copyAll() async throws {
        let (number, sealer) = (context.outbox.log, context.sealer)
        let mark = context.gate.mark()
        var place = AuditQueueEntry.Place.start
        var wasChanged = false
        while true {
            let after = place
            let entries = try await context.database.read {
                try AuditQueue.next(of: number, after: after, sealer: sealer, in: $0)
            }
            if try await copy(entries) { wasChanged = true }
            guard entries.count >= Int(StoreLimits.rowsAtOnce), let last = entries.last else { break }
            place = last.place
        }
        if try await copyMissing(mark) { wasChanged = true }
        if wasChanged, context.gate.shutForChangedQueue() {
            context.logger.error(
                "audit events were changed or removed in the store; they are logged, and changes are refused",
                metadata: .of([.reason: "\(AuditFault.queueChanged.rawValue)"]))
        }
    }

    /// Copies rows, and sets aside those that cannot be read. The events of this process are copied as they were added.
    ///
    /// - Returns: whether an event of this process was changed, or a row cannot be removed.
    private func copy(_ entries: [AuditQueueEntry]) async throws -> Bool {
        guard !entries.isEmpty else { return false }
        var events: [ServerEvent] = []
        var new: Set<[UInt8]> = []
        var done: [AuditQueueEntry.Place] = []
        var aside: [AuditQueueEntry.Place] = []
        var wasChanged = false
        for entry in entries {
            let id = entry.place.id
            // After a failure of the store the log may have it already.
            if copied.contains(id) || new.contains(id) {
                if stuck.contains(id) { wasChanged = true }
                done.append(entry.place)
                continue
            }
            let own = context.gate.event(id)
            // The operator may have sealed it again, with a key that this server does not have.
            if let own, entry.event != own, !entry.isOfOtherKey { wasChanged = true }
            if let event = Self.event(own ?? entry.event, id) {
                events.append(event)
                new.insert(id)
                done.append(entry.place)
            } else {
                aside.append(entry.place)
            }
        }
        try await append(events)
        copied.formUnion(new)
        context.gate.remove(new)
        guard let log else { throw AuditFault.unwritable }
        let left = try await store(try await log.state, removing: done, settingAside: aside)
        copied.subtract(done.map(\.id))
        copied.formUnion(left)
        stuck = left
        if !aside.isEmpty {
            context.gate.setUnreadable(context.gate.unreadable + aside.count)
            context.logger.error(
                "audit events in the store cannot be read, and were set aside",
                metadata: .of([.count: "\(aside.count)"]))
        }
        return wasChanged
    }

    /// Returns the event of a row; nil if it is not one, or another.
    private static func event(_ bytes: [UInt8]?, _ id: [UInt8]) -> ServerEvent? {
        guard let bytes, let event = try? ServerEvent(decoding: bytes), event.id.bytes == id else { return nil }
        return event
    }

    /// Copies the events of this process that were committed, and were not in the queue.
    ///
    /// - Returns: whether there is one that no other server can have taken over.
    private func copyMissing(_ mark: AuditGate.Mark) async throws -> Bool {
        let missing = context.gate.missing(mark)
        guard !missing.isEmpty else { return false }
        try await append(missing.compactMap { Self.event($0.row.event, $0.row.id) })
        context.gate.remove(missing.map(\.row.id))
        guard let log else { throw AuditFault.unwritable }
        _ = try await store(try await log.state)
        if let last = missing.map(\.age).max(), last >= ServerAuditLimits.adoption {
            context.logger.warning(
                "audit events waited so long that another server may have logged them, too",
                metadata: .of([.count: "\(missing.count)"]))
        }
        return missing.contains { $0.age < ServerAuditLimits.adoption }
    }

    private func append(_ events: [ServerEvent]) async throws {
        guard !events.isEmpty else { return }
        guard let log else { throw AuditFault.unwritable }
        try await log.append(contentsOf: events.map { .server($0) })
    }

    private func event(_ kind: ServerEvent.Kind, reason: UInt16 = 0) throws(AuditLogError) -> ServerEvent {
        ServerEvent(
            kind, id: try ServerEventID(context.random.publicBytes(count: ServerEventID.size)),
            at: context.clock().milliseconds, account: nil, reason: reason)
    }

    /// Takes over the events of servers that do not copy them, and those that were set aside and can be read now.
    private func adoptIfDue() async throws {
        let now = context.uptime()
        if let lastAdoption, now - lastAdoption < ServerAuditLimits.adoption { return }
        lastAdoption = now
        let age = Timestamp.Span.zero - ServerAuditLimits.adoption
        let before = AuditOutbox.position(of: context.clock().adding(age))
        let (number, sealer) = (context.outbox.log, context.sealer)
        for _ in 0..<ServerAuditLimits.adoptionPages {
            let after = foreign.place
            let entries = try await context.database.read {
                try AuditQueue.foreign(to: number, before: before, after: after, sealer: sealer, in: $0)
            }
            let readable = entries.filter { Self.event($0.event, $0.place.id) != nil }.map(\.place)
            if !readable.isEmpty {
                try await context.database.write { transaction in
                    for place in readable { try AuditQueue.adopt(place, for: number, in: transaction) }
                }
            }
            foreign.unreadable += entries.count - readable.count
            guard entries.count >= Int(StoreLimits.rowsAtOnce), let last = entries.last else {
                context.gate.setUnreadable(foreign.unreadable)
                foreign = (0, .start)
                return
            }
            foreign.place = last.place
        }
    }

    // MARK: The state of the log in the store

    /// Removes rows from the queue and sets others aside, and notes the state of the log with them.
    ///
    /// - Returns: the ids of the rows that were not removed.
    private func store(
        _ state: Checkpoint, removing rows: [AuditQueueEntry.Place] = [],
        settingAside aside: [AuditQueueEntry.Place] = []
    ) async throws -> Set<[UInt8]> {
        let new = LogStateRow(size: Int64(clamping: state.size), root: state.root.bytes)
        let number = context.outbox.log
        if attempted != nil { try await readState() }
        guard new != stored || !rows.isEmpty || !aside.isEmpty else { return [] }
        attempted = new
        let old = stored
        let left = try await context.database.write { transaction -> Set<[UInt8]>? in
            guard try LogStates.replace(number, old, with: new, in: transaction) else { return nil }
            for row in aside { try AuditQueue.setAside(row, in: transaction) }
            var left: Set<[UInt8]> = []
            for row in rows where try !AuditQueue.remove(row, in: transaction) { left.insert(row.id) }
            return left
        }
        attempted = nil
        guard let left else { throw AuditFault.otherServer }
        stored = new
        return left
    }

    /// Reads the state in the store after a write whose outcome is not known.
    private func readState() async throws {
        let number = context.outbox.log
        let found = try await context.database.read { try LogStates.find(number, in: $0) }
        guard found == stored || found == attempted else { throw AuditFault.otherServer }
        (stored, attempted) = (found, nil)
    }

    // MARK: Opening and signing

    private func open() async throws {
        let number = context.outbox.log
        let found = try await context.database.read { try LogStates.find(number, in: $0) }
        do {
            var known: [Checkpoint] = []
            if let found, let root = TreeHash(found.root) {
                known = [try Checkpoint(origin: context.places.name, size: UInt64(max(0, found.size)), root: root)]
            }
            let (clock, uptime) = (context.clock, context.uptime)
            let setup = try context.places.setup(
                signer: context.signer, known: known, random: context.random,
                now: { ClockReading(wall: clock(), uptime: uptime()) })
            if let note = try context.places.checkpoints().last(of: context.places.name) {
                guard Checkpoint(note, signedBy: context.signer.key) != nil else { throw AuditFault.otherKey }
                context.published.set(note)
            }
            let log = try await context.opening(setup, context.places.missingSecret)
            (self.log, stored, attempted) = (log, found, nil)
            if log.droppedAtOpening > 0 {
                context.logger.warning(
                    "audit log ended in an unfinished entry, which was removed",
                    metadata: .of([.bytes: "\(log.droppedAtOpening)"]))
            }
        } catch let error as AuditLogError { throw AuditFault(error) }
    }

    private func signIfDue() async throws {
        guard let log else { return }
        let size = await log.size
        let now = context.uptime()
        if let lastFailure, now - lastFailure < ServerAuditLimits.checkpointRetry { return }
        if let last = lastCheckpoint {
            guard size > last.size,
                size - last.size >= ServerAuditLimits.checkpointEntries
                    || now - last.at >= ServerAuditLimits.checkpointAge
            else { return }
        }
        try await sign()
    }

    private func sign() async throws {
        guard let log else { return }
        let omitted = context.gate.takeOmitted()
        if omitted > 0 {
            do { try await append([event(.refusalsOmitted, reason: UInt16(clamping: omitted))]) } catch {
                context.gate.giveBack(omitted: omitted)
                throw error
            }
        }
        let note = try await log.checkpoint()
        context.published.set(note)
        (lastCheckpoint, lastFailure) = ((await log.size, context.uptime()), nil)
        // The store knows the checkpoint, too: another server that writes a log of this name is noticed.
        _ = try await store(try Checkpoint(parsing: note.text))
    }
}
