internal import Crypto
public import Secrets

/// A key that signs the checkpoints of one log. A conformer keeps the key where the log is not: in hardware, in a
/// vault, in another process.
public protocol CheckpointSigner: Sendable {
    /// The public key; its name is the log's origin.
    var key: NoteKey { get }

    /// Returns the Ed25519 signature of the text, 64 bytes.
    ///
    /// The caller has checked that the text is consistent with every checkpoint that it keeps.
    func sign(_ text: [UInt8]) async throws -> [UInt8]
}

/// A key in memory, whose seed comes from a vault.
///
/// - Note: swift-crypto keeps a copy of the seed in its own memory while it signs.
public final class Ed25519Signer: CheckpointSigner {
    public let key: NoteKey
    private let seed: SecretBytes

    /// Creates the signer of a log or, with kind ``NoteKey/Kind/cosignature``, of a witness.
    ///
    /// - Parameter seed: the private key, 32 bytes (RFC 8032).
    /// - Throws: ``AuditLogError/outsideLimits`` for a seed of another size, or a name that a note cannot contain.
    public init(name: String, kind: NoteKey.Kind = .signature, seed: consuming SecretBytes) throws(AuditLogError) {
        guard let pair = Self.pair(seed) else { throw .outsideLimits }
        key = try NoteKey(name: name, kind: kind, publicKey: pair.publicKey.rawRepresentation)
        self.seed = seed
    }

    public func sign(_ text: [UInt8]) throws(AuditLogError) -> [UInt8] {
        guard let signature = try? Self.pair(seed)?.signature(for: text) else { throw .portFailed(.signer) }
        return [UInt8](signature)
    }

    private static func pair(_ seed: borrowing SecretBytes) -> Curve25519.Signing.PrivateKey? {
        seed.withUnsafeBytes { try? Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
    }
}
