package import AuditLog
internal import Crypto
package import SQLStore
internal import Synchronization
package import Time

/// The way of an event to the audit log: a row of the queue, in the transaction of the change that it reports. A change
/// that is committed has its event in the queue; an event whose row cannot be written prevents the change.
package final class AuditOutbox: Sendable {
    /// The number of the log for which the events are destined.
    package let log: [UInt8]
    /// The decision whether the log takes events; nil in a command of the operator, which knows no running log.
    fileprivate let gate: AuditGate?
    private let last = Mutex(Int64.min)
    private let wakes: AsyncStream<Void>.Continuation?
    /// The events of each running transaction.
    private let transactions = Mutex<[ObjectIdentifier: [[UInt8]]]>([:])

    /// - Parameters:
    ///   - log: the log's number.
    ///   - wakes: is told when an event was committed.
    init(to log: [UInt8], gate: AuditGate?, wakes: AsyncStream<Void>.Continuation?) {
        (self.log, self.gate, self.wakes) = (log, gate, wakes)
    }

    /// Creates the outbox of an operator's command, which knows no running log.
    ///
    /// - Parameter log: the name of the log.
    package convenience init(ofOperatorTo log: String) { self.init(to: Self.number(of: log), gate: nil, wakes: nil) }

    /// Returns the number by which the store knows a log.
    package static func number(of name: String) -> [UInt8] {
        Array(SHA256.hash(data: Array("fuekid audit log\0\(name)".utf8)))
    }

    /// Checks that the log takes events, before work that could not be undone.
    package func require() throws(AuditFault) { try gate?.require() }

    /// Adds an event to the queue.
    ///
    /// - Parameter isRefusalOfStranger: whether persons without an account can cause the event as often as the limits
    ///   allow: the log has only some of these events, and the number of the others.
    /// - Throws: ``AuditFault`` if the log does not take events, and ``StoreError``: the change must not be made.
    package func add(
        _ event: ServerEvent, isRefusalOfStranger: Bool, at now: Timestamp, sealer: ColumnSealer,
        in transaction: any Transaction
    ) throws {
        if let gate {
            if isRefusalOfStranger, !gate.takesRefusal(at: now) { return try gate.require() }
        } else if try AuditQueue.has(atLeast: ServerAuditLimits.backlog, of: log, in: transaction) {
            throw AuditFault.backlog
        }
        try enqueue(event, at: now, sealer: sealer, in: transaction)
    }

    /// Adds an event of the whole server to the queue.
    ///
    /// - Parameters:
    ///   - id: 16 random bytes.
    ///   - subject: the id of the key, for example; up to 64 bytes.
    /// - Throws: ``AuditFault`` if the log does not take events, and ``StoreError``.
    package func add(
        _ kind: ServerEvent.Kind, id: [UInt8], subject: [UInt8]? = nil, at now: Timestamp, sealer: ColumnSealer,
        in transaction: any Transaction
    ) throws {
        let event = ServerEvent(
            kind, id: try ServerEventID(id), at: now.milliseconds, account: nil,
            subject: try subject.map { subject throws(AuditLogError) in try AuditIdentifier(subject) })
        try enqueue(event, at: now, sealer: sealer, in: transaction)
    }

    private func enqueue(
        _ event: ServerEvent, at now: Timestamp, sealer: ColumnSealer, in transaction: any Transaction
    ) throws {
        let row = AuditQueueRow(position: position(at: now), id: event.id.bytes, event: event.encoded)
        try gate?.enter(row)
        transactions.withLock { $0[ObjectIdentifier(transaction)]?.append(row.id) }
        try AuditQueue.add(row, to: log, sealer: sealer, in: transaction)
    }

    /// Runs the body of a transaction, and notes the events that it adds.
    ///
    /// - Parameter events: gets the events, in place of those of an earlier run of the body, which was rolled back.
    fileprivate func collect<Value>(
        in transaction: any Transaction, into events: TransactionEvents, _ body: (any Transaction) throws -> Value
    ) throws -> Value {
        let number = ObjectIdentifier(transaction)
        transactions.withLock { $0[number] = [] }
        defer { gate?.remove(events.replace(with: transactions.withLock { $0.removeValue(forKey: number) } ?? [])) }
        return try body(transaction)
    }

    /// Tells the copying of events that there is work.
    package func wake() { wakes?.yield() }

    /// Returns a position after every earlier one of this process. Events of one millisecond keep their order.
    private func position(at now: Timestamp) -> Int64 {
        last.withLock { last in
            last = max(Self.position(of: now), last == .min ? .min : last + 1)
            return last
        }
    }

    /// Returns the first position of a time: microseconds since 1970.
    static func position(of time: Timestamp) -> Int64 { time.milliseconds * 1_000 }
}

/// The events that a transaction has added to the queue.
private final class TransactionEvents: Sendable {
    private let ids = Mutex<[[UInt8]]>([])

    var all: [[UInt8]] { ids.withLock { $0 } }

    /// Returns the events before.
    func replace(with new: [[UInt8]]) -> [[UInt8]] {
        ids.withLock { ids in
            defer { ids = new }
            return ids
        }
    }
}

/// A database that tells the ``AuditGate`` which events were committed.
package struct AuditedDatabase: Database {
    let database: any Database
    let outbox: AuditOutbox

    package init(_ database: any Database, outbox: AuditOutbox) { (self.database, self.outbox) = (database, outbox) }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value { try await database.read(body) }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        let events = TransactionEvents()
        let outbox = outbox
        do {
            let value = try await database.write { try outbox.collect(in: $0, into: events, body) }
            outbox.gate?.commit(events.all)
            return value
        } catch {
            if error as? StoreError == .outcomeUnknown {
                outbox.gate?.lose(events.all)
            } else {
                outbox.gate?.remove(events.all)
            }
            throw error
        }
    }

    package func forgetDeleted() { database.forgetDeleted() }

    package var load: StoreLoad { database.load }

    package func close() async { await database.close() }
}
