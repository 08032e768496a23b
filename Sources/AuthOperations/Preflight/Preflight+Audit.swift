internal import AuditLog
internal import AuthServer
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import ServerAudit
internal import Time

extension Preflight {
    /// Returns the findings about the audit log and the witness. Nothing is changed, and the server may be running.
    ///
    /// - Throws: `StartupError` for what keeps the server from starting.
    static func look(
        atLogs configuration: ServerConfiguration, home: ServerHome, _ database: any Database, sealer: ColumnSealer,
        now: Timestamp
    ) async throws -> [Finding] {
        var findings: [Finding] = []
        let keys = try await keys(in: database, sealer: sealer, now: now)
        if let places = AuditPlaces(configuration.audit, home: home) {
            do {
                findings += try await look(at: places, home: home, database, keys: keys, now: now)
            } catch let error as AuditLogError {
                throw StartupError.auditLog(folder: places.folder, AuditFault(error))
            } catch let fault as AuditFault {
                throw StartupError.auditLog(folder: places.folder, fault)
            }
        } else {
            findings.append(
                Finding(
                    isGood: false, about: "audit",
                    text: "off: security events are only in the store, where its owner can change them. "
                        + "Make a key with `fuekid audit key FILE`, and set audit.reader"))
        }
        if let path = configuration.witness.logsPath {
            let logs = try WitnessedLogs.ofOperator(path)
            let key = try keys.map { try $0.signer(ofWitness: configuration.witness.name).key.text }
            findings.append(
                Finding(
                    isGood: true, about: "witness",
                    text: "of \(logs.count) logs, with the key \(key ?? "that the next start makes")"))
        }
        return findings
    }

    /// Returns the keys of logs and of the witness; nil before the start that makes them.
    private static func keys(
        in database: any Database, sealer: ColumnSealer, now: Timestamp
    ) async throws -> AuditKeys? {
        guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else { return nil }
        let rows = try await database.read { transaction in
            try KeyPurpose.allCases.flatMap { try ServerKeys.all(purpose: $0.rawValue, in: transaction) }
        }
        return AuditKeys(rows, sealer: sealer, at: now)
    }

    /// Returns the log in a folder; nil without one.
    private static func reader(at folder: String) throws(AuditLogError) -> LogReader? {
        do throws(AuditLogError) { return try LogReader(at: folder) } catch .notFound { return nil }
    }

    private static func look(
        at places: AuditPlaces, home: ServerHome, _ database: any Database, keys: AuditKeys?, now: Timestamp
    ) async throws -> [Finding] {
        guard let keys else {
            return [Finding(isGood: true, about: "audit", text: "begins with the next start, in \(places.folder)")]
        }
        let number = AuditOutbox.number(of: places.name)
        let (stored, waiting, aside) = try await database.read { transaction in
            (
                try LogStates.find(number, in: transaction), try AuditQueue.waiting(in: transaction),
                try AuditQueue.countAside(in: transaction)
            )
        }
        let key = try keys.signer(ofLog: places.name).key
        var known: [Checkpoint] = []
        if let stored, let root = TreeHash(stored.root) {
            known.append(try Checkpoint(origin: places.name, size: UInt64(max(0, stored.size)), root: root))
        }
        if home.hasFile(places.checkpointFolder), let note = try places.checkpoints().last(of: places.name) {
            guard let checkpoint = Checkpoint(note, signedBy: key) else { throw AuditFault.otherKey }
            known.append(checkpoint)
        }
        guard let reader = try reader(at: places.folder) else {
            guard known.allSatisfy({ $0.size == 0 }) else { throw AuditFault.changed }
            return [Finding(isGood: true, about: "audit", text: "begins with the next start, in \(places.folder)")]
        }
        let identity = try LogIdentity(origin: places.name, reader: places.reader)
        guard reader.identity == identity else { throw AuditFault.otherLog }
        let report = try LogVerification.report(on: reader, identity: identity, checkpoints: known, key: nil)
        guard report.isSound else { throw AuditFault.changed }
        var findings = [
            Finding(
                isGood: true, about: "audit",
                text: "\(places.name), \(report.size) entries in \(places.folder). Its key is \(key.text)")
        ]
        if waiting.count > 0 {
            let age = waiting.first.map { now.since(Timestamp(milliseconds: $0 / 1_000)).milliseconds / 1_000 } ?? 0
            findings.append(
                Finding(
                    isGood: age < ServerAuditLimits.delay.milliseconds / 1_000, about: "audit",
                    text: "\(waiting.count) events wait for the log, the first for \(max(0, age)) seconds: "
                        + "a running server copies them at once, unless its disk is full or the log cannot be written"))
        }
        if aside > 0 {
            findings.append(
                Finding(
                    isGood: false, about: "audit",
                    text:
                        "\(aside) events in the store could not be read, and were set aside: a server with the newest "
                        + "master.vault takes those over that a newer master key has sealed; the others were damaged. "
                        + "operations.md says how to remove them"))
        }
        return findings
    }
}
