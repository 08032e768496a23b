public import AuthSettings
internal import AuthStore
internal import SQLStore
public import Secrets
internal import ServerHTTP
internal import Time
internal import WebAuthn

/// Checks a server's installation without changing anything.
public enum Preflight {
    /// A result of the check: a confirmation, an error, or advice.
    public struct Finding: Equatable, Sendable {
        /// Whether the operator need not do anything.
        public let isGood: Bool
        /// The part that was checked: `vault`, `store`, …
        public let about: String
        /// The text for the operator.
        public let text: String

        /// Creates a finding.
        public init(isGood: Bool, about: String, text: String) {
            self.isGood = isGood
            self.about = about
            self.text = text
        }
    }

    /// Returns the findings about a server's installation.
    ///
    /// - Throws: the error that keeps the server from starting.
    public static func findings(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> [Finding] {
        try await findings(configuration, home: home, passphrase: passphrase, free: FreeSpace.bytes)
    }

    /// - Parameter free: returns the free bytes of the file system of a folder; nil if they are not known.
    static func findings(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes,
        free: (String) -> Int64?
    ) async throws -> [Finding] {
        try requireSpace(configuration, home: home, free: free)
        var findings: [Finding] = []
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        findings.append(
            Finding(isGood: true, about: "vault", text: "opens, its newest master key is number \(sealer.newest)"))
        let now = Timestamp.now()
        findings += warnings(configuration, home: home, at: now)
        findings.append(Finding(isGood: true, about: "transport", text: configuration.transport.text))
        if case .tls(let certificate, let key) = configuration.transport {
            _ = try ServerTransport.context(certificate: certificate, key: key)
            findings += look(atCertificate: certificate, of: configuration, now: now).filter(\.isGood)
        }
        findings.append(look(at: configuration.connections, files: OpenFiles.limit))
        findings.append(look(at: SecretMemory.state, lockLimit: SecretMemory.lockLimit))
        _ = try configuration.webAuthnRelyingParty
        findings.append(try look(at: configuration.page, name: configuration.relyingParty.name))
        let policy = try AttestationFiles.policy(configuration.attestation, at: now)
        let metadata = policy.metadata?.blob
        findings += look(at: policy.revocations, configuration.attestation, now: now)
        findings.append(Finding(isGood: true, about: "passkeys", text: "of \(configuration.relyingParty.id)"))
        if case .sqlite(let name) = configuration.store, !home.hasFile(home.absolute(name)) {
            return findings + [
                Finding(isGood: false, about: "store", text: "it does not exist yet; the first start makes it")
            ]
        }
        if case .sqlite(let name) = configuration.store {
            try await SQLiteBackup.requireSoundPages(home.absolute(name))
        }
        let database = try await home.database(configuration.store)
        do {
            findings += try await look(at: database, sealer: sealer)
            findings += try await look(
                atLogs: configuration, home: home, database, sealer: sealer, now: now)
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

    /// Returns the finding about the look of the pages.
    ///
    /// - Parameter name: the operator's name on the pages.
    static func look(at page: ServerConfiguration.PageSettings, name: String) throws(StartupError) -> Finding {
        let theme = PageTheme(accent: page.accent)
        var parts = ["“\(name)”"]
        if let accent = page.accent {
            var drawn: [String] = []
            if theme.light.accent != accent { drawn.append("\(theme.light.accent) on light ground") }
            if theme.dark.accent != accent { drawn.append("\(theme.dark.accent) on dark ground") }
            let links = drawn.isEmpty ? "" : ", its links in \(drawn.joined(separator: " and in ")) to be readable"
            parts.append("in \(accent)\(links)")
        }
        if let path = page.logoPath {
            let logo = try PageLogo.read(path)
            parts.append("the logo \(path) (\(logo.format.rawValue), \((logo.bytes.count + 1023) >> 10) KiB)")
        }
        return Finding(isGood: true, about: "page", text: parts.joined(separator: ", "))
    }

    /// Returns the finding about the number of connections.
    ///
    /// - Parameter files: the number of files that a process may have open.
    static func look(at settings: ConnectionSettings, files: Int) -> Finding {
        let limits = ConnectionLimits(settings, files: files)
        guard limits.total < settings.total else {
            return Finding(
                isGood: true, about: "connections",
                text: "\(limits.total) at a time, \(limits.ofAddress) of them from one address")
        }
        let needed = settings.total + ServerHTTPLimits.reservedConnections + ServerHTTPLimits.ownFiles
        return Finding(
            isGood: false, about: "connections",
            text:
                "\(limits.total) at a time and not \(settings.total), as a process may have \(files) files open here: "
                + "let the server have \(needed) (ulimit -n, LimitNOFILE of systemd)")
    }

    /// Checks that the memory of secrets is locked.
    ///
    /// - Parameters:
    ///   - state: the state of the secret memory while the master keys are loaded.
    ///   - lockLimit: the number of bytes that a process may lock; nil without a limit.
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

    /// Checks the age of a revocation list. The list contains no date, so the time when the file was written is used.
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
                    + (isOld ? ": fetch the list anew, and replace \(path) with it" : ""))
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
                    + (isOld ? ": newer ones are out, replace \(path) with them" : ""))
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
            // Missing keys, such as after a restore, are made at the next start.
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

extension Ingress {
    /// The text for the operator.
    var text: String {
        switch self {
        case .localhost: "plain HTTP, for this machine only"
        case .tls: "TLS 1.3 by this process"
        case .behindProxy(let addresses):
            "TLS ends at a proxy; X-Forwarded-For is believed from \(addresses.joined(separator: ", "))"
        }
    }
}
