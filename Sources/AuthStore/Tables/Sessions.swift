package import AuthAPI
package import SQLStore
package import Time

/// A row of the table `refresh_tokens`: a session, with its family of refresh tokens. One token of a family is current.
package struct SessionRow: Equatable, Sendable {
    package var id: SessionID
    package var account: AccountID
    package var device: DeviceID
    /// RFC 7638 thumbprint of the device's key: 32 bytes.
    package var keyThumbprint: [UInt8]
    /// The number of times the token was rotated.
    package var generation: UInt32
    /// The SHA-256 of the current token: 32 bytes.
    package var currentHash: [UInt8]
    /// The most recent rotations, in the form of `Tokens.RefreshFamily`.
    package var recent: [UInt8]
    package var issuedAt: Timestamp
    package var idleExpiresAt: Timestamp
    package var expiresAt: Timestamp
    package var lastUsedAt: Timestamp
    package var revokedAt: Timestamp?
    package var revokedReason: String?
    package var authTime: Timestamp
    package var acr: String
    /// The authentication methods (`amr`), separated by spaces.
    package var amr: String
    /// The scopes, separated by spaces.
    package var scope: String
    /// The passkey that was used last, of the same account; nil if it was removed since, or used before sessions
    /// recorded it.
    package var credential: [UInt8]?
    /// The limit of its refreshes; nil before the first one, and in lists, which do not read it.
    package var refreshes: TokenBucket?

    package init(
        id: SessionID, account: AccountID, device: DeviceID, keyThumbprint: [UInt8], generation: UInt32,
        currentHash: [UInt8], recent: [UInt8], issuedAt: Timestamp, idleExpiresAt: Timestamp, expiresAt: Timestamp,
        lastUsedAt: Timestamp, revokedAt: Timestamp? = nil, revokedReason: String? = nil, authTime: Timestamp,
        acr: String, amr: String, scope: String, credential: [UInt8]? = nil
    ) {
        self.id = id
        self.account = account
        self.device = device
        self.keyThumbprint = keyThumbprint
        self.generation = generation
        self.currentHash = currentHash
        self.recent = recent
        self.issuedAt = issuedAt
        self.idleExpiresAt = idleExpiresAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
        self.revokedReason = revokedReason
        self.authTime = authTime
        self.acr = acr
        self.amr = amr
        self.scope = scope
        self.credential = credential
    }
}

