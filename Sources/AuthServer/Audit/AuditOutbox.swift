internal import AuditLog
internal import AuthAPI
internal import AuthStore
internal import Crypto
internal import SQLStore
internal import Synchronization
internal import Time

/// The way of an event to the audit log: a row of the queue, in the transaction of the change that it reports. A change
/// that is committed has its event in the queue; an event whose row cannot be written prevents the change.
final class AuditOutbox: Sendable {
    /// The number of the log for which the events are destined.
    let log: [UInt8]
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

    /// Returns the outbox of an operator's command; nil if the settings name no reader of an audit log.
    static func ofOperator(_ configuration: ServerConfiguration) -> AuditOutbox? {
        guard configuration.audit.reader != nil else { return nil }
        return AuditOutbox(to: number(of: configuration.audit.name), gate: nil, wakes: nil)
    }

    /// Returns the number by which the store knows a log.
    static func number(of name: String) -> [UInt8] {
        Array(SHA256.hash(data: Array("fuekid audit log\0\(name)".utf8)))
    }

    /// Checks that the log takes events, before work that could not be undone.
    func require() throws(AuditFault) { try gate?.require() }

    /// Adds an event to the queue.
    ///
    /// - Throws: ``AuditFault`` if the log does not take events, and ``StoreError``: the change must not be made.
    func add(
        _ event: SecurityEvent, id: [UInt8], account: AccountID?, _ details: EventDetails, at now: Timestamp,
        sealer: ColumnSealer, in transaction: any Transaction
    ) throws {
        if let gate {
            if event.isRefusalOfStranger, !gate.takesRefusal(at: now) { return try gate.require() }
        } else if try AuditQueue.has(atLeast: Limits.auditBacklog, of: log, in: transaction) {
            throw AuditFault.backlog
        }
        let event = try ServerEvent(event, id: id, account: account, details, at: now)
        try enqueue(event, at: now, sealer: sealer, in: transaction)
    }

    /// Adds an event of the whole server to the queue.
    ///
    /// - Parameters:
    ///   - id: 16 random bytes.
    ///   - subject: the id of the key, for example; up to 64 bytes.
    /// - Throws: ``AuditFault`` if the log does not take events, and ``StoreError``.
    func add(
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
    func wake() { wakes?.yield() }

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
struct AuditedDatabase: Database {
    let database: any Database
    let outbox: AuditOutbox

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value { try await database.read(body) }

    func write<Value: Sendable>(
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

    func forgetDeleted() { database.forgetDeleted() }

    var load: StoreLoad { database.load }

    func close() async { await database.close() }
}

extension SecurityEvent {
    /// Whether persons without an account can cause the event as often as the limits allow.
    var isRefusalOfStranger: Bool { self == .signInRefused || self == .recoveryRefused }

    /// The kind of the event in an audit log.
    var auditKind: ServerEvent.Kind {
        switch self {
        case .accountCreated: .accountCreated
        case .accountErased: .accountErased
        case .accountExported: .accountExported
        case .accountLocked: .accountLocked
        case .accountUnlocked: .accountUnlocked
        case .passkeyAdded: .passkeyAdded
        case .passkeyRemoved: .passkeyRemoved
        case .passkeyTrustLost: .passkeyTrustLost
        case .signedIn: .signedIn
        case .signInRefused: .signInRefused
        case .steppedUp: .steppedUp
        case .signCountFell: .signCountFell
        case .backupEligibilityRaised: .backupEligibilityRaised
        case .sessionEnded: .sessionEnded
        case .refreshTokenReused: .refreshTokenReused
        case .deviceAdded: .deviceAdded
        case .deviceRevoked: .deviceRevoked
        case .deviceAttested: .deviceAttested
        case .deviceTrustLost: .deviceTrustLost
        case .recoveryCodesMade: .recoveryCodesMade
        case .recoveryRefused: .recoveryRefused
        case .accountRecovered: .accountRecovered
        case .invitationsMade: .invitationsMade
        }
    }
}

extension ServerEvent {
    /// Creates the event of an audit log for a security event. The address of the client stays in the store, which
    /// forgets it: entries of an audit log are never removed.
    init(
        _ event: SecurityEvent, id: [UInt8], account: AccountID?, _ details: EventDetails, at now: Timestamp
    ) throws(AuditLogError) {
        let subject = details.passkey.map { Array(SHA256.hash(data: $0)) } ?? details.session?.bytes
        self.init(
            event.auditKind, id: try ServerEventID(id), at: now.milliseconds,
            account: try account.map { account throws(AuditLogError) in try AuditIdentifier(account.bytes) },
            device: try details.device.map { device throws(AuditLogError) in try AuditIdentifier(device.bytes) },
            subject: try subject.map { subject throws(AuditLogError) in try AuditIdentifier(subject) },
            reason: AuditReason.code(of: details.reason, for: event))
    }
}
