public import Secrets
public import Time

/// The parameters of a log: its place, its identity, and the ports for keys and checkpoints.
public struct AuditLogSetup: Sendable {
    /// When a new epoch begins, besides each opening of the log.
    public struct EpochLength: Sendable {
        let entries: UInt64
        let time: Timestamp.Span

        /// Creates a length: an epoch ends with the limit that is reached first.
        ///
        /// - Throws: ``AuditLogError/outsideLimits`` unless 2 to 2^20 entries are allowed, and one second at least.
        public init(entries: UInt64, seconds: UInt64) throws(AuditLogError) {
            guard AuditLimits.epochEntries.contains(entries), (1...(1 << 32)).contains(seconds) else {
                throw .outsideLimits
            }
            self.entries = entries
            time = .seconds(Int64(seconds))
        }
    }

    /// The decision about a log with entries whose epoch's secret is missing from the store, or older there.
    public enum MissingSecret: Sendable {
        /// Opening throws ``AuditLogError/epochSecretMissing``.
        case refused
        /// A new chain of secrets begins, and verification reports that.
        case replaced
    }

    let folder: String
    let identity: LogIdentity
    let secrets: any EpochSecretStore
    let signer: any CheckpointSigner
    let checkpoints: any CheckpointStore
    let epochLength: EpochLength
    let random: any RandomSource
    let now: @Sendable () -> ClockReading
    /// States of this log that the caller knows from elsewhere, such as a database. Opening compares the log with them,
    /// as with the last checkpoint that was signed.
    public var known: [Checkpoint] = []
    /// The entries of one file. Tests use small files.
    var segmentEntries = AuditLimits.segmentEntries

    /// Creates a set-up.
    ///
    /// - Parameters:
    ///   - folder: the folder of the log, and of nothing else.
    ///   - reader: the public key of the owner, who alone can read entries.
    ///   - secrets: the place of the epoch's secret, outside of the folder.
    ///   - signer: the key of the log; its name is the origin.
    ///   - checkpoints: keeps every checkpoint that is signed, outside of the folder.
    ///   - now: the clocks. It is called for each event, in the order of the log.
    /// - Throws: ``AuditLogError/outsideLimits`` for a key of the wrong kind or size.
    public init(
        folder: String, reader: [UInt8], secrets: any EpochSecretStore, signer: any CheckpointSigner,
        checkpoints: any CheckpointStore, epochLength: EpochLength, random: any RandomSource,
        now: @escaping @Sendable () -> ClockReading
    ) throws(AuditLogError) {
        guard signer.key.kind == .signature else { throw .outsideLimits }
        identity = try LogIdentity(origin: signer.key.name, reader: reader)
        (self.folder, self.secrets, self.signer, self.checkpoints) = (folder, secrets, signer, checkpoints)
        (self.epochLength, self.random, self.now) = (epochLength, random, now)
    }

    /// Returns the secret of the epoch that the store has; nil if it has none.
    func storedSecret() async throws(AuditLogError) -> EpochSecret? {
        let bytes: SecretBytes?
        do { bytes = try await secrets.load() } catch { throw .portFailed(.epochSecrets) }
        guard let bytes else { return nil }
        guard let secret = EpochSecret(stored: bytes) else { throw .portFailed(.epochSecrets) }
        return secret
    }
}
