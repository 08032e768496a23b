internal import SQLStore

extension Migration {
    /// Separates where a key is kept from whose certificate it has, and records the passkey of each session.
    ///
    /// Before this step an anchor alone gave `hwk`, AAL3, and a device's trust. An anchor does not prove these: they
    /// are withdrawn, and `fuekid reassess` restores them where the stored attestations prove them.
    static let keyProtection = Migration(
        name: "006 key protection",
        definitions: [
            "ALTER TABLE fido_credentials ADD COLUMN key_protection TEXT NOT NULL DEFAULT 'unknown'",
            "ALTER TABLE fido_credentials ADD COLUMN key_evidence TEXT NOT NULL DEFAULT 'none'",
            "ALTER TABLE fido_credentials ADD COLUMN trust_lost_at \(.integer)",
            "ALTER TABLE refresh_tokens ADD COLUMN credential_id \(.bytes)",
            "CREATE INDEX refresh_tokens_by_credential ON refresh_tokens (credential_id)",
            "UPDATE refresh_tokens SET acr = 'urn:fueki:aal2' WHERE acr = 'urn:fueki:aal3'",
            "UPDATE refresh_tokens SET amr = replace(amr, 'hwk ', '') WHERE amr LIKE 'hwk %'",
            "UPDATE device_attestations SET trust_status = 'anchored' WHERE trust_status = 'trusted'",
        ])
}
