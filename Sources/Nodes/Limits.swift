public import Amounts

/// The limits of this module, each with its reason.
public enum NodeLimits {
    /// Characters of a node's own words that are kept: enough for a sentence.
    public static let remoteTextCharacters = 200

    /// Characters of a node's URL. Providers' keys have some tens.
    public static let addressCharacters = 2_048

    /// Bytes of a cookie file: Bitcoin Core writes 75.
    public static let cookieBytes = 1_024

    /// Bytes of an answer, unless the request says otherwise. A fee history of twenty blocks takes three thousand.
    public static let answerBytes = 1 << 20

    /// Bytes of an answer with whole transactions or lists of coins. A transaction of 4,000,000 weight units can have
    /// that many bytes, and twice as many in hexadecimal.
    public static let longAnswerBytes = 9 << 20

    /// Depth of values in an answer. The deepest one that is read has a depth of five.
    public static let answerDepth = 16

    /// Time for a connection, with its TLS handshake.
    public static let connectTimeout: Duration = .seconds(10)

    /// Time for a whole request, from the first byte to the last.
    public static let answerTimeout: Duration = .seconds(30)

    /// Time in which Bitcoin Core searches all unspent outputs: a minute or two on a fast disk.
    public static let scanTimeout: Duration = .seconds(600)

    /// The maximum number of attempts of a request.
    public static let attempts = 3

    /// The pause before the second attempt; it doubles with each further one.
    public static let firstPause: Duration = .milliseconds(250)

    /// Blocks that a fee suggestion uses: four minutes of Ethereum.
    public static let feeHistoryBlocks = 20

    /// The highest gas limit that this wallet requests: a transaction may not have more (EIP-7825).
    public static let gas: UInt64 = 16_777_216

    /// The minimum gas of a transaction (the yellow paper's G_transaction).
    public static let leastGas: UInt64 = 21_000

    /// Added to an estimate above the minimum, in per cent: the state may differ when it is mined.
    public static let gasMarginPercent: UInt64 = 20

    /// Bytes that a call may return. The answers that are read have 32; a revert's text should be shorter than this.
    public static let callBytes = 1 << 16

    /// Bytes of a contract's code. EIP-170 allows 24,576; some chains allow four times as much.
    public static let codeBytes = 1 << 17

    /// The maximum number of scripts in one search. Each takes 80 bytes of a request, and Bitcoin Core reads requests
    /// of up to 32 MiB; a search takes a minute for any number of scripts.
    public static let scripts = 20_000

    /// Addresses in one request for coins to a node without a record of payments. Their scripts take half a megabyte,
    /// and a second to derive.
    public static let addressesAtOnce = 5_000

    /// Addresses that are requested from an explorer one by one, if the order of a wallet's addresses does not help: a
    /// minute or two.
    public static let triedAddresses = 1_000

    /// Coins that are examined: each costs a few requests and the transaction that created it. Anyone can add more of
    /// them, for about 400 satoshi each, so the most valuable ones are taken. A transaction spends at most 400.
    public static let coins = 2_000

    /// Bytes of the transactions that created those coins, because an attacker can pay in large ones. Most have some
    /// hundred bytes.
    public static let heldTransactionBytes = 64 << 20

    /// Bytes of an answer with a list of coins: Bitcoin Core takes about 400 for each, so that these are 40,000. In
    /// memory it is twenty times as much.
    public static let coinListBytes = 16 << 20

    /// Pages of an address's history that are read if an explorer lists no coins because they are too many. Each has 25
    /// transactions.
    public static let historyPages = 1_000

    /// Transactions that pay to one script in a list of payments, the newest ones. A receiving address is meant for one
    /// payment; a published one has some hundreds in years.
    public static let paymentsOfScript = 500

    /// Transactions in a list of payments of all scripts: 100 kilobytes. A wallet's history looks at a tenth of them.
    public static let payments = 2_000

    /// Transactions of one address that are read for a list of payments: 500 payments, and as many transactions that
    /// spend them. An explorer could put a hundred thousand into each page.
    public static let paymentTransactions = 1_000

    /// Pages of one address that are read for a list of payments: 1,000 transactions in pages of 25. An explorer could
    /// put one into each page.
    public static let paymentPages = 40

    /// Pages of all addresses that are read for a list of payments: two for each of 1,000 addresses, which take some
    /// minutes. Without this bound an explorer could answer for hours, with 16 MiB each time.
    public static let paymentPagesInAll = 2_000

    /// Outputs in one request for their spending transactions: an answer takes 200 bytes each.
    public static let outputsAtOnce = 1_000

    /// Waiting transactions that are examined one by one: a second of a node's time. On the main chain usually many
    /// more wait.
    public static let waitingTransactions = 1_000

    /// Transactions that may depend on each other: Bitcoin Core allows 25 in a row, and replaces 100 at once.
    public static let queuedTransactions = 101

    /// Outputs of a transaction that are examined to find it without an index.
    public static let lookedAtOutputs: UInt32 = 16

    /// Blocks that are searched for a transaction that a node without an index does not show: two weeks of Bitcoin,
    /// after which nodes have dropped waiting transactions. The search reads each block from the node's disk, and takes
    /// a minute or two.
    public static let searchedBlocks: UInt32 = 2_016

    /// Blocks that may arrive while a node answers: a node that is behind by more is still loading the chain.
    public static let arrivingBlocks: UInt64 = 1

    /// The pause before a search of all unspent outputs is requested again while the node runs another one. All pauses
    /// together are two and a half minutes, which a search of the main chain takes.
    public static let scanPause = Duration.seconds(5)
    /// The number of those pauses.
    public static let scanPauses = 30

    /// The lowest suggested tip for block producers: a thousandth of a gwei, below which go-ethereum accepts none.
    public static let leastPriorityFee = Wei(1_000_000)

    /// The lowest suggested feerate, in satoshi per 1,000 virtual bytes: one a virtual byte, which every node relays.
    public static let leastFeeRate: UInt64 = 1_000

    /// The highest suggested feerate, in satoshi per 1,000 virtual bytes. A higher one is an error, or the user's
    /// decision.
    public static let highestFeeRate: UInt64 = 500_000
}
