internal import AuditLog
internal import Secrets

/// The signing keys of audit logs and of the witness. They are derived from keys that the store has sealed, and are in
/// no file beside a log.
enum AuditKeys {
    /// Returns the signer of the checkpoints of a log.
    ///
    /// - Parameter name: the log's origin. Each log has a key of its own.
    /// - Throws: ``AuditLog/AuditLogError/outsideLimits`` for a name that a note cannot contain.
    static func signer(ofLog name: String, _ keys: KeyRing.Snapshot) throws(AuditLogError) -> Ed25519Signer {
        try Ed25519Signer(name: name, kind: .signature, seed: seed(keys.auditLog, "log", name))
    }

    /// Returns the signer of the cosignatures of the witness.
    static func signer(ofWitness name: String, _ keys: KeyRing.Snapshot) throws(AuditLogError) -> Ed25519Signer {
        try Ed25519Signer(name: name, kind: .cosignature, seed: seed(keys.witness, "witness", name))
    }

    /// Returns 32 bytes for one purpose and name. HMAC is a pseudo-random function, and the two inputs of one key differ
    /// in their first words.
    private static func seed(_ key: HMACKey, _ purpose: String, _ name: String) -> SecretBytes {
        var bytes = key.authenticate(Array("fuekid audit v1 \(purpose) key\0\(name)".utf8))
        return SecretBytes(moving: &bytes)
    }
}
