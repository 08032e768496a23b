package import AuthAPI
package import SQLStore
package import Time

/// A row of the table `fido_credentials`: the credential record of WebAuthn Level 3, section 4.
package struct PasskeyRow: Equatable, Sendable {
    /// The credential id: 1...1023 bytes, chosen by the authenticator.
    package var credentialID: [UInt8]
    package var account: AccountID
    /// The public key, as a COSE_Key.
    package var publicKey: [UInt8]
    /// The COSE algorithm.
    package var algorithm: Int64
    package var signCount: UInt32
    package var isBackupEligible: Bool
    package var isBackedUp: Bool
    /// Whether the authenticator has ever verified the user.
    package var isUserVerificationInitialized: Bool
    /// The transports that the client reported, separated by spaces.
    package var transports: String
    /// The authenticator's AAGUID: 16 bytes.
    package var aaguid: [UInt8]
    /// The attestation format: `none`, `packed` and so on.
    package var attestationFormat: String
    /// The trust in the attestation, in the server's words.
    package var attestationTrust: String
    /// The attestation object as received; sealed in the table.
    package var attestation: [UInt8]?
    /// The name that its owner gave; sealed in the table.
    package var label: String
    package var createdAt: Timestamp
    package var lastUsedAt: Timestamp?
    /// The place of the key, in the words of `WebAuthn.KeyProtection`.
    package var keyProtection: String
    /// The evidence for where the key is kept, in the same words.
    package var keyEvidence: String
    /// The time at which a reassessment withdrew the trust in an attestation; nil if it never did, or if the trust was
    /// restored.
    package var trustLostAt: Timestamp?

    /// Creates a row.
    ///
    /// - Parameter keyProtection: where the key is kept; unknown by default.
    package init(
        credentialID: [UInt8], account: AccountID, publicKey: [UInt8], algorithm: Int64, signCount: UInt32,
        isBackupEligible: Bool, isBackedUp: Bool, isUserVerificationInitialized: Bool, transports: String,
        aaguid: [UInt8], attestationFormat: String, attestationTrust: String, attestation: [UInt8]?, label: String,
        createdAt: Timestamp, lastUsedAt: Timestamp? = nil, keyProtection: String = "unknown",
        keyEvidence: String = "none", trustLostAt: Timestamp? = nil
    ) {
        self.credentialID = credentialID
        self.account = account
        self.publicKey = publicKey
        self.algorithm = algorithm
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.isUserVerificationInitialized = isUserVerificationInitialized
        self.transports = transports
        self.aaguid = aaguid
        self.attestationFormat = attestationFormat
        self.attestationTrust = attestationTrust
        self.attestation = attestation
        self.label = label
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.keyProtection = keyProtection
        self.keyEvidence = keyEvidence
        self.trustLostAt = trustLostAt
    }
}

