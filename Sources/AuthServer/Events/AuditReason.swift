/// The codes of reasons in an audit log. They are never changed; ADR 25 lists them.
enum AuditReason {
    /// A reason that has no code of its own, such as the words of an operator.
    static let other: UInt16 = 65_535

    static let codes: [String: UInt16] = [
        // Refusals.
        "unknown": 1, "trust_lost": 2, "account_locked": 3, "passkey_refused": 4, "passkey_unknown": 5,
        "challenge_invalid": 6, "challenge_expired": 7, "challenge_used": 8, "origin_not_allowed": 9,
        "user_verification_required": 10, "attestation_refused": 11, "attestation_unsupported": 12,
        "malformed_request": 13, "bad_signature": 14, "backup_eligibility": 15, "backup_flags": 16,
        "user_not_present": 17, "wrong_user": 18, "missing_user_handle": 19, "wrong_credential": 20, "wrong_type": 21,
        "wrong_algorithm": 22, "wrong_relying_party": 23, "cross_origin": 24,
        // Ends of sessions, orders of the operator, and devices that made room for others.
        "all others": 32, "operator": 33, "idle": 34,
        // Reused refresh tokens.
        "recent": 48, "stale": 49, "other_key": 50, "ahead": 51,
        // Lost trust.
        "no_anchor": 64, "expired": 65, "signature": 66, "certificate": 67, "revoked": 68, "weak_hash": 69,
        "unreadable": 70, "policy": 71,
        // Formats of attestations.
        "none": 96, "packed": 97, "tpm": 98, "android-key": 99, "apple": 100, "fido-u2f": 101,
    ]

    /// Returns the code of a reason; 0 without a reason. The reason of ``SecurityEvent/invitationsMade`` is their number.
    static func code(of reason: String?, for event: SecurityEvent) -> UInt16 {
        guard let reason else { return 0 }
        if event == .invitationsMade { return Int(reason).map { UInt16(clamping: $0) } ?? other }
        // The words of an operator are not those of this table, even if they are spelt like one of them.
        return event == .accountLocked ? other : codes[reason] ?? other
    }
}
