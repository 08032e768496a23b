internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import SQLStore

extension Backend {
    func addAccountRoutes(to router: Router<AuthContext>) {
        router.get("/api/account/export") { request, context in
            let caller = try await caller(request, context, isFresh: true)
            return try await offEventLoop { Response.json(try await export(for: caller)) }
        }
        router.delete("/api/account") { request, context in
            let caller = try await caller(request, context, isFresh: true)
            var response = Response.json(try await erase(by: caller))
            // The device's key as well: there is no account any more whose device this could be.
            response.headers[.clearSiteData] = "\"cache\", \"storage\""
            return response
        }
    }

    /// Reads everything that belongs to the account. What an account keeps is limited, so that an export is, too: some MiB.
    private func export(for caller: Caller) async throws -> JSON {
        let now = clock()
        let limits = configuration.limits
        try await decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            if let problem = try limits.take([.export(caller.account)], at: now, in: transaction) {
                return .failure(problem)
            }
            try note(
                .accountExported, account: caller.account, EventDetails(caller.address, session: caller.session),
                at: now, in: transaction)
            return .success(())
        }
        tell(.accountExported, account: caller.account)
        guard exports.enter() else { throw Problem(.unavailable, retryAfter: 1) }
        defer { exports.leave() }
        guard let records = try await AccountRecords.export(caller.account, sealer: sealer, from: database) else {
            throw Problem(.invalidToken)
        }
        return records.json
    }

    /// Removes everything that belongs to the account, at once.
    private func erase(by caller: Caller) async throws -> JSON {
        let now = clock()
        // First the events, some at a time: there may be thousands, and one transaction would hold up all others.
        while try await decide(
            by: caller, at: now,
            { .success(try SecurityEvents.anonymise(of: caller.account, in: $0) >= Int(StoreLimits.rowsAtOnce)) })
        {}
        try await decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            guard try AccountRecords.erase(caller.account, in: transaction) else {
                return .failure(Problem(.invalidToken))
            }
            // That an account was erased is noted, not whose.
            try note(.accountErased, account: nil, EventDetails(nil), at: now, in: transaction)
            return .success(())
        }
        tell(.accountErased)
        database.forgetDeleted()
        return ["erased_at": JSON(now.seconds), "kept": .array(AccountRecords.kept.map(JSON.string))]
    }
}

extension AccountRecords {
    /// What an erasure leaves, as the answer says it.
    static let kept = [
        "that security events of some kind happened at some time, without the account and without details",
        "hashes of challenges and proofs that were used, until they expire, within minutes",
        "ids of access tokens that were revoked one by one, until they expire, within minutes",
        "hashed counters of limits, for a day",
        "backups that the operator made before, until they are replaced",
    ]

    /// All of it, for its owner. Times are seconds since 1970, bytes base64url.
    var json: JSON {
        [
            "account_id": .string(account.id.description), "account_name": .string(account.name),
            "created_at": JSON(account.createdAt.seconds),
            "passkeys": .array(passkeys.map(\.exported)),
            "devices": .array(devices.map(\.exported)),
            "sessions": .array(sessions.map(\.exported)),
            "device_attestations": .array(attestations.map(\.exported)),
            "recovery_codes_left": JSON(Int64(unusedRecoveryCodes)),
            "security_events": .array(events.map(\.exported)),
        ]
    }
}

extension PasskeyRow {
    fileprivate var exported: JSON {
        .object(with: [
            "passkey_id": .string(Base64URL.encode(credentialID)), "name": .string(label),
            "public_key": .string(Base64URL.encode(publicKey)), "sign_count": JSON(Int64(signCount)),
            "backup_eligible": .bool(isBackupEligible), "backed_up": .bool(isBackedUp),
            "transports": .string(transports), "aaguid": .string(Base64URL.encode(aaguid)),
            "attestation_format": .string(attestationFormat), "attestation_trust": .string(attestationTrust),
            "key_protection": .string(keyProtection), "key_evidence": .string(keyEvidence),
            "trust_lost_at": trustLostAt.map { JSON($0.seconds) },
            "attestation": attestation.map { .string(Base64URL.encode($0)) },
            "created_at": JSON(createdAt.seconds), "last_used_at": lastUsedAt.map { JSON($0.seconds) },
        ])
    }
}

extension DeviceRow {
    fileprivate var exported: JSON {
        .object(with: [
            "device_id": .string(id.description), "name": .string(name),
            "key_thumbprint": .string(Base64URL.encode(keyThumbprint)), "created_at": JSON(createdAt.seconds),
            "last_seen_at": JSON(lastSeenAt.seconds), "revoked_at": revokedAt.map { JSON($0.seconds) },
        ])
    }
}

extension SessionRow {
    fileprivate var exported: JSON {
        .object(with: [
            "session_id": .string(id.description), "device_id": .string(device.description),
            "created_at": JSON(issuedAt.seconds), "last_used_at": JSON(lastUsedAt.seconds),
            "expires_at": JSON(expiresAt.seconds), "refreshed": JSON(Int64(generation)),
            "revoked_at": revokedAt.map { JSON($0.seconds) }, "revoked_reason": revokedReason.map(JSON.string),
            "auth_time": JSON(authTime.seconds), "acr": .string(acr), "amr": .string(amr), "scope": .string(scope),
            "passkey_id": credential.map { .string(Base64URL.encode($0)) },
        ])
    }
}

extension DeviceAttestationRow {
    fileprivate var exported: JSON {
        [
            "device_id": .string(device.description), "platform": .string(platform), "format": .string(format),
            "trust": .string(trustStatus), "verified_at": JSON(verifiedAt.seconds),
            "attestation": .string(Base64URL.encode(attestation)),
        ]
    }
}

extension SecurityEventRow {
    fileprivate var exported: JSON {
        .object(with: [
            "kind": .string(kind), "at": JSON(at.seconds),
            "details": details.flatMap { try? JSON(decoding: $0) },
        ])
    }
}
