internal import Bitcoin

/// The sizes and times that this target accepts, each with its reason.
enum Limits {
    /// A proposal carries a whole PSBT, and a few bytes more. Little enough to hold several.
    static let messageSize = BitcoinLimits.psbtBytes + 4_096
    /// Indices of shares are 1 to 15 (`ThresholdParameters`).
    static let parties = 15
    /// How long a participant has to hear that a ceremony is given up. It only wipes, and writes a small file: a moment, also over a
    /// slow line. A participant that answers later still wipes what it keeps.
    static let abortDeadline = Duration.seconds(10)
    /// How long all participants have to answer in one round. The longest step, the set-up of pairs among fifteen shares, takes seconds;
    /// a slow processor, a busy disk or a bad line can make a minute of it. One that is silent for longer is gone, and a person waits
    /// for what comes of it.
    static let roundDeadline = Duration.seconds(300)
    /// Aborts of a session that wait for a step to end. Its coordinator sends one; a few more leave room for what it sends again.
    static let waitingAborts = 4
}
