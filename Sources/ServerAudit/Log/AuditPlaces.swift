package import AuditLog
internal import Secrets
internal import Time

/// The folders and settings of the server's audit log.
package struct AuditPlaces: Sendable {
    /// The origin of the log.
    package let name: String
    /// The reader's public key.
    package let reader: [UInt8]
    package let folder: String
    package let secretFolder: String
    package let checkpointFolder: String
    package let missingSecret: AuditLogSetup.MissingSecret

    package init(
        name: String, reader: [UInt8], folder: String, secretFolder: String, checkpointFolder: String,
        missingSecret: AuditLogSetup.MissingSecret
    ) {
        (self.name, self.reader, self.folder) = (name, reader, folder)
        (self.secretFolder, self.checkpointFolder) = (secretFolder, checkpointFolder)
        self.missingSecret = missingSecret
    }

    /// Returns the store of the checkpoints that this log has published.
    package func checkpoints() throws(AuditLogError) -> CheckpointFolder {
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
            epochLength: .init(entries: ServerAuditLimits.epochEntries, seconds: ServerAuditLimits.epochSeconds),
            random: random,
            now: now)
        setup.known = known
        return setup
    }
}

/// Opens the log, or makes it if it does not exist. A test opens one on a disk with faults.
package typealias AuditOpening =
    @Sendable (AuditLogSetup, AuditLogSetup.MissingSecret) async throws(AuditLogError) -> AuditLog

extension AuditPlaces {
    package static let opening: AuditOpening = { setup, missingSecret throws(AuditLogError) in
        do throws(AuditLogError) {
            return try await AuditLog.open(setup, missingSecret: missingSecret)
        } catch .notFound {
            return try await AuditLog.create(setup)
        }
    }
}
