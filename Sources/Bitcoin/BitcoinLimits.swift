/// The limits of this module, each with its reason.
public enum BitcoinLimits {
    /// Bytes of a transaction: a block holds no more weight than this, so that a larger one can never be mined.
    public static let transactionBytes = 4_000_000

    /// Bytes of a PSBT in binary form. It may hold previous transactions, but a few large ones at most: what exceeds this
    /// is an attack on memory. A message of the signing session carries it whole.
    public static let psbtBytes = 4 << 20

    /// Entries in all maps of a PSBT: the smallest takes a few bytes of input, and a hundred in memory. A transaction of
    /// 2,000 inputs, each with a dozen fields, stays below it.
    public static let psbtEntries = 32_768

    /// Elements in the witness of one input: each takes at least one byte of a transaction, and far more in memory. A script
    /// may have 1,000 on its stack (BIP-342), and its own bytes, the control block and the annex follow.
    public static let witnessElements = 1_003

    /// Leaf hashes in one BIP-371 derivation, and steps of a control block (BIP-341: 128).
    public static let taprootDepth = 128

    /// The number of addresses of each chain that are searched when a PSBT does not say which output is the wallet's.
    /// BIP-44's gap is 20; other tools use up to 200.
    public static let scannedAddresses: UInt32 = 200

    /// The highest number of addresses of each chain that the wallet's commands search (`--addresses`). They do not
    /// find an amount that returns to a later address, so it counts as paid, and a policy's limits apply to it. The
    /// bound is the same for every participant, so that all decode the same effects from a PSBT.
    public static let farthestAddress: UInt32 = 20_000

    /// The number of addresses by which change may be behind the highest address that a transaction spends from:
    /// BIP-44's gap.
    package static let addressGap: UInt32 = 20

    /// Bytes of all scripts of a transaction that write data (OP_RETURN). Many nodes relay no more: it is Bitcoin
    /// Core's limit before version 30 (`MAX_OP_RETURN_RELAY`), and 80 bytes of data are as much as a person can check.
    public static let dataScriptBytes = 83

    /// The wallet's inputs in one signed transaction. Each takes two nonces from each signer, in guarded memory that
    /// the system locks: it grants a process 8 MiB, which is room for 2,000 of them.
    public static let ownInputs = 400

    /// Bytes of the previous transactions that one sweep shows: each input shows its whole one. With the rest of the
    /// PSBT they stay below ``psbtBytes``.
    public static let shownOrigins = 3 << 20

    /// Bytes of a descriptor: one extended key takes about 130 characters.
    public static let descriptorBytes = 512

    /// A fee above this part of the amount that leaves the wallet gets a finding, in per cent.
    public static let conspicuousFeePercent: UInt64 = 10

    /// A feerate above this gets a finding, in satoshi per 1,000 virtual bytes. The highest rate that was needed for
    /// the next block in any congestion so far was about 2,000 a virtual byte, for hours; 500 is rarely intended.
    public static let conspicuousFeeRate: UInt64 = 500_000

    /// Feerates below this are not relayed by most nodes, in satoshi per 1,000 virtual bytes (Bitcoin Core 30).
    public static let relayedFeeRate: UInt64 = 100

    /// Blocks before new bitcoin can be spent (`COINBASE_MATURITY`).
    public static let coinbaseMaturity: UInt32 = 100

    /// No transaction is built with a feerate above this, in satoshi per 1,000 virtual bytes: more than twice the
    /// highest one in any congestion so far. It catches a number that was meant as the fee of the whole transaction.
    public static let highestFeeRate = FeeRate(satoshisPerKilobyte: 5_000_000)

    /// The feerate for spending later: Bitcoin Core's estimate (`-consolidatefeerate`).
    package static let usualFeeRate = FeeRate(satoshisPerKilobyte: 10_000)

    /// The rate by which a replacement pays for its own relay (BIP-125, rule 4). Newer nodes require less; all accept
    /// this.
    public static let incrementalFeeRate = FeeRate(satoshisPerKilobyte: 1_000)

    /// The maximum number of transactions that one replacement may evict (BIP-125, rule 5).
    public static let replacedTransactions = 100

    /// Branches that a search for a changeless set of coins examines: some milliseconds (Bitcoin Core, `TOTAL_TRIES`).
    package static let selectionSteps = 100_000

    /// The maximum weight of a transaction that nodes relay (Bitcoin Core, `MAX_STANDARD_TX_WEIGHT`).
    package static let relayedWeight = 400_000

    /// Characters of a message's signature. By a key it takes about 150; by a script of many keys, a few thousand.
    public static let messageSignatureCharacters = 32_768
}
