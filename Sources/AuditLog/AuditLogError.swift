/// The reasons why a log refuses. No case contains an event, a secret or a path.
public enum AuditLogError: Error, Equatable, Sendable {
    /// The folder has no log.
    case notFound
    /// The folder has a log already.
    case alreadyExists
    /// Another process, or another part of this one, has the log open for writing.
    case lockedByAnother(processID: Int32?)
    /// The log belongs to another origin or another reader than the caller expects.
    case otherLog
    /// The log has a later format than this program knows.
    case unsupportedVersion(UInt8)
    /// Bytes of the log are not those that were written. The sequence number is the first that may be affected.
    case damaged(sequence: UInt64)
    /// The log is shorter than a checkpoint that was signed for it: an older copy was put in its place.
    case rolledBack(size: UInt64, expected: UInt64)
    /// The log has another history than a checkpoint that was signed for it.
    case forked(size: UInt64)
    /// The secret of the current epoch is missing, or the store has one of an earlier epoch; without it, no entry can be
    /// written that continues the log.
    case epochSecretMissing
    /// The secret would lie in the folder of the log, or in one above or below it.
    case keyBesideLog
    /// The disk is full. What was to be logged must not be done; the log has recorded that the disk is full, if it
    /// could.
    case diskFull
    /// The system refused to write. What was to be logged must not be done.
    case writeFailed(code: Int32)
    /// An earlier write failed so that the state of the disk is unknown. Open the log again.
    case broken
    /// Too many events wait for the disk.
    case overloaded
    /// The log has been closed.
    case closed
    /// A required sink did not take the entry in time, or failed. What was to be logged must not be done.
    case sinkFailed(String)
    /// An event, a name or a number is outside the limits.
    case outsideLimits
    /// A port (the signer, the store of checkpoints or of the epoch's secret) failed.
    case portFailed(Port)
    /// A witness refused the checkpoint.
    case witnessRefused(WitnessRefusal)
    /// A witness answered, and its answer is worth nothing.
    case badWitnessAnswer(WitnessFault)

    /// The reasons why a witness's answer is worth nothing.
    public enum WitnessFault: Equatable, Sendable {
        /// The protocol has no such answer: another program may be at the address.
        case malformed
        /// The cosignature of the checkpoint by the witness's key is missing or wrong.
        case cosignature
        /// The cosignature is valid, and its time is more than a day before or after this machine's.
        case time
    }

    /// The ports of a log.
    public enum Port: Equatable, Sendable {
        /// The signer of checkpoints.
        case signer
        /// The store of the checkpoints that were signed.
        case checkpoints
        /// The store of the epoch's secret.
        case epochSecrets
        /// The connection to a witness.
        case witness
    }
}
