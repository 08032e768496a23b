internal import Encoding

/// The identity of a log: its origin, and the key of its reader. Each entry is bound to it, so that an entry of another
/// log does not open.
public struct LogIdentity: Hashable, Sendable {
    private static let magic = [UInt8]("FuekiLog".utf8)
    private static let version: UInt8 = 1

    /// The name of the log, also that of the key that signs its checkpoints.
    public let origin: String
    /// The public key of the reader, 32 bytes (X25519).
    public let reader: [UInt8]

    /// Creates an identity.
    ///
    /// - Throws: ``AuditLogError/outsideLimits``.
    public init(origin: String, reader: some Collection<UInt8>) throws(AuditLogError) {
        guard NoteKey.isValid(name: origin), reader.count == 32 else { throw .outsideLimits }
        self.origin = origin
        self.reader = Array(reader)
    }

    /// Reads the file that describes a log.
    ///
    /// - Throws: ``AuditLogError/unsupportedVersion(_:)``, or ``AuditLogError/damaged(sequence:)``.
    init(decoding bytes: [UInt8]) throws(AuditLogError) {
        do {
            var reader = try ByteReader(bytes, limit: AuditLimits.description)
            guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic) else { throw EncodingError.unsupported }
            let version = try reader.uint8()
            guard version == Self.version else { throw AuditLogError.unsupportedVersion(version) }
            let name = try reader.bytes(Int(try reader.uint8()))
            guard let origin = String(validating: name, as: UTF8.self) else { throw EncodingError.unsupported }
            let key = try reader.bytes(32)
            try reader.finish()
            try self.init(origin: origin, reader: key)
        } catch AuditLogError.unsupportedVersion(let version) {
            throw .unsupportedVersion(version)
        } catch {
            throw .damaged(sequence: 0)
        }
    }

    /// The file that describes the log.
    var encoded: [UInt8] {
        Self.magic + [Self.version, UInt8(truncatingIfNeeded: origin.utf8.count)] + origin.utf8 + reader
    }

    /// The hash to which entries and files are bound.
    var digest: TreeHash { .plain(encoded) }
}
