internal import AuthAPI
internal import AuthStore
internal import Encoding
internal import Hummingbird
internal import ServerHTTP
internal import Time

/// The routes for a whole account: its export and its erasure.
struct AccountRoutes: Sendable {
    let authentication: RequestAuthentication
    let export: AccountExport
    let erasure: AccountErasure

    func add(to router: Router<ServerContext>) {
        router.get("/api/account/export") { request, context in
            let caller = try await authentication.freshCaller(PresentedRequest(request, context))
            return try await offEventLoop { Response.json(try await export.records(for: caller).json) }
        }
        router.delete("/api/account") { request, context in
            let caller = try await authentication.freshCaller(PresentedRequest(request, context))
            let erased = try await erasure.erase(by: caller)
            var response = Response.json([
                "erased_at": JSON(erased.seconds), "kept": .array(AccountRecords.kept.map(JSON.string)),
            ])
            // The device's key is cleared as well: its account no longer exists.
            response.headers[.clearSiteData] = "\"cache\", \"storage\""
            return response
        }
    }
}

extension AccountRecords {
    /// The data that an erasure leaves, in the words of the answer.
    static let kept = [
        "that security events of some kind happened at some time, without the account and without details",
        "hashes of challenges and proofs that were used, until they expire, within minutes",
        "ids of access tokens that were revoked one by one, until they expire, within minutes",
        "hashed counters of limits, for a day",
        "backups that the operator made before, until they are replaced",
    ]

    /// The complete export, for the owner. Times are seconds since 1970, bytes base64url.
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
