/// The numbers on which this target's decisions depend, each with its reason.
enum Limits {
    /// A day, in seconds: within it, the same payment is usually intended, but sometimes a command ran twice.
    static let recentSeconds: UInt64 = 86_400
    /// The number of times that the book is opened while another program has it for a moment.
    static let bookAttempts = 8
    /// The number of attempts to open the book after a long wait: a result that cannot be recorded is found again, at
    /// the cost of one request.
    static let bookAttemptsAfterWait = 20
}