/// The table `refresh_tokens`: one row for each session.
package enum Sessions {
    /// The columns of a row in the order in which they are written and read. The columns of the refresh limit are
    /// separate.
    private static let columns: StaticString = """
        family_id, account_id, device_id, key_thumbprint, generation, current_hash, recent, issued_at, idle_expires_at,
        expires_at, last_used_at, revoked_at, revoked_reason, auth_time, acr, amr, scope, credential_id
        """

    /// Adds a session.
    ///
    /// - Throws: ``StoreError/conflict`` if the id exists already, or the account or the device does not exist.
    package static func add(_ session: SessionRow, in transaction: some Transaction) throws(StoreError) {
        try transaction.change(
            SQL(
                joining: "INSERT INTO refresh_tokens (", columns,
                ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"),
            [
                .id(session.id), .id(session.account), .id(session.device), .bytes(session.keyThumbprint),
                .integer(Int64(session.generation)), .bytes(session.currentHash), .bytes(session.recent),
                .time(session.issuedAt), .time(session.idleExpiresAt), .time(session.expiresAt),
                .time(session.lastUsedAt), .time(session.revokedAt), .text(session.revokedReason),
                .time(session.authTime), .text(session.acr), .text(session.amr), .text(session.scope),
                .bytes(session.credential),
            ])
    }

    package static func find(_ id: SessionID, in transaction: some Transaction) throws(StoreError) -> SessionRow? {
        guard
            let row = try transaction.first(
                SQL(
                    joining: "SELECT", columns,
                    ", refreshes_saved, refreshes_updated_at FROM refresh_tokens WHERE family_id = $1"), [.id(id)])
        else { return nil }
        var session = try session(row)
        if let saved = try row.optional(18, SQLRow.integer) {
            session.refreshes = TokenBucket(saved: saved, updatedAt: try row.time(19))
        }
        return session
    }

    /// Returns the sessions of an account whose refresh tokens are accepted, the most recently used first: at most
    /// `AuthLimits.sessions`.
    package static func living(
        of account: AccountID, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> [SessionRow] {
        try sessions(
            transaction.run(
                SQL(
                    joining: "SELECT", columns,
                    """
                    FROM refresh_tokens
                    WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND idle_expires_at > $2
                    ORDER BY last_used_at DESC, family_id LIMIT $3
                    """), [.id(account), .time(now), .integer(Int64(AuthLimits.sessions))]))
    }

    /// Returns the sessions of an account, including ended and expired ones, newest first.
    ///
    /// - Parameter limit: the highest number of sessions.
    package static func last(
        of account: AccountID, limit: Int64, in transaction: some Transaction
    ) throws(StoreError) -> [SessionRow] {
        try sessions(
            transaction.run(
                SQL(
                    joining: "SELECT", columns,
                    "FROM refresh_tokens WHERE account_id = $1 ORDER BY issued_at DESC, family_id LIMIT $2"),
                [.id(account), .integer(limit)]))
    }

    private static func sessions(_ rows: [SQLRow]) throws(StoreError) -> [SessionRow] {
        var sessions: [SessionRow] = []
        sessions.reserveCapacity(rows.count)
        for row in rows { sessions.append(try session(row)) }
        return sessions
    }

    /// Returns when a stored session last used each device of an account.
    package static func lastUses(
        of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> [DeviceID: Timestamp] {
        var uses: [DeviceID: Timestamp] = [:]
        for row in try transaction.run(
            "SELECT device_id, max(last_used_at) FROM refresh_tokens WHERE account_id = $1 GROUP BY device_id",
            [.id(account)])
        { uses[try row.id(0)] = try row.time(1) }
        return uses
    }

    /// The values that a rotation changes.
    package struct Rotation: Equatable, Sendable {
        package var generation: UInt32
        package var currentHash: [UInt8]
        package var recent: [UInt8]
        package var idleExpiresAt: Timestamp
        package var lastUsedAt: Timestamp
        package var refreshes: TokenBucket?

        package init(
            generation: UInt32, currentHash: [UInt8], recent: [UInt8], idleExpiresAt: Timestamp, lastUsedAt: Timestamp,
            refreshes: TokenBucket? = nil
        ) {
            self.generation = generation
            self.currentHash = currentHash
            self.recent = recent
            self.idleExpiresAt = idleExpiresAt
            self.lastUsedAt = lastUsedAt
            self.refreshes = refreshes
        }
    }

    /// Rotates the token, if the row is unchanged since the decision was made, and the session is not revoked. Returns
    /// whether it did: of several concurrent redemptions one succeeds. The others read and decide again.
    package static func compareAndSwap(
        _ id: SessionID, expecting generation: UInt32, _ currentHash: [UInt8], to rotation: Rotation,
        in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE refresh_tokens
            SET generation = $1, current_hash = $2, recent = $3, idle_expires_at = $4, last_used_at = $5,
                refreshes_saved = $6, refreshes_updated_at = $7
            WHERE family_id = $8 AND generation = $9 AND current_hash = $10 AND revoked_at IS NULL
            """,
            [
                .integer(Int64(rotation.generation)), .bytes(rotation.currentHash), .bytes(rotation.recent),
                .time(rotation.idleExpiresAt), .time(rotation.lastUsedAt),
                rotation.refreshes.map { .integer($0.saved) } ?? .null, .time(rotation.refreshes?.updatedAt), .id(id),
                .integer(Int64(generation)), .bytes(currentHash),
            ]) == 1
    }

    /// Writes the limit of a session's refreshes, if it is unchanged since the decision was made. Returns whether it
    /// did; if not, the caller reads and decides again.
    package static func noteRefresh(
        _ id: SessionID, from old: TokenBucket?, to bucket: TokenBucket, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        // A bucket has at least 0 milliseconds, and no time is as early as the smallest number.
        try transaction.change(
            """
            UPDATE refresh_tokens SET refreshes_saved = $1, refreshes_updated_at = $2
            WHERE family_id = $3 AND COALESCE(refreshes_saved, -1) = $4
                AND COALESCE(refreshes_updated_at, -9223372036854775807) = $5
            """,
            [
                .integer(bucket.saved), .time(bucket.updatedAt), .id(id), .integer(old?.saved ?? -1),
                .integer(old?.updatedAt.milliseconds ?? -.max),
            ]) == 1
    }

    /// Returns whether the session of the account is active. If it is, transactions that would end it wait until this
    /// one ends.
    package static func hold(
        _ id: SessionID, of account: AccountID, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE refresh_tokens SET last_used_at = last_used_at
            WHERE family_id = $1 AND account_id = $2 AND revoked_at IS NULL AND expires_at > $3
            """, [.id(id), .id(account), .time(now)]) == 1
    }

    /// Records that the user has signed in again within the session (RFC 9470).
    ///
    /// - Parameter credential: the passkey that was used.
    package static func noteAuthentication(
        _ id: SessionID, at authTime: Timestamp, acr: String, amr: String, credential: [UInt8],
        in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE refresh_tokens SET auth_time = $1, acr = $2, amr = $3, credential_id = $4
            WHERE family_id = $5 AND revoked_at IS NULL
            """, [.time(authTime), .text(acr), .text(amr), .bytes(credential), .id(id)]) == 1
    }

    /// Returns the sign-ins recorded in the active sessions that used a passkey.
    package static func authentications(
        with credential: [UInt8], of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> [(id: SessionID, authTime: Timestamp, acr: String, amr: String)] {
        var found: [(id: SessionID, authTime: Timestamp, acr: String, amr: String)] = []
        for row in try transaction.run(
            """
            SELECT family_id, auth_time, acr, amr FROM refresh_tokens
            WHERE credential_id = $1 AND account_id = $2 AND revoked_at IS NULL
            """, [.bytes(credential), .id(account)])
        { found.append((try row.id(0), try row.time(1), try row.text(2), try row.text(3))) }
        return found
    }

    /// Corrects the recorded sign-in of a session, if its last sign-in is still that one, with that passkey.
    package static func judge(
        _ id: SessionID, with credential: [UInt8], at authTime: Timestamp, acr: String, amr: String,
        in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            UPDATE refresh_tokens SET acr = $1, amr = $2
            WHERE family_id = $3 AND credential_id = $4 AND auth_time = $5
            """, [.text(acr), .text(amr), .id(id), .bytes(credential), .time(authTime)])
    }

    /// Removes the reference to a passkey from the sessions of an account.
    package static func forgetPasskey(
        _ credential: [UInt8], of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "UPDATE refresh_tokens SET credential_id = NULL WHERE credential_id = $1 AND account_id = $2",
            [.bytes(credential), .id(account)])
    }

    /// Ends a session. Returns whether it existed and was active. The reason of an earlier end is not overwritten.
    @discardableResult
    package static func revoke(
        _ id: SessionID, at now: Timestamp, reason: String, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE refresh_tokens SET revoked_at = $1, revoked_reason = $2
            WHERE family_id = $3 AND revoked_at IS NULL
            """, [.time(now), .text(reason), .id(id)]) == 1
    }

    /// Ends the sessions of a device of the account. Returns how many ended.
    @discardableResult
    package static func revoke(
        device: DeviceID, of account: AccountID, at now: Timestamp, reason: String, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            UPDATE refresh_tokens SET revoked_at = $1, revoked_reason = $2
            WHERE device_id = $3 AND account_id = $4 AND revoked_at IS NULL
            """, [.time(now), .text(reason), .id(device), .id(account)])
    }

    /// Ends the sessions of an account except one. Returns how many ended.
    @discardableResult
    package static func revoke(
        account: AccountID, except kept: SessionID?, at now: Timestamp, reason: String,
        in transaction: some Transaction
    ) throws(StoreError) -> Int {
        // No session has an empty id.
        try transaction.change(
            """
            UPDATE refresh_tokens SET revoked_at = $1, revoked_reason = $2
            WHERE account_id = $3 AND family_id <> $4 AND revoked_at IS NULL
            """, [.time(now), .text(reason), .id(account), .bytes(kept?.bytes ?? [])])
    }

    /// Ends the active sessions of an account except the most recently used.
    ///
    /// - Parameter count: the number of sessions that stay.
    package static func endOldest(
        of account: AccountID, keeping count: Int, at now: Timestamp, reason: String, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            UPDATE refresh_tokens SET revoked_at = $1, revoked_reason = $2
            WHERE family_id IN (SELECT family_id FROM refresh_tokens
                WHERE account_id = $3 AND revoked_at IS NULL AND expires_at > $1 AND idle_expires_at > $1
                ORDER BY last_used_at DESC, family_id LIMIT $4 OFFSET $5)
            """,
            [.time(now), .text(reason), .id(account), .integer(StoreLimits.rowsAtOnce), .integer(Int64(count))])
    }

    /// Removes the ended sessions of an account except the most recent: `AuthStoreLimits.endedSessions` stay. A token of a
    /// removed session is refused like one of an ended session.
    ///
    /// Removes at most `AuthStoreLimits.prunedAtOnce` rows. Each sign-in adds one row, so an account with too many rows is
    /// cleaned up over several sign-ins.
    @discardableResult
    package static func pruneEnded(
        of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            DELETE FROM refresh_tokens WHERE family_id IN (SELECT family_id FROM refresh_tokens
                WHERE account_id = $1 AND revoked_at IS NOT NULL
                ORDER BY revoked_at DESC, family_id LIMIT $2 OFFSET $3)
            """, [.id(account), .integer(AuthStoreLimits.prunedAtOnce), .integer(AuthStoreLimits.endedSessions)])
    }

    /// Ends all sessions of all accounts. Returns how many ended.
    @discardableResult
    package static func revokeAll(
        at now: Timestamp, reason: String, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            "UPDATE refresh_tokens SET revoked_at = $1, revoked_reason = $2 WHERE revoked_at IS NULL",
            [.time(now), .text(reason)])
    }

    /// Removes sessions that were over before `moment`, up to the limit of one transaction. Returns how many.
    package static func prune(
        expiredBefore moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            DELETE FROM refresh_tokens WHERE family_id IN
                (SELECT family_id FROM refresh_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)
            """, [.time(moment), .integer(StoreLimits.rowsAtOnce)])
    }

    private static func session(_ row: SQLRow) throws(StoreError) -> SessionRow {
        guard let generation = UInt32(exactly: try row.integer(4)) else { throw .unexpectedColumn(4) }
        return SessionRow(
            id: try row.id(0), account: try row.id(1), device: try row.id(2),
            keyThumbprint: try row.bytes(3, count: 32), generation: generation,
            currentHash: try row.bytes(5, count: 32), recent: try row.bytes(6), issuedAt: try row.time(7),
            idleExpiresAt: try row.time(8), expiresAt: try row.time(9), lastUsedAt: try row.time(10),
            revokedAt: try row.optional(11, SQLRow.time), revokedReason: try row.optional(12, SQLRow.text),
            authTime: try row.time(13), acr: try row.text(14), amr: try row.text(15), scope: try row.text(16),
            credential: try row.optional(17, SQLRow.bytes))
    }
}
