internal import Encoding
public import SecureStorage

/// Counts of what an app was used for, which the app's maker may ask for: off until a person agrees, and nothing but
/// counts.
///
/// A report has no identifier, no amounts, no addresses and no times of single events. Small numbers are given as
/// ranges, so that a report tells little about one person. Nothing is counted before a person agrees; withdrawing the
/// consent erases what was counted.
///
/// ```swift
/// let usage = UsageCounts(in: PlainFile(at: path))
/// try await usage.setConsent(true, today: day)      // a person agreed
/// await usage.count(.paymentSent)
/// let report = try await usage.report(today: day)   // show it, then send it
/// ```
public actor UsageCounts {
    private let file: PlainFile
    private var state: State?

    private struct State: Equatable {
        /// The first day that was counted, in days since 1970.
        var since: UInt32
        var counts: [UsageEvent: UInt32] = [:]
    }

    private static let key: DataKey<InternalData>? = try? DataKey("fueki.usage", "counts", limit: 1_024)

    /// Opens the counts that a file keeps. A missing or unreadable file counts as a refusal.
    public init(in file: PlainFile) { self.file = file }

    /// Returns whether a person has agreed.
    public func hasConsent() async -> Bool {
        await read()
        return state != nil
    }

    /// Records that a person agrees, or no longer does. Without consent nothing is kept.
    ///
    /// - Parameter today: the day, in days since 1970.
    /// - Throws: `SecureStorageError` if the file cannot be written. A withdrawn consent holds for this process all
    ///   the same.
    public func setConsent(_ isGiven: Bool, today: UInt32) async throws(SecureStorageError) {
        await read()
        if !isGiven {
            state = nil
        } else if state == nil {
            state = State(since: today)
        }
        try await store()
    }

    /// Counts an event, if a person has agreed. Errors of the file are ignored: a count that is lost matters less than
    /// what the app is doing.
    public func count(_ event: UsageEvent) async {
        await read()
        guard let count = state?.counts[event, default: 0], count < AuditLimits.usageCount else { return }
        state?.counts[event] = count + 1
        try? await store()
    }

    /// Returns what ``send(to:today:)`` would send, to show it to a person.
    ///
    /// - Returns: nil without consent, or before a whole day was counted.
    public func report(today: UInt32) async -> UsageReport? {
        await read()
        guard let state, today > state.since else { return nil }
        return UsageReport(firstDay: state.since, lastDay: today - 1, counts: state.counts.mapValues(UsageRange.init))
    }

    /// Sends what was counted, and then begins anew; does nothing without consent, or before a whole day was counted.
    ///
    /// - Returns: whether a report was sent.
    /// - Throws: the receiver's errors: the counts stay for the next report.
    @discardableResult
    public func send(to receiver: some UsageReceiver, today: UInt32) async throws -> Bool {
        guard let report = await report(today: today), let sent = state?.counts else { return false }
        try await receiver.receive(report)
        // Events that were counted meanwhile are left for the next report; a consent that was withdrawn leaves nothing.
        guard let after = state?.counts else { return true }
        let left = after.filter { $0.value > sent[$0.key] ?? 0 }
        state = State(since: today, counts: Dictionary(uniqueKeysWithValues: left.map { ($0, $1 - (sent[$0] ?? 0)) }))
        try await store()
        return true
    }

    // MARK: - The file

    private var isRead = false

    private func read() async {
        guard !isRead, let key = Self.key else { return }
        let bytes = try? await file.value(key)
        // Another call may have read it meanwhile.
        guard !isRead else { return }
        isRead = true
        state = bytes.flatMap(Self.decode)
    }

    private func store() async throws(SecureStorageError) {
        guard let key = Self.key else { return }
        try await file.set(state.map(Self.encode), for: key)
    }

    /// The first day in four bytes, then for each event its code and its count in four bytes, big-endian.
    private static func encode(_ state: State) -> [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(state.since)
        for event in UsageEvent.allCases {
            guard let count = state.counts[event] else { continue }
            writer.append(event.rawValue)
            writer.bigEndian(count)
        }
        return writer.bytes
    }

    private static func decode(_ bytes: [UInt8]) -> State? {
        try? { () throws(EncodingError) in
            var reader = try ByteReader(bytes, limit: bytes.count)
            var state = State(since: try reader.bigEndian(UInt32.self))
            while reader.remaining > 0 {
                let code = try reader.uint8()
                let count = try reader.bigEndian(UInt32.self)
                // An event of a later version is left out.
                if let event = UsageEvent(rawValue: code) { state.counts[event] = min(count, AuditLimits.usageCount) }
            }
            return state
        }()
    }
}
