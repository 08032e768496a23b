package import AuditLog
package import AuthStore
package import SQLStore
internal import Secrets
package import Time

/// The signing keys of audit logs and of the witness. They are derived from keys that the store has sealed, and are in
/// no file beside a log.
package struct AuditKeys: Sendable {
    private let log: HMACKey
    private let witness: HMACKey

    init(_ keys: KeyRing.Snapshot) {
        log = keys.auditLog
        witness = keys.witness
    }

    /// Reads the keys from the rows of a store; nil if a purpose has no key yet, or a key does not open.
    package init?(_ rows: [ServerKeyRow], sealer: ColumnSealer, at now: Timestamp) {
        guard let keys = try? KeyRing.Snapshot(rows, sealer: sealer, now: now) else { return nil }
        self.init(keys)
    }

    /// Returns the signer of the checkpoints of a log.
    ///
    /// - Parameter name: the log's origin. Each log has a key of its own.
    /// - Throws: ``AuditLog/AuditLogError/outsideLimits`` for a name that a note cannot contain.
    package func signer(ofLog name: String) throws(AuditLogError) -> Ed25519Signer {
        try Ed25519Signer(name: name, kind: .signature, seed: Self.seed(log, "log", name))
    }

    /// Returns the signer of the cosignatures of the witness.
    package func signer(ofWitness name: String) throws(AuditLogError) -> Ed25519Signer {
        try Ed25519Signer(name: name, kind: .cosignature, seed: Self.seed(witness, "witness", name))
    }

    /// Returns 32 bytes for one purpose and name. HMAC is a pseudo-random function, and the two inputs of one key differ
    /// in their first words.
    private static func seed(_ key: HMACKey, _ purpose: String, _ name: String) -> SecretBytes {
        var bytes = key.authenticate(Array("fuekid audit v1 \(purpose) key\0\(name)".utf8))
        return SecretBytes(moving: &bytes)
    }
}
