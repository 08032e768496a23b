internal import Bitcoin

/// The sizes and times that this target accepts, each with its reason.
enum Limits {
    /// A proposal contains a whole PSBT, and a few bytes more. It is small enough to keep several in memory.
    static let messageSize = BitcoinLimits.psbtBytes + 4_096
    /// The multiplications of ECDSA in one message, each for one signature and one peer: the most that fit, with 49,491
    /// bytes each. They also limit the memory of a session: to 1.9 MB, 22 KB for each of them. Both sides must agree: it
    /// is part of the format.
    static let multiplications = 84
    /// Indices of shares are 1 to 15 (`ThresholdParameters`).
    static let parties = 15
    /// The time for a participant to receive an abort. It only wipes, and writes a small file: a moment, also over a
    /// slow connection. A participant that answers later still wipes its secrets.
    static let abortDeadline = Duration.seconds(10)
    /// The time for all participants to answer in one round. The longest step, the pairing of fifteen shares, takes
    /// seconds, and perhaps a minute with a slow processor, a busy disk or a bad connection. A participant that is
    /// silent for longer is gone, and a user waits for the result.
    static let roundDeadline = Duration.seconds(300)
    /// Aborts of a session that wait for a step to end. Its coordinator sends one; a few more leave room for
    /// repetitions.
    static let waitingAborts = 4
}
