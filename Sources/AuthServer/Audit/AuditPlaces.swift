internal import AuditLog
internal import AuthAPI
internal import Secrets
internal import Time

/// The folders and settings of the server's audit log.
struct AuditPlaces: Sendable {
    /// The origin of the log.
    let name: String
    /// The reader's public key.
    let reader: [UInt8]
    let folder: String
    let secretFolder: String
    let checkpointFolder: String
    let missingSecret: AuditLogSetup.MissingSecret

    /// Nil if the settings name no reader.
    init?(_ settings: ServerConfiguration.AuditSettings, home: ServerHome) {
        guard let reader = settings.reader else { return nil }
        (name, self.reader) = (settings.name, reader)
        folder = home.absolute(settings.folder)
        secretFolder = home.absolute(settings.secretFolder)
        checkpointFolder = home.absolute(settings.checkpointFolder)
        missingSecret = settings.replacesLostSecret ? .replaced : .refused
    }

    /// Returns the store of the checkpoints that this log has published.
    func checkpoints() throws(AuditLogError) -> CheckpointFolder {
        try CheckpointFolder(at: checkpointFolder, apartFrom: folder)
    }

    /// Returns the set-up of the log.
    ///
    /// - Parameter known: the states of the log that the store knows.
    func setup(
        signer: Ed25519Signer, known: [Checkpoint], random: any RandomSource,
        now: @escaping @Sendable () -> ClockReading
    ) throws(AuditLogError) -> AuditLogSetup {
        var setup = try AuditLogSetup(
            folder: folder, reader: reader,
            secrets: try EpochSecretFile(at: "\(secretFolder)/secret", apartFrom: folder), signer: signer,
            checkpoints: try checkpoints(),
            epochLength: .init(entries: Limits.auditEpochEntries, seconds: Limits.auditEpochSeconds), random: random,
            now: now)
        setup.known = known
        return setup
    }
}

/// Opens the log, or makes it if it does not exist. A test opens one on a disk with faults.
typealias AuditOpening =
    @Sendable (AuditLogSetup, AuditLogSetup.MissingSecret) async throws(AuditLogError) -> AuditLog

extension AuditPlaces {
    static let opening: AuditOpening = { setup, missingSecret throws(AuditLogError) in
        do throws(AuditLogError) {
            return try await AuditLog.open(setup, missingSecret: missingSecret)
        } catch .notFound {
            return try await AuditLog.create(setup)
        }
    }
}
