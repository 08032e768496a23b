internal import SQLStore

extension Migration {
    /// Where keys lie is another fact than whose certificates they have, and each session knows its passkey.
    ///
    /// Before this step an anchor alone made `hwk`, AAL3, and the trust of a device. Nothing of that is proven: it is taken
    /// back, and `fuekid reassess` gives it to those that the stored attestations prove.
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
