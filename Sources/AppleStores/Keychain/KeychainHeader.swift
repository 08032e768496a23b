internal import Encoding
internal import SecureStorage

/// A store's data about one record, in its `kSecAttrGeneric`. The system reads it without the user and without
/// decrypting the value.
///
/// The encoding is `FKCH`, a version (1), the attributes (4 bytes), the policy (1 byte and 8 bytes of flags), the
/// revision (8 bytes) and the installation (16 bytes), with the most significant byte of a number first. The record's
/// envelope repeats it: docs/formats/keychain.md.
struct KeychainHeader: Equatable, Sendable {
    static let size = 4 + 1 + ItemAttributes.encodedSize + 1 + 8 + 8 + InstallationID.size
    private static let magic = [UInt8]("FKCH".utf8)
    private static let version: UInt8 = 1

    let attributes: ItemAttributes
    /// The policy that the record was saved with.
    let policy: AccessControlPolicy
    /// A number that is higher than that of every record which the save found.
    let revision: UInt64
    /// The installation that saved the record.
    let installation: InstallationID

    /// The protection of the record.
    var protection: KeychainProtection { KeychainProtection(attributes.accessibility, policy) }

    /// Whether the system destroys the record on its own: with the passcode, or with a change of faces and fingers.
    var isFragile: Bool { policy != .none || attributes.accessibility == .whenPasscodeSetThisDeviceOnly }

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: Self.size)
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(attributes.encoded)
        policy.append(to: &writer)
        writer.bigEndian(revision)
        writer.append(installation.bytes)
        return writer.bytes
    }

    init(attributes: ItemAttributes, policy: AccessControlPolicy, revision: UInt64, installation: InstallationID) {
        self.attributes = attributes
        self.policy = policy
        self.revision = revision
        self.installation = installation
    }

    /// Reads a header.
    ///
    /// - Throws: `SecureStorageError.unsupportedVersion(_:)` for a later version, and
    ///   `BackendFault.malformedAnswer` for bytes that are not a header.
    init(decoding bytes: some Collection<UInt8>) throws(SecureStorageError) {
        do {
            var reader = try ByteReader(bytes, limit: AppleLimits.keychainHeader)
            guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic) else { throw EncodingError.unsupported }
            let version = try reader.uint8()
            guard version == Self.version else { throw SecureStorageError.unsupportedVersion(UInt16(version)) }
            attributes = try ItemAttributes(from: &reader)
            policy = try AccessControlPolicy(from: &reader)
            guard policy.suitsPasswords else { throw EncodingError.unsupported }
            revision = try reader.bigEndian(UInt64.self)
            guard Limits.generation.contains(revision) else { throw EncodingError.notCanonical }
            installation = try InstallationID(from: &reader)
            try reader.finish()
        } catch let error as SecureStorageError {
            throw error
        } catch {
            throw .backend(.keychain, .malformedAnswer)
        }
    }
}
