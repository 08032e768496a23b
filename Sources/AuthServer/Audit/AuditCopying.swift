internal import AuditLog
internal import AuthAPI
internal import Logging
internal import SQLStore
internal import Secrets

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
        let uptime: @Sendable () -> UInt64
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
    private var isCopying = false
    private var isClosed = false
    private var lastCheckpoint: (size: UInt64, at: UInt64)?
    private var lastFailure: UInt64?
    private var lastAdoption: UInt64?

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
            try await store(end, removing: [])
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
            if log == nil { try await open() }
            try await adoptIfDue()
            try await copyAll()
            do { try await signIfDue() } catch AuditLogError.portFailed {
                // Events are logged meanwhile, and the store knows the state of the log.
                lastFailure = context.uptime()
                context.logger.warning("audit log could not sign or keep a checkpoint")
            }
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
        while true {
            let mark = context.gate.mark()
            let (number, sealer) = (context.outbox.log, context.sealer)
            let rows: [AuditQueueRow]
            do {
                rows = try await context.database.read { try AuditQueue.next(of: number, sealer: sealer, in: $0) }
            } catch StoreError.sealIsBroken {
                throw AuditFault.queueChanged
            }
            try await copy(rows)
            guard rows.count < Int(StoreLimits.rowsAtOnce) else { continue }
            return context.gate.settle(mark)
        }
    }

    private func copy(_ rows: [AuditQueueRow]) async throws {
        guard !rows.isEmpty else { return }
        // After a failure of the store the log may have some of them already.
        let new = rows.filter { !copied.contains($0.id) }
        let events = try new.map { row throws(AuditFault) -> ServerEvent in
            guard let event = try? ServerEvent(decoding: row.event), event.id.bytes == row.id else {
                throw .queueChanged
            }
            return event
        }
        try await append(events)
        copied.formUnion(new.map(\.id))
        guard let log else { throw AuditFault.unwritable }
        try await store(try await log.state, removing: rows)
        copied.subtract(rows.map(\.id))
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

    /// Takes over the events of servers that do not copy them.
    private func adoptIfDue() async throws {
        let now = context.uptime()
        if let lastAdoption, now &- lastAdoption < Limits.auditAdoptionMilliseconds { return }
        lastAdoption = now
        let age = Timestamp.Span(milliseconds: -Int64(Limits.auditAdoptionMilliseconds))
        let (number, before) = (context.outbox.log, AuditOutbox.position(of: context.clock().adding(age)))
        _ = try await context.database.write { try AuditQueue.adopt(for: number, before: before, in: $0) }
    }

    // MARK: The state of the log in the store

    /// Removes events from the queue, and notes the state of the log with them.
    private func store(_ state: Checkpoint, removing rows: [AuditQueueRow]) async throws {
        let new = LogStateRow(size: Int64(clamping: state.size), root: state.root.bytes)
        let number = context.outbox.log
        if attempted != nil { try await readState() }
        guard new != stored || !rows.isEmpty else { return }
        attempted = new
        let old = stored
        let isOurs = try await context.database.write { transaction in
            guard try LogStates.replace(number, old, with: new, in: transaction) else { return false }
            for row in rows { try AuditQueue.remove(row, of: number, in: transaction) }
            return true
        }
        attempted = nil
        guard isOurs else { throw AuditFault.otherServer }
        stored = new
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
                now: { AuditTime(wall: clock().milliseconds, uptime: uptime()) })
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
        if let lastFailure, now &- lastFailure < Limits.auditCheckpointRetryMilliseconds { return }
        if let last = lastCheckpoint {
            guard size > last.size,
                size - last.size >= Limits.auditCheckpointEntries
                    || now &- last.at >= Limits.auditCheckpointMilliseconds
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
        try await store(try Checkpoint(parsing: note.text), removing: [])
    }
}
