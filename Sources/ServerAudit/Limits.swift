package import Time

/// The limits of the audit log of a server, and of its witness.
package enum ServerAuditLimits {
    /// Events that wait for the audit log. Two thousand sign-ins a second, with two events each, fill it in two seconds;
    /// an operator's command on a stopped server seldom writes more than a few.
    package static let backlog = 8_192
    /// The time that an event may wait for the log before changes are refused: a busy disk stalls for seconds, and an
    /// attacker who stops the log gets no more time to act unseen.
    package static let delay = Timestamp.Span.seconds(15)
    /// The time after which a server takes over events that another server has not copied. That one has refused
    /// changes for most of this time.
    static let adoption = Timestamp.Span.minutes(2)
    /// Parts of 500 rows of other servers that are read each time.
    static let adoptionPages = 16
    /// Seconds after which a client may try again what the log did not take.
    static let retrySeconds = 5
    /// Refused attempts of strangers that are logged one by one, over all accounts; of the others only the number is.
    /// They take at most 20 MB of the disk a day.
    static let refusals = TokenBucket.Rate(burst: 1_000, every: .seconds(1))
    /// The entries after which a checkpoint is signed, and the time after which it is if there are new entries.
    static let checkpointEntries: UInt64 = 4_096
    static let checkpointAge = Timestamp.Span.minutes(10)
    /// The time after which a failed checkpoint is tried again.
    static let checkpointRetry = Timestamp.Span.minutes(1)
    /// Entries and seconds of an epoch: an attacker who takes the machine can read the events of an hour at most.
    static let epochEntries: UInt64 = 16_384
    static let epochSeconds: UInt64 = 3_600
    /// Logs that the server witnesses. Each has a file for every checkpoint that was cosigned.
    package static let witnessedLogs = 256
    /// Bytes of the file with their keys: a key has at most 320 characters, and comments take the rest.
    static let witnessedLogsBytes = 256 << 10
    /// Checkpoints that are kept of one log, in 128 MiB: one every two hours for seven years.
    static let witnessedCheckpoints = 32_768
    /// New checkpoints of one log: a device makes one when it locks.
    static let witnessedRate = TokenBucket.Rate(burst: 60, every: .seconds(10))
    /// The time for which a cosignature answers repeated requests for the same checkpoint.
    static let cosignatureAge = Timestamp.Span.minutes(1)
}
