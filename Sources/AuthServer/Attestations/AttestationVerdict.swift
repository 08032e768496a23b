internal import AuthAPI
internal import Tokens
internal import WebAuthn

/// What an attestation is found to be worth. The store keeps both facts with the passkey; sessions follow from them.
struct AttestationVerdict: Equatable, Sendable {
    /// Whose word the attestation is.
    let trust: StoredTrust
    /// Where the key lies, as far as it is proven.
    let protection: KeyProtection
    /// Why it is not trusted, in one word; nil if it is, or never asked to be.
    let reason: String?

    init(trust: StoredTrust, protection: KeyProtection, reason: String? = nil) {
        self.trust = trust
        self.protection = protection
        self.reason = reason
    }
}

/// Whose word a stored attestation is. The store keeps the names, of which the first four are `AttestationTrust.Level`'s.
enum StoredTrust: String, CaseIterable, Sendable {
    case none
    case selfSigned = "self"
    case untrusted
    case anchored
    /// FIDO reports that the model was broken or revoked: nothing that the authenticator says counts.
    case compromised

    init(_ level: AttestationTrust.Level) {
        switch level {
        case .none: self = .none
        case .selfSigned: self = .selfSigned
        case .untrusted: self = .untrusted
        case .anchored: self = .anchored
        }
    }
}

extension AttestationPolicy {
    /// Judges an attestation that was accepted before, by the anchors, metadata and lists of this policy.
    ///
    /// - Parameters:
    ///   - object: the attestation object as it was stored; nil if the passkey came without a statement.
    ///   - signed: when the statement was made.
    func verdict(
        on object: [UInt8]?, model: AAGUID, signed: Timestamp, at now: Timestamp
    ) -> AttestationVerdict {
        let attestation: Attestation
        do throws(WebAuthnError) {
            attestation =
                if let object {
                    try AttestationObject(decoding: object).uncheckedAttestation()
                } else {
                    Attestation(format: .none, kind: .none, aaguid: model)
                }
        } catch {
            return AttestationVerdict(trust: .untrusted, protection: .unknown, reason: "unreadable")
        }
        switch unconditional.decision(on: attestation, at: now.milliseconds, signed: signed.milliseconds) {
        case .accepted(let trust):
            return AttestationVerdict(
                trust: StoredTrust(trust.level),
                protection: keyProtection(of: attestation, trusted: trust, at: now.milliseconds),
                reason: trust.reason)
        case .refused(.status(let status)):
            return AttestationVerdict(trust: .compromised, protection: .unknown, reason: status.rawValue)
        case .refused:
            return AttestationVerdict(trust: .untrusted, protection: .unknown, reason: "policy")
        }
    }

    /// The same anchors, metadata and lists, without what a registration is refused for: a passkey that is stored is judged,
    /// and not registered. Metadata that are out of date, or do not have a model, say nothing against it.
    private var unconditional: AttestationPolicy {
        var policy = self
        policy.levels = Set(AttestationTrust.Level.allCases)
        policy.formats = Set(AttestationFormat.allCases)
        policy.metadata?.isRequired = false
        return policy
    }
}

extension AttestationTrust {
    /// Why certificates are not trusted, in one word for events and for the operator.
    fileprivate var reason: String? {
        guard case .untrusted(let fault) = self else { return nil }
        return switch fault {
        case .noAnchor: "no_anchor"
        case .validity: "expired"
        case .signature: "signature"
        case .notAnAuthority, .keyUsage, .criticalExtension: "certificate"
        case .revoked: "revoked"
        case .weakHash: "weak_hash"
        }
    }
}

extension AuthenticationContext.KeyStorage {
    /// - Parameter trust: whose word the attestation is. Without an anchor nothing is proven.
    init(_ protection: KeyProtection, trust: StoredTrust?) {
        if trust == .anchored, protection.isHardware {
            self = .hardware
        } else if protection.place == .software {
            self = .software
        } else {
            self = .unknown
        }
    }
}

extension PasskeyRow {
    /// Whose word the attestation is; nil if the row has what this program never wrote.
    var trust: StoredTrust? { StoredTrust(rawValue: attestationTrust) }

    /// Where the key lies. What this program never wrote proves nothing.
    var protection: KeyProtection {
        guard let place = KeyProtection.Place(rawValue: keyProtection),
            let evidence = KeyProtection.Evidence(rawValue: keyEvidence)
        else { return .unknown }
        return KeyProtection(place: place, evidence: evidence)
    }

    /// What a ceremony with this passkey showed.
    ///
    /// - Parameter isBackupEligible: what the authenticator says now.
    func ceremony(isUserVerified: Bool, isBackupEligible: Bool) -> AuthenticationContext.Ceremony {
        AuthenticationContext.Ceremony(
            // An authenticator of a broken model may say that it has verified a user whom it has not.
            userPresent: true, userVerified: isUserVerified && trust != .compromised,
            backupEligible: isBackupEligible, keyStorage: AuthenticationContext.KeyStorage(protection, trust: trust))
    }
}

extension DeviceTrust {
    /// What a verdict on the attestation of a device's key comes to.
    init(_ verdict: AttestationVerdict) {
        self =
            switch verdict.trust {
            case .none: .unattested
            case .selfSigned, .untrusted, .compromised: .unverified
            case .anchored: verdict.protection.isHardware ? .trusted : .anchored
            }
    }
}
