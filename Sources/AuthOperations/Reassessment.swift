internal import AuthAPI
internal import AuthServer
public import AuthSettings
internal import AuthStore
internal import Encoding
internal import SQLStore
public import Secrets
internal import Time
internal import WebAuthn

/// Judges every stored attestation again, by the certificates, metadata and revocation list that the settings name now.
///
/// Trust does not end with registration: a maker's certificate may be withdrawn, a model reported broken, an
/// attestation key stolen. The results are stored with each passkey; its sessions show them in their next access
/// tokens.
public enum Reassessment {
    /// The result of a reassessment.
    public struct Report: Equatable, Sendable {
        /// The number of attestations that were judged: of passkeys and of devices.
        public internal(set) var seen = 0
        /// The number of attestations with more trust than before.
        public internal(set) var raised = 0
        /// The number of attestations with less trust than before.
        public internal(set) var lowered = 0
        /// The number of attestations that changed in another way, such as in the evidence of where the key is kept.
        public internal(set) var altered = 0
        /// The first thousand changes.
        public internal(set) var changes: [Change] = []
        /// Whether the changes were written.
        public let isApplied: Bool

        /// The number of attestations that changed.
        public var changed: Int { raised + lowered + altered }
    }

    /// An attestation whose worth has changed.
    public struct Change: Equatable, Sendable {
        /// The kind of an attested key.
        public enum Subject: String, Sendable {
            /// A passkey.
            case passkey
            /// The key of a device.
            case device
        }

        /// Whether it is a passkey or a device.
        public let subject: Subject
        /// The id of the passkey or device, in the API's form: base64url.
        public let id: String
        /// The account's id, in the API's form.
        public let account: String
        /// The judgement of the attestation that was stored.
        public let before: Worth
        /// The judgement of the attestation by the present settings.
        public let after: Worth
        /// The reason why the attestation is not trusted, in one word, such as `no_anchor`, `revoked`, or a FIDO
        /// status; nil if it is trusted.
        public let reason: String?
    }

    /// The worth of an attestation, in the words of the store.
    public struct Worth: Equatable, Sendable {
        /// `none`, `self`, `untrusted`, `anchored` or `compromised`; for a device `unattested`, `unverified`,
        /// `anchored` or `trusted`.
        public let trust: String
        /// The place of the key: `unknown`, `software`, `tee`, …; nil for a device, whose trust includes it.
        public let keyProtection: String?
        /// The evidence for where the key is kept; nil for a device.
        public let keyEvidence: String?
    }

    /// Judges every stored attestation.
    ///
    /// - Parameter isApplied: whether the results are written; if not, nothing is changed.
    /// - Throws: an error if the store cannot be opened or a file cannot be read.
    public static func run(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes, isApplied: Bool
    ) async throws -> Report {
        let now = Timestamp.now()
        let policy = try AttestationFiles.policy(configuration.attestation, at: now)
        return try await OperatorStore.with(configuration, home: home, passphrase: passphrase) { store in
            try await require(policy, configuration.attestation, of: store)
            return try await run(policy, on: store, at: now, isApplied: isApplied)
        }
    }

    /// Refuses a store that these master keys do not open, and metadata that are older than some that were read before.
    private static func require(
        _ policy: AttestationPolicy, _ settings: ServerConfiguration.AttestationSettings, of store: OperatorStore
    ) async throws {
        try await store.requireCurrentTables()
        let highest = try await store.database.read { transaction in
            try store.sealer.requireOpening(in: transaction)
            return try MetadataNumbers.highest(of: MetadataBLOB.service, in: transaction)
        }
        if let blob = policy.metadata?.blob, let path = settings.metadataPath {
            try AttestationFiles.require(blob, in: path, notBelow: highest ?? 0)
        }
    }

    static func run(
        _ policy: AttestationPolicy, on store: OperatorStore, at now: Timestamp, isApplied: Bool
    ) async throws -> Report {
        var report = Report(isApplied: isApplied)
        let clerk = Clerk(policy: policy, store: store, now: now)
        try await clerk.judgePasskeys(isApplied, &report)
        try await clerk.judgeDevices(isApplied, &report)
        return report
    }
}

/// Reads pages of attestations, judges them outside of transactions, and writes the changes in short transactions.
private struct Clerk: Sendable {
    let policy: AttestationPolicy
    let store: OperatorStore
    let now: Timestamp

    private struct Judged: Sendable {
        let before: PasskeyRow
        let after: PasskeyRow
        let reason: String?
    }

    func judgePasskeys(_ isApplied: Bool, _ report: inout Reassessment.Report) async throws {
        var last: [UInt8]? = []
        while let after = last {
            let page = try await store.database.read {
                try Passkeys.page(after: after, limit: StoreLimits.rowsAtOnce, sealer: store.sealer, in: $0)
            }
            last = page.last?.credentialID
            report.seen += page.count
            let judged = page.compactMap(judge)
            if isApplied {
                for batch in judged.inBatches(of: Limits.judgedTogether) {
                    try await store.database.write { transaction in
                        for judged in batch { try write(judged, in: transaction) }
                    }
                }
            }
            for judged in judged {
                report.add(
                    Reassessment.Change(
                        subject: .passkey, id: Base64URL.encode(judged.before.credentialID),
                        account: judged.before.account.description, before: judged.before.worth,
                        after: judged.after.worth, reason: judged.reason),
                    by: judged.after.rank.map { after in judged.before.rank.map { after - $0 } ?? 0 } ?? 0)
            }
        }
    }

