internal import SQLStore

extension Migration {
    /// Creates the first tables. Times are milliseconds since 1970. Rows that refer to an account are deleted with it.
    static let firstTables = Migration(
        name: "001 first tables",
        definitions: [
            """
            CREATE TABLE accounts (
                account_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(account_id) = 16),
                name_sealed \(.bytes) NOT NULL,
                created_at \(.integer) NOT NULL,
                sessions_not_before \(.integer)
            ) \(.strict)
            """,
            """
            CREATE TABLE fido_credentials (
                credential_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(credential_id) BETWEEN 1 AND 1023),
                account_id \(.bytes) NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
                public_key \(.bytes) NOT NULL,
                algorithm \(.integer) NOT NULL,
                sign_count \(.integer) NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
                backup_eligible \(.integer) NOT NULL CHECK (backup_eligible IN (0, 1)),
                backup_state \(.integer) NOT NULL CHECK (backup_state IN (0, 1)),
                uv_initialized \(.integer) NOT NULL CHECK (uv_initialized IN (0, 1)),
                transports TEXT NOT NULL,
                aaguid \(.bytes) NOT NULL CHECK (length(aaguid) = 16),
                attestation_format TEXT NOT NULL,
                attestation_trust TEXT NOT NULL,
                attestation_sealed \(.bytes),
                label_sealed \(.bytes) NOT NULL,
                created_at \(.integer) NOT NULL,
                last_used_at \(.integer)
            ) \(.strict)
            """,
            "CREATE INDEX fido_credentials_by_account ON fido_credentials (account_id)",
            """
            CREATE TABLE devices (
                device_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(device_id) = 16),
                account_id \(.bytes) NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
                key_thumbprint \(.bytes) NOT NULL CHECK (length(key_thumbprint) = 32),
                name_sealed \(.bytes) NOT NULL,
                created_at \(.integer) NOT NULL,
                last_seen_at \(.integer) NOT NULL,
                revoked_at \(.integer),
                UNIQUE (account_id, key_thumbprint)
            ) \(.strict)
            """,
            """
            CREATE TABLE refresh_tokens (
                family_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(family_id) = 16),
                account_id \(.bytes) NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
                device_id \(.bytes) NOT NULL REFERENCES devices (device_id) ON DELETE CASCADE,
                key_thumbprint \(.bytes) NOT NULL CHECK (length(key_thumbprint) = 32),
                generation \(.integer) NOT NULL CHECK (generation BETWEEN 0 AND 4294967295),
                current_hash \(.bytes) NOT NULL CHECK (length(current_hash) = 32),
                recent \(.bytes) NOT NULL,
                issued_at \(.integer) NOT NULL,
                idle_expires_at \(.integer) NOT NULL,
                expires_at \(.integer) NOT NULL,
                last_used_at \(.integer) NOT NULL,
                revoked_at \(.integer),
                revoked_reason TEXT,
                auth_time \(.integer) NOT NULL,
                acr TEXT NOT NULL,
                amr TEXT NOT NULL,
                scope TEXT NOT NULL
            ) \(.strict)
            """,
            "CREATE INDEX refresh_tokens_by_account ON refresh_tokens (account_id)",
            "CREATE INDEX refresh_tokens_by_device ON refresh_tokens (device_id)",
            "CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at)",
            """
            CREATE TABLE device_attestations (
                device_id \(.bytes) NOT NULL PRIMARY KEY REFERENCES devices (device_id) ON DELETE CASCADE,
                account_id \(.bytes) NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
                platform TEXT NOT NULL,
                format TEXT NOT NULL,
                trust_status TEXT NOT NULL,
                verified_at \(.integer) NOT NULL,
                attestation_sealed \(.bytes) NOT NULL
            ) \(.strict)
            """,
            "CREATE INDEX device_attestations_by_account ON device_attestations (account_id)",
            """
            CREATE TABLE recovery_codes (
                selector \(.bytes) NOT NULL PRIMARY KEY CHECK (length(selector) = 5),
                account_id \(.bytes) NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
                salt \(.bytes) NOT NULL CHECK (length(salt) = 16),
                hash \(.bytes) NOT NULL CHECK (length(hash) = 32),
                created_at \(.integer) NOT NULL,
                used_at \(.integer)
            ) \(.strict)
            """,
            "CREATE INDEX recovery_codes_by_account ON recovery_codes (account_id)",
            """
            CREATE TABLE spent_values (
                value \(.bytes) NOT NULL PRIMARY KEY CHECK (length(value) = 32),
                expires_at \(.integer) NOT NULL
            ) \(.strictByKey)
            """,
            "CREATE INDEX spent_values_by_expiry ON spent_values (expires_at)",
            """
            CREATE TABLE revoked_access_tokens (
                token_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(token_id) = 16),
                expires_at \(.integer) NOT NULL
            ) \(.strictByKey)
            """,
            "CREATE INDEX revoked_access_tokens_by_expiry ON revoked_access_tokens (expires_at)",
            """
            CREATE TABLE rate_limits (
                bucket \(.bytes) NOT NULL PRIMARY KEY CHECK (length(bucket) = 32),
                saved \(.integer) NOT NULL,
                updated_at \(.integer) NOT NULL
            ) \(.strictByKey)
            """,
            """
            CREATE TABLE server_keys (
                key_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(key_id) BETWEEN 1 AND 64),
                purpose TEXT NOT NULL,
                sealed \(.bytes) NOT NULL,
                created_at \(.integer) NOT NULL,
                activates_at \(.integer) NOT NULL,
                retires_at \(.integer)
            ) \(.strict)
            """,
            """
            CREATE TABLE security_events (
                event_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(event_id) = 16),
                account_id \(.bytes) REFERENCES accounts (account_id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                at \(.integer) NOT NULL,
                details_sealed \(.bytes)
            ) \(.strict)
            """,
            "CREATE INDEX security_events_by_account ON security_events (account_id, at)",
            "CREATE INDEX security_events_by_time ON security_events (at)",
        ])
}
