internal import AuthAPI
internal import AuthStore
package import Time
internal import Tokens
package import WebAuthn

/// The verdict on an attestation. The store keeps both facts with the passkey; its sessions follow from them.
package struct AttestationVerdict: Equatable, Sendable {
    /// The trust in the attestation: which authority it leads to.
    package let trust: StoredTrust
    /// The place of the key, as far as it is proven.
    package let protection: KeyProtection
    /// The reason why the attestation is not trusted, in one word; nil if it is trusted, or if no trust was claimed.
    package let reason: String?

    init(trust: StoredTrust, protection: KeyProtection, reason: String? = nil) {
        self.trust = trust
        self.protection = protection
        self.reason = reason
    }
}

/// The trust in a stored attestation. The store keeps the names; the first four are those of `AttestationTrust.Level`.
package enum StoredTrust: String, CaseIterable, Sendable {
    case none
    case selfSigned = "self"
    case untrusted
    case anchored
    /// FIDO reports that the model is broken or revoked: no statement of the authenticator counts.
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
    /// Judges an attestation that was accepted earlier, by the anchors, metadata and lists of this policy.
    ///
    /// - Parameters:
    ///   - object: the attestation object from the store; nil if the passkey was registered without a statement.
    ///   - signed: the time when the statement was made.
    package func verdict(
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

    /// The policy with the same anchors, metadata and lists, without the reasons to refuse a registration: a stored
    /// passkey is judged, and not registered again. Outdated metadata, and metadata without its model, do not count
    /// against it.
    private var unconditional: AttestationPolicy {
        var policy = self
        policy.levels = Set(AttestationTrust.Level.allCases)
        policy.formats = Set(AttestationFormat.allCases)
        policy.metadata?.isRequired = false
        return policy
    }
}

extension AttestationTrust {
    /// The reason why certificates are not trusted, in one word for events and for the operator.
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
    /// - Parameter trust: the trust in the attestation. Without an anchor nothing is proven.
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
    /// The trust in the attestation; nil if the row has a word that this program never writes.
    package var trust: StoredTrust? { StoredTrust(rawValue: attestationTrust) }

    /// The place of the key. An unknown word in the row proves nothing.
    package var protection: KeyProtection {
        guard let place = KeyProtection.Place(rawValue: keyProtection),
            let evidence = KeyProtection.Evidence(rawValue: keyEvidence)
        else { return .unknown }
        return KeyProtection(place: place, evidence: evidence)
    }

    /// Returns the facts that a ceremony with this passkey proved.
    ///
    /// - Parameter isBackupEligible: the flag that the authenticator reports now.
    func ceremony(isUserVerified: Bool, isBackupEligible: Bool) -> AuthenticationContext.Ceremony {
        AuthenticationContext.Ceremony(
            // An authenticator of a broken model may claim a user verification that did not happen.
            userPresent: true, userVerified: isUserVerified && trust != .compromised,
            backupEligible: isBackupEligible, keyStorage: AuthenticationContext.KeyStorage(protection, trust: trust))
    }
}

extension DeviceTrust {
    /// Derives a device's trust from the verdict on the attestation of its key.
    package init(_ verdict: AttestationVerdict) {
        self =
            switch verdict.trust {
            case .none: .unattested
            case .selfSigned, .untrusted, .compromised: .unverified
            case .anchored: verdict.protection.isHardware ? .trusted : .anchored
            }
    }
}