    /// Judges a passkey. Returns nil if nothing has changed.
    private func judge(_ passkey: PasskeyRow) -> Judged? {
        let verdict = policy.verdict(
            on: passkey.attestation, model: AAGUID(bytes: passkey.aaguid) ?? .zero, signed: passkey.createdAt, at: now)
        let judged = passkey.judged(verdict, at: now)
        return judged == passkey ? nil : Judged(before: passkey, after: judged, reason: verdict.reason)
    }

    private func write(_ judged: Judged, in transaction: any Transaction) throws {
        let after = judged.after
        // The account's row is taken first, as everywhere. If the account is gone, or the passkey was replaced, no
        // judgement is needed: the next run judges what then exists.
        guard try Accounts.hold(after.account, in: transaction),
            try Passkeys.judge(
                judged.before, trust: after.attestationTrust, keyProtection: after.keyProtection,
                keyEvidence: after.keyEvidence, trustLostAt: after.trustLostAt, in: transaction)
        else { return }
        try after.judgeSessions(in: transaction)
        if judged.before.trustLostAt == nil, after.trustLostAt != nil {
            try store.events.note(
                .passkeyTrustLost, account: after.account,
                EventDetails(nil, passkey: after.credentialID, reason: judged.reason), at: now, in: transaction)
        }
    }

    func judgeDevices(_ isApplied: Bool, _ report: inout Reassessment.Report) async throws {
        var last: [UInt8]? = []
        while let after = last {
            let page = try await store.database.read {
                try DeviceAttestations.page(after: after, limit: StoreLimits.rowsAtOnce, sealer: store.sealer, in: $0)
            }
            last = page.last?.device.bytes
            report.seen += page.count
            var judged: [(DeviceAttestationRow, DeviceTrust, String?)] = []
            for row in page {
                let verdict = policy.verdict(on: row.attestation, model: .zero, signed: row.verifiedAt, at: now)
                let trust = DeviceTrust(verdict)
                if trust.rawValue != row.trustStatus { judged.append((row, trust, verdict.reason)) }
            }
            if isApplied {
                for batch in judged.inBatches(of: Limits.judgedTogether) {
                    try await store.database.write { transaction in
                        for (row, trust, reason) in batch { try write(row, trust, reason, in: transaction) }
                    }
                }
            }
            for (row, trust, reason) in judged {
                let known = DeviceTrust(rawValue: row.trustStatus)
                report.add(
                    Reassessment.Change(
                        subject: .device, id: row.device.description, account: row.account.description,
                        before: Reassessment.Worth(trust: row.trustStatus, keyProtection: nil, keyEvidence: nil),
                        after: Reassessment.Worth(trust: trust.rawValue, keyProtection: nil, keyEvidence: nil),
                        reason: reason),
                    by: trust.rank - (known?.rank ?? 0))
            }
        }
    }

    private func write(
        _ row: DeviceAttestationRow, _ trust: DeviceTrust, _ reason: String?, in transaction: any Transaction
    ) throws {
        guard try Accounts.hold(row.account, in: transaction),
            try DeviceAttestations.judge(row, trustStatus: trust.rawValue, in: transaction)
        else { return }
        if trust.rank < DeviceTrust(rawValue: row.trustStatus)?.rank ?? 0 {
            try store.events.note(
                .deviceTrustLost, account: row.account, EventDetails(nil, device: row.device, reason: reason),
                at: now, in: transaction)
        }
    }
}

extension Reassessment.Report {
    /// Adds a change.
    ///
    /// - Parameter difference: how much the worth has risen; negative if it fell.
    fileprivate mutating func add(_ change: Reassessment.Change, by difference: Int) {
        if difference > 0 {
            raised += 1
        } else if difference < 0 {
            lowered += 1
        } else {
            altered += 1
        }
        if changes.count < Limits.listedChanges { changes.append(change) }
    }
}

extension PasskeyRow {
    fileprivate var worth: Reassessment.Worth {
        Reassessment.Worth(trust: attestationTrust, keyProtection: keyProtection, keyEvidence: keyEvidence)
    }

    /// Returns the passkey with the results of a verdict; the same passkey if nothing has changed.
    fileprivate func judged(_ verdict: AttestationVerdict, at now: Timestamp) -> PasskeyRow {
        var judged = self
        judged.attestationTrust = verdict.trust.rawValue
        judged.keyProtection = verdict.protection.place.rawValue
        judged.keyEvidence = verdict.protection.evidence.rawValue
        judged.trustLostAt =
            switch verdict.trust {
            // Only a passkey with a trusted attestation can lose trust, unless its model is broken.
            case .anchored, .none, .selfSigned: nil
            case .compromised: trustLostAt ?? now
            case .untrusted: trust == .anchored ? now : trustLostAt
            }
        return judged
    }

    /// The worth of the passkey as a number; nil if the row has a word that this program never writes.
    fileprivate var rank: Int? {
        guard let trust else { return nil }
        return switch trust {
        case .compromised: 0
        case .untrusted: 1
        case .none, .selfSigned: 2
        case .anchored: protection.isHardware ? 4 : 3
        }
    }
}

extension DeviceTrust {
    fileprivate var rank: Int {
        switch self {
        case .unattested, .unverified: 0
        case .anchored: 1
        case .trusted: 2
        }
    }
}

extension Array {
    fileprivate func inBatches(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