/// The table `fido_credentials`.
package enum Passkeys {
    private static func place(_ column: StaticString, _ id: [UInt8]) -> ColumnSealer.Place {
        ColumnSealer.Place("fido_credentials", column, row: id)
    }

    /// Adds a passkey. Returns false if the credential exists already, in any account (WebAuthn 7.1, step 27).
    package static func add(
        _ passkey: PasskeyRow, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            INSERT INTO fido_credentials (credential_id, account_id, public_key, algorithm, sign_count, backup_eligible,
                backup_state, uv_initialized, transports, aaguid, attestation_format, attestation_trust,
                attestation_sealed, label_sealed, created_at, last_used_at, key_protection, key_evidence,
                trust_lost_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
            ON CONFLICT (credential_id) DO NOTHING
            """,
            [
                .bytes(passkey.credentialID), .id(passkey.account), .bytes(passkey.publicKey),
                .integer(passkey.algorithm), .integer(Int64(passkey.signCount)), .flag(passkey.isBackupEligible),
                .flag(passkey.isBackedUp), .flag(passkey.isUserVerificationInitialized), .text(passkey.transports),
                .bytes(passkey.aaguid), .text(passkey.attestationFormat), .text(passkey.attestationTrust),
                try sealer.seal(optional: passkey.attestation, at: place("attestation_sealed", passkey.credentialID)),
                try sealer.seal(text: passkey.label, at: place("label_sealed", passkey.credentialID)),
                .time(passkey.createdAt), .time(passkey.lastUsedAt), .text(passkey.keyProtection),
                .text(passkey.keyEvidence), .time(passkey.trustLostAt),
            ]) == 1
    }

    package static func find(
        _ credentialID: [UInt8], sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> PasskeyRow? {
        guard
            let row = try transaction.first(
                """
                SELECT credential_id, account_id, public_key, algorithm, sign_count, backup_eligible, backup_state,
                    uv_initialized, transports, aaguid, attestation_format, attestation_trust, attestation_sealed,
                    label_sealed, created_at, last_used_at, key_protection, key_evidence, trust_lost_at
                FROM fido_credentials WHERE credential_id = $1
                """, [.bytes(credentialID)])
        else { return nil }
        return try passkey(row, sealer)
    }

    /// Returns all passkeys of an account, oldest first.
    package static func all(
        of account: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [PasskeyRow] {
        var passkeys: [PasskeyRow] = []
        for row in try transaction.run(
            """
            SELECT credential_id, account_id, public_key, algorithm, sign_count, backup_eligible, backup_state,
                uv_initialized, transports, aaguid, attestation_format, attestation_trust, attestation_sealed,
                label_sealed, created_at, last_used_at, key_protection, key_evidence, trust_lost_at
            FROM fido_credentials WHERE account_id = $1 ORDER BY created_at, credential_id
            """, [.id(account)])
        { passkeys.append(try passkey(row, sealer)) }
        return passkeys
    }

    package static func count(of account: AccountID, in transaction: some Transaction) throws(StoreError) -> Int {
        let row = try transaction.first("SELECT count(*) FROM fido_credentials WHERE account_id = $1", [.id(account)])
        return Int(clamping: try row?.integer(0) ?? 0)
    }

    /// Records a sign-in (WebAuthn 7.2, step 25), after all checks have passed.
    ///
    /// - Parameter checked: the row that was checked. If the row has changed since, the function returns false and
    ///   changes nothing: another sign-in was counted, the key was judged again, or the passkey was removed and another
    ///   one, perhaps of another account, has its id. The caller reads and checks again.
    package static func noteUse(
        of checked: PasskeyRow, signCount: UInt32, isBackupEligible: Bool, isBackedUp: Bool,
        isUserVerificationInitialized: Bool, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE fido_credentials
            SET sign_count = $1, backup_eligible = $2, backup_state = $3, uv_initialized = $4, last_used_at = $5
            WHERE credential_id = $6 AND sign_count = $7 AND account_id = $8 AND public_key = $9
                AND attestation_trust = $10 AND key_protection = $11 AND backup_eligible = $12
            """,
            [
                .integer(Int64(signCount)), .flag(isBackupEligible), .flag(isBackedUp),
                .flag(isUserVerificationInitialized), .time(now), .bytes(checked.credentialID),
                .integer(Int64(checked.signCount)), .id(checked.account), .bytes(checked.publicKey),
                .text(checked.attestationTrust), .text(checked.keyProtection), .flag(checked.isBackupEligible),
            ]) == 1
    }

    /// Returns a page of the passkeys of all accounts, in the order of their ids.
    ///
    /// - Parameter limit: the highest number of passkeys.
    package static func page(
        after id: [UInt8], limit: Int64, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [PasskeyRow] {
        var passkeys: [PasskeyRow] = []
        for row in try transaction.run(
            """
            SELECT credential_id, account_id, public_key, algorithm, sign_count, backup_eligible, backup_state,
                uv_initialized, transports, aaguid, attestation_format, attestation_trust, attestation_sealed,
                label_sealed, created_at, last_used_at, key_protection, key_evidence, trust_lost_at
            FROM fido_credentials WHERE credential_id > $1 ORDER BY credential_id LIMIT $2
            """, [.bytes(id), .integer(limit)])
        { passkeys.append(try passkey(row, sealer)) }
        return passkeys
    }

    /// Writes the result of a reassessment: the trust, where the key is kept, and the evidence for it.
    ///
    /// Returns false and changes nothing if the passkey was replaced, or was judged by another reassessment meanwhile.
    package static func judge(
        _ judged: PasskeyRow, trust: String, keyProtection: String, keyEvidence: String, trustLostAt: Timestamp?,
        in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE fido_credentials
            SET attestation_trust = $1, key_protection = $2, key_evidence = $3, trust_lost_at = $4
            WHERE credential_id = $5 AND account_id = $6 AND public_key = $7 AND attestation_trust = $8
                AND key_protection = $9 AND key_evidence = $10
            """,
            [
                .text(trust), .text(keyProtection), .text(keyEvidence), .time(trustLostAt),
                .bytes(judged.credentialID), .id(judged.account), .bytes(judged.publicKey),
                .text(judged.attestationTrust), .text(judged.keyProtection), .text(judged.keyEvidence),
            ]) == 1
    }

    /// Renames a passkey. Returns whether the account has it.
    package static func rename(
        _ credentialID: [UInt8], of account: AccountID, to label: String, sealer: ColumnSealer,
        in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE fido_credentials SET label_sealed = $1 WHERE credential_id = $2 AND account_id = $3",
            [
                try sealer.seal(text: label, at: place("label_sealed", credentialID)), .bytes(credentialID),
                .id(account),
            ]) == 1
    }

    /// Removes a passkey, unless it is the account's last, without which its owner could not sign in. Returns whether
    /// it was removed.
    package static func remove(
        _ credentialID: [UInt8], of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        // Of two concurrent removals each would see the other's passkey, and none would be left: so the account's row
        // is taken first.
        try Accounts.hold(account, in: transaction)
        let isGone =
            try transaction.change(
                """
                DELETE FROM fido_credentials WHERE credential_id = $1 AND account_id = $2
                    AND (SELECT count(*) FROM fido_credentials WHERE account_id = $2) > 1
                """, [.bytes(credentialID), .id(account)]) == 1
        // Another passkey may get that id later: its reassessments must not affect these sessions.
        if isGone { try Sessions.forgetPasskey(credentialID, of: account, in: transaction) }
        return isGone
    }

    private static func passkey(_ row: SQLRow, _ sealer: ColumnSealer) throws(StoreError) -> PasskeyRow {
        let id = try row.bytes(0)
        guard let signCount = UInt32(exactly: try row.integer(4)) else { throw .unexpectedColumn(4) }
        return PasskeyRow(
            credentialID: id, account: try row.id(1), publicKey: try row.bytes(2), algorithm: try row.integer(3),
            signCount: signCount, isBackupEligible: try row.flag(5), isBackedUp: try row.flag(6),
            isUserVerificationInitialized: try row.flag(7), transports: try row.text(8),
            aaguid: try row.bytes(9, count: 16), attestationFormat: try row.text(10),
            attestationTrust: try row.text(11),
            attestation: try sealer.open(
                optional: try row.optional(12, SQLRow.bytes), at: place("attestation_sealed", id)),
            label: try sealer.openText(try row.bytes(13), at: place("label_sealed", id)),
            createdAt: try row.time(14), lastUsedAt: try row.optional(15, SQLRow.time),
            keyProtection: try row.text(16), keyEvidence: try row.text(17),
            trustLostAt: try row.optional(18, SQLRow.time))
    }
}
