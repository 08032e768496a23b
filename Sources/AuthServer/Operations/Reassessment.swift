internal import AuthAPI
internal import Encoding
internal import SQLStore
public import Secrets
internal import WebAuthn

/// Judges every stored attestation anew, by the certificates, metadata and revocation list that the settings name now.
///
/// Trust is not frozen at registration: a maker's certificate is given up, a model is reported broken, a key that attests is
/// stolen. What is found is kept with each passkey; its sessions say it with their next access tokens.
public enum Reassessment {
    /// What was found.
    public struct Report: Equatable, Sendable {
        /// The attestations that were looked at: of passkeys and of devices.
        public internal(set) var seen = 0
        /// Those that are worth more than before.
        public internal(set) var raised = 0
        /// Those that are worth less than before.
        public internal(set) var lowered = 0
        /// Those that changed in another way, such as in what proves where the key lies.
        public internal(set) var altered = 0
        /// The first thousand changes.
        public internal(set) var changes: [Change] = []
        /// Whether the changes were written.
        public let isApplied: Bool

        /// How many changed.
        public var changed: Int { raised + lowered + altered }
    }

    /// One attestation that is worth something else than before.
    public struct Change: Equatable, Sendable {
        /// What was attested.
        public enum Subject: String, Sendable {
            /// A passkey.
            case passkey
            /// The key of a device.
            case device
        }

        /// Whether it is a passkey or a device.
        public let subject: Subject
        /// The passkey's or the device's id, as the interface has it: base64url.
        public let id: String
        /// The account's id, as the interface has it.
        public let account: String
        /// What the attestation was worth.
        public let before: Worth
        /// What the attestation is worth now.
        public let after: Worth
        /// Why it is not trusted, in one word, such as `no_anchor`, `revoked`, or a status of FIDO's; nil if it is trusted.
        public let reason: String?
    }

    /// What an attestation is worth, in the words of the store.
    public struct Worth: Equatable, Sendable {
        /// `none`, `self`, `untrusted`, `anchored` or `compromised`; of a device: `unattested`, `unverified`, `anchored` or
        /// `trusted`.
        public let trust: String
        /// Where the key lies: `unknown`, `software`, `tee`, …; nil of a device, whose trust says it.
        public let keyProtection: String?
        /// What says so; nil of a device.
        public let keyEvidence: String?
    }

    /// Judges every stored attestation.
    ///
    /// - Parameter isApplied: whether to write what is found; if not, nothing is changed.
    /// - Throws: what keeps the store from opening or a file from being read.
    public static func run(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes, isApplied: Bool
    ) async throws -> Report {
        let now = Timestamp.now()
        let policy = try AttestationFiles.policy(configuration.attestation, at: now)
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        return try await home.withExistingDatabase(configuration.store) { database in
            try await require(policy, configuration.attestation, sealer: sealer, in: database)
            return try await run(
                policy, sealer: sealer, in: database, at: now, random: SystemRandom(), isApplied: isApplied)
        }
    }

    /// Refuses to judge what cannot be read, and to judge by metadata that are older than some that were read before.
    private static func require(
        _ policy: AttestationPolicy, _ settings: ServerConfiguration.AttestationSettings, sealer: ColumnSealer,
        in database: any Database
    ) async throws {
        guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else {
            throw StartupError.olderTables
        }
        let highest = try await database.read { transaction in
            try sealer.requireOpening(in: transaction)
            return try MetadataNumbers.highest(of: MetadataBLOB.service, in: transaction)
        }
        if let blob = policy.metadata?.blob, let path = settings.metadataPath {
            try AttestationFiles.require(blob, in: path, notBelow: highest ?? 0)
        }
    }

    static func run(
        _ policy: AttestationPolicy, sealer: ColumnSealer, in database: any Database, at now: Timestamp,
        random: some RandomSource, isApplied: Bool
    ) async throws -> Report {
        var report = Report(isApplied: isApplied)
        let clerk = Clerk(
            policy: policy, sealer: sealer, database: database, now: now,
            events: SecurityEventLog(sealer: sealer, random: random, reporting: nil))
        try await clerk.judgePasskeys(isApplied, &report)
        try await clerk.judgeDevices(isApplied, &report)
        return report
    }
}

/// Reads page by page, judges outside of transactions, and writes what has changed in short ones.
private struct Clerk: Sendable {
    let policy: AttestationPolicy
    let sealer: ColumnSealer
    let database: any Database
    let now: Timestamp
    let events: SecurityEventLog

    private struct Judged: Sendable {
        let before: PasskeyRow
        let after: PasskeyRow
        let reason: String?
    }

    func judgePasskeys(_ isApplied: Bool, _ report: inout Reassessment.Report) async throws {
        var last: [UInt8]? = []
        while let after = last {
            let page = try await database.read {
                try Passkeys.page(after: after, limit: StoreLimits.rowsAtOnce, sealer: sealer, in: $0)
            }
            last = page.last?.credentialID
            report.seen += page.count
            let judged = page.compactMap(judge)
            if isApplied {
                for batch in judged.inBatches(of: Limits.judgedTogether) {
                    try await database.write { transaction in
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

    /// Nil if the passkey is worth what it was.
    private func judge(_ passkey: PasskeyRow) -> Judged? {
        let verdict = policy.verdict(
            on: passkey.attestation, model: AAGUID(bytes: passkey.aaguid) ?? .zero, signed: passkey.createdAt, at: now)
        let judged = passkey.judged(verdict, at: now)
        return judged == passkey ? nil : Judged(before: passkey, after: judged, reason: verdict.reason)
    }

    private func write(_ judged: Judged, in transaction: any Transaction) throws {
        let after = judged.after
        // The account first, as everywhere. One that is gone, or a passkey that is another one by now, needs no judgement:
        // the next run looks at what there is then.
        guard try Accounts.hold(after.account, in: transaction),
            try Passkeys.judge(
                judged.before, trust: after.attestationTrust, keyProtection: after.keyProtection,
                keyEvidence: after.keyEvidence, trustLostAt: after.trustLostAt, in: transaction)
        else { return }
        try after.judgeSessions(in: transaction)
        if judged.before.trustLostAt == nil, after.trustLostAt != nil {
            try events.note(
                .passkeyTrustLost, account: after.account,
                EventDetails(nil, passkey: after.credentialID, reason: judged.reason), at: now, in: transaction)
        }
    }

    func judgeDevices(_ isApplied: Bool, _ report: inout Reassessment.Report) async throws {
        var last: [UInt8]? = []
        while let after = last {
            let page = try await database.read {
                try DeviceAttestations.page(after: after, limit: StoreLimits.rowsAtOnce, sealer: sealer, in: $0)
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
                    try await database.write { transaction in
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
            try events.note(
                .deviceTrustLost, account: row.account, EventDetails(nil, device: row.device, reason: reason),
                at: now, in: transaction)
        }
    }
}

extension Reassessment.Report {
    /// - Parameter difference: how much more the attestation is worth than before; negative if less.
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

    /// What the passkey is worth, as a number; nil if the row has what this program never wrote.
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
