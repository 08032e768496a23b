internal import Encoding

/// The name of a thing in an event: a wallet, an account, a device, a witness. 1 to 64 bytes.
public struct AuditIdentifier: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Creates an identifier.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` unless there are 1 to 64 bytes.
    public init(_ bytes: some Collection<UInt8>) throws(AuditLogError) {
        guard (1...AuditLimits.identifier).contains(bytes.count) else { throw .outsideLimits }
        self.bytes = Array(bytes)
    }

    static func append(_ identifier: AuditIdentifier?, to writer: inout ByteWriter) {
        writer.append(UInt8(identifier?.bytes.count ?? 0))
        writer.append(identifier?.bytes ?? [])
    }

    static func read(from reader: inout ByteReader) throws(EncodingError) -> AuditIdentifier? {
        let count = Int(try reader.uint8())
        let bytes = try reader.bytes(count)
        guard count > 0 else { return nil }
        guard let identifier = try? AuditIdentifier(bytes) else { throw .tooLong(limit: AuditLimits.identifier) }
        return identifier
    }
}

/// A digest of 32 bytes in an event: of an intent, a policy, a file.
///
/// It is encrypted like the rest of the event, so that it does not help to guess its input.
public struct AuditDigest: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Creates a digest.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` unless there are 32 bytes.
    public init(_ bytes: some Collection<UInt8>) throws(AuditLogError) {
        guard bytes.count == 32 else { throw .outsideLimits }
        self.bytes = Array(bytes)
    }

    static func append(_ digest: AuditDigest?, to writer: inout ByteWriter) {
        writer.append(digest == nil ? 0 : 1)
        writer.append(digest?.bytes ?? [])
    }

    static func read(from reader: inout ByteReader) throws(EncodingError) -> AuditDigest? {
        switch try reader.uint8() {
        case 0: return nil
        case 1:
            let bytes = try reader.bytes(32)
            return try? AuditDigest(bytes)
        default: throw .notCanonical
        }
    }
}

/// The id of a server's event: 16 random bytes.
public struct ServerEventID: Hashable, Sendable {
    /// The number of bytes.
    public static let size = 16

    /// The bytes.
    public let bytes: [UInt8]

    /// Creates an id.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` unless there are 16 bytes.
    public init(_ bytes: some Collection<UInt8>) throws(AuditLogError) {
        guard bytes.count == Self.size else { throw .outsideLimits }
        self.bytes = Array(bytes)
    }
}
