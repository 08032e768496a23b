public import Encoding
public import Time

/// An event of the log.
public enum AuditEvent: Hashable, Sendable {
    /// An event of the log itself.
    case log(LogEvent)
    /// An event of a wallet.
    case wallet(WalletEvent)
    /// An event of a server.
    case server(ServerEvent)
    /// An event of another program, or of a later version of this one. It is verified and kept, not understood.
    case other(OtherEvent)
}

/// An event that this version does not know.
public struct OtherEvent: Hashable, Sendable {
    /// The type. Numbers below 0x8000 belong to this library; the others are free for apps.
    public let code: UInt16
    /// The version of the type.
    public let version: UInt8
    /// The fields, up to ``AuditLimits/payload`` bytes.
    public let payload: [UInt8]

    /// Creates an event of an app's own type.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` for a code below 0x8000, or too many bytes.
    public init(code: UInt16, version: UInt8, payload: [UInt8]) throws(AuditLogError) {
        guard code >= 0x8000, payload.count <= AuditLimits.payload else { throw .outsideLimits }
        self.init(unchecked: code, version: version, payload: payload)
    }

    init(unchecked code: UInt16, version: UInt8, payload: [UInt8]) {
        (self.code, self.version, self.payload) = (code, version, payload)
    }
}

/// An event with its time: the plaintext of an entry.
public struct AuditRecord: Hashable, Sendable {
    /// The time at which the event was given to the log, by the clock that people can set.
    public let wall: Timestamp
    /// The time since the machine or the program started, by a clock that never goes back.
    public let uptime: Timestamp.Span
    /// The event.
    public let event: AuditEvent

    private static let format: UInt8 = 1
    private static let eventVersion: UInt8 = 1
    private static let limit = AuditLimits.payload + 64

    /// Creates a record.
    public init(wall: Timestamp, uptime: Timestamp.Span, event: AuditEvent) {
        (self.wall, self.uptime, self.event) = (wall, uptime, event)
    }

    /// Creates a record of an event, with the reading of the clocks when it was given to the log.
    init(time: ClockReading, event: AuditEvent) { self.init(wall: time.wall, uptime: time.uptime, event: event) }

    /// Reads a record.
    ///
    /// - Throws: `EncodingError`. An event of an unknown type, or of a later version of its type, becomes
    ///   ``AuditEvent/other(_:)``.
    public init(decoding bytes: [UInt8]) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: Self.limit)
        guard try reader.uint8() == Self.format else { throw .unsupported }
        let milliseconds = Int64(bitPattern: try reader.bigEndian(UInt64.self))
        wall = Timestamp(milliseconds: milliseconds)
        let uptime = try reader.bigEndian(UInt64.self)
        self.uptime = Timestamp.Span(milliseconds: Int64(clamping: uptime))
        // Not the time of any clock: see Timestamp.limit.
        guard wall.milliseconds == milliseconds, self.uptime.milliseconds == uptime else { throw .unsupported }
        let code = try reader.bigEndian(UInt16.self)
        let version = try reader.uint8()
        let count = Int(try reader.bigEndian(UInt16.self))
        guard count <= AuditLimits.payload else { throw .tooLong(limit: AuditLimits.payload) }
        let payload = try reader.bytes(count)
        try reader.finish()
        event = try Self.event(code, version, payload)
    }

    private static func event(
        _ code: UInt16, _ version: UInt8, _ payload: ArraySlice<UInt8>
    ) throws(EncodingError) -> AuditEvent {
        var reader = try ByteReader(payload, limit: AuditLimits.payload)
        let event: AuditEvent
        switch (code, version) {
        case (LogEvent.code, eventVersion): event = .log(try LogEvent(from: &reader))
        case (WalletEvent.code, WalletEvent.versions):
            let wallet = try WalletEvent(from: &reader)
            guard wallet.version == version else { throw .unsupported }
            event = .wallet(wallet)
        case (ServerEvent.code, eventVersion): event = .server(try ServerEvent(from: &reader))
        default: return .other(OtherEvent(unchecked: code, version: version, payload: Array(payload)))
        }
        try reader.finish()
        return event
    }

    /// The record as bytes.
    public var encoded: [UInt8] {
        var payload = ByteWriter(reserving: 128)
        let (code, version): (UInt16, UInt8)
        switch event {
        case .log(let event):
            (code, version) = (LogEvent.code, Self.eventVersion)
            event.append(to: &payload)
        case .wallet(let event):
            (code, version) = (WalletEvent.code, event.version)
            event.append(to: &payload)
        case .server(let event):
            (code, version) = (ServerEvent.code, Self.eventVersion)
            event.append(to: &payload)
        case .other(let event):
            (code, version) = (event.code, event.version)
            payload.append(event.payload)
        }
        var writer = ByteWriter(reserving: 22 + payload.bytes.count)
        writer.append(Self.format)
        writer.bigEndian(UInt64(bitPattern: wall.milliseconds))
        writer.bigEndian(UInt64(clamping: uptime.milliseconds))
        writer.bigEndian(code)
        writer.append(version)
        writer.bigEndian(UInt16(truncatingIfNeeded: payload.bytes.count))
        writer.append(payload.bytes)
        return writer.bytes
    }
}
