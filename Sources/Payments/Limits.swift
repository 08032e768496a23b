/// The numbers that this target decides by, each with its reason.
public enum PaymentLimits {
    /// Two weeks, in seconds: after that, nodes have forgotten what waited, and the same payment is mostly another one.
    public static let duplicateSeconds: UInt64 = 14 * 86_400
    /// A day, in seconds: within it, the same payment is mostly meant, and now and then a command ran twice.
    static let recentSeconds: UInt64 = 86_400
    /// Blocks of Bitcoin from which on nothing is taken back, unless the whole network is attacked.
    static let bitcoinFinalDepth: UInt32 = 6
    /// Accounts on Ethereum in which the signer of a transaction is looked for. Deriving them takes a tenth of a second.
    public static let accounts: UInt32 = 100
    /// Accounts that were never used are not looked past further than this.
    static let unusedAccounts = 3
    /// How often a node may show neither a transaction nor what took its place: a block may come between two answers.
    static let bitcoinLooks = 6
    /// How often a node may say that a number is used, and show nothing that has used it.
    static let ethereumLooks = 3
    /// How often the book is opened, while another program has it for a moment.
    public static let bookAttempts = 8
    /// The same behind a long wait: a result that cannot be noted is found once more, which costs a look at the node.
    static let bookAttemptsAfterWait = 20
    /// Between two of them.
    static let bookPause = Duration.milliseconds(250)
    /// How many of the first addresses a node without a record is asked about together.
    static let freshAddresses = 100
    /// How far behind the last one that was shown an address may lie: no node's word makes a wallet receive at a place where no
    /// other machine looks.
    static let freshAddressSpan: UInt32 = 1_000
    /// Commands look at so many addresses without being told, beside those that this machine has shown.
    public static let commonAddresses: UInt32 = 200
    /// Between two looks for a block of Bitcoin. Blocks of a test chain of one's own come when one makes them.
    static let bitcoinPause = Duration.seconds(10)
    static let regtestPause = Duration.milliseconds(500)
    /// Blocks come every twelve seconds on Ethereum, and up to several a second elsewhere.
    static let ethereumPause = Duration.seconds(1)
    /// How often, in looks, a watcher hears that the wait goes on.
    static let ethereumWord = 15
}
