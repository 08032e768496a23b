internal import Encoding
public import Time

/// The data about a stored credential that may be shown.
public struct CredentialRecord: Equatable, Sendable {
    /// The exchange.
    public let venue: Venue
    /// The user's name of the key.
    public let label: KeyLabel
    /// The method of signing.
    public let method: SigningSecret.Method
    /// The first characters of the key.
    public let hint: String
    /// The short name of the key for files: see ``APIKey/fingerprint``.
    public let fingerprint: String
    /// Whether the key has a passphrase.
    public let hasPassphrase: Bool
    /// The time at which it was stored.
    public let created: Timestamp
    /// The last known use, exact to an hour; nil if it was not used.
    public let lastUsed: Timestamp?
    /// The rights that the last probe found; nil if there was none.
    public let rights: [KeyRight]?
    /// The time of the last probe.
    public let probed: Timestamp?
}

/// A key that was revoked on this machine.
public struct Tombstone: Equatable, Sendable {
    /// The exchange.
    public let venue: Venue
    /// The label that the key had.
    public let label: KeyLabel
    /// The short name of the key: see ``APIKey/fingerprint``.
    public let fingerprint: String
    /// The time of the revocation.
    public let revoked: Timestamp
}

/// The part of a record that changes with use. It is an item of its own, so that the secret is not written again.
struct CredentialUse: Equatable, Sendable {
    /// The key that it is about; after a rotation it no longer counts.
    var fingerprint: String
    var lastUsed: Timestamp?
    var probed: Timestamp?
    var rights: [KeyRight] = []

    private static let version: UInt8 = 1

    /// The stored form: version, fingerprint (16 bytes), two times (0 for none), and the rights' names after their
    /// sizes.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.version)
        writer.append((try? Hex.decode(fingerprint)) ?? [])
        writer.timestamp(lastUsed ?? Timestamp(seconds: 0))
        writer.timestamp(probed ?? Timestamp(seconds: 0))
        writer.append(UInt8(rights.count))
        for right in rights {
            let name = Array(right.name.utf8)
            writer.append(UInt8(name.count))
            writer.append(name)
        }
        return writer.bytes
    }

    init(fingerprint: String) { self.fingerprint = fingerprint }

    /// Decodes the stored form.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        var reader = try ByteReader(
            bytes, limit: 34 + CredentialLimits.rights * (1 + CredentialLimits.rightNameCharacters))
        guard try reader.uint8() == Self.version else { throw .unsupported }
        fingerprint = Hex.encode(Array(try reader.bytes(16)))
        let (used, probed) = (try reader.timestamp(), try reader.timestamp())
        lastUsed = used.milliseconds == 0 ? nil : used
        self.probed = probed.milliseconds == 0 ? nil : probed
        let count = Int(try reader.uint8())
        guard count <= CredentialLimits.rights else { throw .unsupported }
        for _ in 0..<count {
            let name = Array(try reader.bytes(Int(try reader.uint8())))
            guard let right = KeyRight(name: String(decoding: name, as: UTF8.self)) else { throw .unsupported }
            rights.append(right)
        }
        try reader.finish()
    }
}

extension Tombstone {
    private static let version: UInt8 = 1

    /// The stored form: version, time, label.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.version)
        writer.timestamp(revoked)
        writer.append(Array(label.text.utf8))
        return writer.bytes
    }

    /// Decodes the stored form; its item's name has the rest.
    init(decoding bytes: [UInt8], venue: Venue, fingerprint: String) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: 9 + CredentialLimits.labelCharacters)
        guard try reader.uint8() == Self.version else { throw .unsupported }
        let revoked = try reader.timestamp()
        guard let label = try? KeyLabel(String(decoding: Array(reader.rest()), as: UTF8.self)) else {
            throw .unsupported
        }
        self.init(venue: venue, label: label, fingerprint: fingerprint, revoked: revoked)
    }
}
