internal import AuthAPI
internal import SQLStore
public import Secrets
internal import SecureStorage
internal import WebAuthn

/// Looks at a server that is set up, without changing anything.
public enum Preflight {
    /// What was found: that something is as it should be, or what is not, or is unwise.
    public struct Finding: Equatable, Sendable {
        /// Whether nothing has to be done about it.
        public let isGood: Bool
        /// What it is about: `vault`, `store`, …
        public let about: String
        /// What was found.
        public let text: String

        /// Creates a finding.
        public init(isGood: Bool, about: String, text: String) {
            self.isGood = isGood
            self.about = about
            self.text = text
        }
    }

    /// Returns what there is to say about a server that is set up.
    ///
    /// - Throws: whatever keeps the server from starting.
    public static func findings(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> [Finding] {
        var findings: [Finding] = []
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        findings.append(
            Finding(isGood: true, about: "vault", text: "opens, its newest master key is number \(sealer.newest)"))
        if SecretFile.isOpenToOthers(home.vaultPath) {
            findings.append(
                Finding(
                    isGood: false, about: "vault",
                    text: "others than its owner can get at \(home.vaultPath): chmod 600"))
        }
        let now = Timestamp.now()
        findings.append(Finding(isGood: true, about: "transport", text: configuration.transport.text))
        if case .tls(let certificate, let key) = configuration.transport {
            _ = try ServerTransport.context(certificate: certificate, key: key)
            findings += look(atCertificate: certificate, key: key, of: configuration.transport, now: now)
        }
        findings.append(look(at: configuration.connections, files: OpenFiles.limit))
        findings.append(look(at: SecretMemory.state, lockLimit: SecretMemory.lockLimit))
        _ = try configuration.webAuthnRelyingParty
        let policy = try AttestationFiles.policy(configuration.attestation, at: now)
        let metadata = policy.metadata?.blob
        findings += look(at: policy.revocations, configuration.attestation, now: now)
        findings.append(Finding(isGood: true, about: "passkeys", text: "of \(configuration.relyingParty.id)"))
        if case .sqlite(let name) = configuration.store, !home.hasFile(home.absolute(name)) {
            return findings + [
                Finding(isGood: false, about: "store", text: "there is none yet; the first start makes it")
            ]
        }
        if case .sqlite(let name) = configuration.store {
            try await SQLiteBackup.requireSoundPages(home.absolute(name))
        }
        let database = try await home.database(configuration.store)
        do {
            findings += try await look(at: database, sealer: sealer)
            if let metadata, let path = configuration.attestation.metadataPath {
                findings += try await look(at: metadata, in: path, database, now: now)
            }
        } catch {
            await database.close()
            throw error
        }
        await database.close()
        return findings
    }

    private static func look(
        atCertificate certificate: String, key: String, of transport: ServerConfiguration.Transport, now: Timestamp
    ) -> [Finding] {
        var findings: [Finding] = []
        if let expiry = ServerTransport.certificateExpiry(transport) {
            let days = Int((expiry - Double(now.seconds)) / 86_400)
            let text =
                expiry <= Double(now.seconds)
                ? "has expired: renew it" : "expires in \(days) \(days == 1 ? "day" : "days")"
            findings.append(
                Finding(isGood: days >= Limits.certificateDays, about: "certificate", text: "\(certificate): \(text)"))
        }
        if SecretFile.isOpenToOthers(key) {
            findings.append(
                Finding(
                    isGood: false, about: "certificate", text: "others than its owner can get at \(key): chmod 600"))
        }
        return findings
    }

    /// - Parameter files: how many files a process may have open.
    static func look(at settings: ServerConfiguration.ConnectionSettings, files: Int) -> Finding {
        let limits = ConnectionLimits(settings, files: files)
        guard limits.total < settings.total else {
            return Finding(
                isGood: true, about: "connections",
                text: "\(limits.total) at a time, \(limits.ofAddress) of them from one address")
        }
        let needed = settings.total + Limits.reservedConnections + Limits.ownFiles
        return Finding(
            isGood: false, about: "connections",
            text:
                "\(limits.total) at a time and not \(settings.total), as a process may have \(files) files open here: "
                + "let the server have \(needed) (ulimit -n, LimitNOFILE of systemd)")
    }

    /// - Parameters:
    ///   - state: when the master keys are loaded.
    ///   - lockLimit: bytes that a process may lock; nil if there is no limit.
    static func look(at state: SecretMemory.State, lockLimit: Int?) -> Finding {
        guard state.unlocked > 0 else {
            return Finding(isGood: true, about: "memory", text: "secrets are locked, and are not swapped out")
        }
        let limit = lockLimit.map { ", as a process may lock \($0 / 1_024) KiB here" } ?? ""
        return Finding(
            isGood: false, about: "memory",
            text: "\(state.unlocked / 1_024) KiB of secrets are not locked and can be swapped out\(limit): "
                + "raise the limit (ulimit -l, LimitMEMLOCK of systemd), or turn swap off")
    }

    /// The list has no date of its own: when the file was written has to do.
    private static func look(
        at list: AndroidRevocationList?, _ settings: ServerConfiguration.AttestationSettings, now: Timestamp
    ) -> [Finding] {
        guard let list, let path = settings.androidRevocationPath else {
            guard settings.anchors.contains(where: { $0.format == .androidKey }) else { return [] }
            return [
                Finding(
                    isGood: false, about: "android_revocation",
                    text: "no list of revoked certificates is set, so no key of Android counts as one in hardware: "
                        + "see attestation.android_revocation")
            ]
        }
        guard let written = OperatorFile.modified(path) else {
            return [
                Finding(isGood: false, about: "android_revocation", text: "the age of \(path) cannot be found out")
            ]
        }
        let age = now.since(Timestamp(seconds: written))
        let isOld = age > Limits.revocationListAge
        let days = max(0, age.milliseconds / 86_400_000)
        return [
            Finding(
                isGood: !isOld, about: "android_revocation",
                text: "\(list.count) certificates, fetched \(days) days ago"
                    + (isOld ? ": fetch the list anew, and put it in the place of \(path)" : ""))
        ]
    }

    private static func look(
        at metadata: MetadataBLOB, in path: String, _ database: any Database, now: Timestamp
    ) async throws -> [Finding] {
        if try await Migrator.isCurrent(database, with: AuthTables.migrations) {
            let highest = try await database.read { try MetadataNumbers.highest(of: MetadataBLOB.service, in: $0) }
            try AttestationFiles.require(metadata, in: path, notBelow: highest ?? 0)
        }
        let isOld = metadata.isOutOfDate(at: now.milliseconds)
        return [
            Finding(
                isGood: !isOld, about: "metadata",
                text: "number \(metadata.number), of \(metadata.entries.count) models"
                    + (isOld ? ": newer ones are out, put them in the place of \(path)" : ""))
        ]
    }

    private static func look(at database: any Database, sealer: ColumnSealer) async throws -> [Finding] {
        guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else {
            return [
                Finding(
                    isGood: false, about: "store",
                    text: "its tables are an older version's; the next start migrates them")
            ]
        }
        let count: Int
        do {
            // Of those that are missing, as after a restoration, the next start makes new ones.
            count = try await database.read { transaction in
                try ServerKeys.requireOpening(by: sealer, in: transaction)
                return try KeyPurpose.allCases.reduce(0) {
                    $0 + (try ServerKeys.all(purpose: $1.rawValue, in: transaction).count)
                }
            }
        } catch StoreError.unknownSealingKey, StoreError.sealIsBroken {
            throw StartupError.otherMasterKey
        }
        return [
            Finding(isGood: true, about: "store", text: "tables are current, and the \(count) keys in it open")
        ]
    }
}

extension ServerConfiguration.Transport {
    /// For the operator.
    var text: String {
        switch self {
        case .localhost: "plain HTTP, for this machine only"
        case .tls: "TLS 1.3 by this process"
        case .behindProxy(let addresses): "TLS ends at a proxy; believed are \(addresses.joined(separator: ", "))"
        }
    }
}
