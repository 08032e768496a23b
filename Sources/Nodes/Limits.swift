public import Amounts
internal import Wallet

/// The limits of this module, each with its why.
public enum NodeLimits {
    /// Characters of a node's own words that are kept. A sentence fits; a page does not.
    public static let remoteTextCharacters = 200

    /// Characters of a node's URL. Providers' keys are some tens long.
    public static let addressCharacters = 2_048

    /// Bytes of a cookie file: Bitcoin Core writes 75.
    public static let cookieBytes = 1_024

    /// Bytes of an answer, unless the question says otherwise. A fee history of twenty blocks takes three thousand.
    public static let answerBytes = 1 << 20

    /// Bytes of an answer that holds whole transactions or lists of coins. A transaction of 4,000,000 weight units can have as many
    /// bytes, which is twice that in hexadecimal.
    public static let longAnswerBytes = 9 << 20

    /// Values inside each other in an answer. The deepest one that is read nests five.
    public static let answerDepth = 16

    /// Time for a connection, with its TLS handshake.
    public static let connectTimeout: Duration = .seconds(10)

    /// Time for a whole request, from the first byte to the last.
    public static let answerTimeout: Duration = .seconds(30)

    /// Time in which Bitcoin Core searches all unspent outputs: a minute or two on a fast disk.
    public static let scanTimeout: Duration = .seconds(600)

    /// How often a question is asked before its error is the answer.
    public static let attempts = 3

    /// The pause before the second attempt; it doubles with each one more.
    public static let firstPause: Duration = .milliseconds(250)

    /// Blocks whose fees a suggestion looks at: four minutes of Ethereum.
    public static let feeHistoryBlocks = 20

    /// The highest gas limit that we ask for: a transaction may not have more (EIP-7825).
    public static let gas: UInt64 = 16_777_216

    /// What a transaction costs at least (the yellow paper's G_transaction).
    public static let leastGas: UInt64 = 21_000

    /// Added to an estimate that is more than the least, in per cent: the state may be another one when it is mined.
    public static let gasMarginPercent: UInt64 = 20

    /// Bytes that a call may return. The answers that are read have 32; a revert's text should be shorter than that.
    public static let callBytes = 1 << 16

    /// Bytes of a contract's code. EIP-170 allows 24,576; some chains four times as much.
    public static let codeBytes = 1 << 17

    /// Scripts that are searched for at once. Each takes 80 bytes of a question, of which Bitcoin Core reads 32 MiB; each search
    /// takes a minute, however many scripts it is for.
    public static let scripts = 20_000

    /// The most addresses in one question for coins to a node that keeps no record of payments. Their scripts take half a megabyte
    /// of the question, and a second to derive.
    public static let addressesAtOnce = 5_000

    /// The most addresses that an explorer is asked about one by one, where the order of a wallet's addresses tells nothing: a
    /// minute or two.
    public static let triedAddresses = 1_000

    /// Coins that are looked at: each costs a few questions and the transaction that made it. Anybody can add more of them, for
    /// about 400 satoshi each, so the most valuable ones are taken. A transaction spends at most 400.
    public static let coins = 2_000

    /// Bytes of the transactions that made those coins: an attacker can pay in large ones. Some hundred bytes each, mostly.
    public static let heldTransactionBytes = 64 << 20

    /// Bytes of an answer that lists coins: Bitcoin Core takes about 400 for each, so that these are 40,000. In memory it is twenty
    /// times as much.
    public static let coinListBytes = 16 << 20

    /// Pages of an address's history that are read where an explorer lists no coins because they are too many. Each has 25
    /// transactions.
    public static let historyPages = 1_000

    /// Outputs of which a node is asked at once who spends them: an answer takes 200 bytes each.
    public static let outputsAtOnce = 1_000

    /// Waiting transactions that are looked at one by one: a second of a node's time. On the real chain many more wait, mostly.
    public static let waitingTransactions = 1_000

    /// Transactions that may wait for each other: Bitcoin Core allows 25 in a row, and replaces 100 at once.
    public static let queuedTransactions = 101

    /// Outputs of a transaction that are looked at to find it without an index.
    public static let lookedAtOutputs: UInt32 = 16

    /// Blocks that are searched for a transaction that a node without an index does not show: two weeks of Bitcoin, after which
    /// nodes have forgotten what waited. The search reads each block from the node's disk, and takes a minute or two.
    public static let searchedBlocks: UInt32 = 2_016

    /// The least that is suggested for whoever makes a block: a thousandth of a gwei, below which go-ethereum takes none.
    public static let leastPriorityFee = Wei(1_000_000)

    /// The least feerate that is suggested, in satoshi per 1,000 virtual bytes: one a virtual byte, which every node relays.
    public static let leastFeeRate: UInt64 = 1_000

    /// The highest feerate that is suggested, in satoshi per 1,000 virtual bytes. Above it, something is wrong or a person decides.
    public static let highestFeeRate: UInt64 = 500_000
}
