/// The limits of this module, each with its why.
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

    /// Addresses of each chain that are looked at when a PSBT does not say which output is ours. BIP-44's gap is 20; other
    /// tools use up to 200.
    public static let scannedAddresses: UInt32 = 200

    /// The most addresses of each chain that the wallet's commands look at (`--addresses`). What comes back to an address beyond
    /// is not found by them, and so it counts as paid: a policy's limits hold for it. Every holder has the same bound, so that all
    /// read the same effects from a PSBT.
    public static let farthestAddress: UInt32 = 20_000

    /// How far behind the highest address that a transaction spends from its change may be. BIP-44's gap.
    package static let addressGap: UInt32 = 20

    /// Bytes of all scripts of a transaction that write data (OP_RETURN). Many nodes pass on no more: it is what Bitcoin Core
    /// allowed until version 30 (`MAX_OP_RETURN_RELAY`), and 80 bytes of data are what a person can look at.
    public static let dataScriptBytes = 83

    /// Inputs of ours in one transaction that is signed. Each takes two nonces from each signer, in guarded memory that the
    /// system locks: it grants a process 8 MiB, which is room for 2,000 of them.
    public static let ownInputs = 400

    /// Bytes of the transactions that made the coins of one transaction, where all are to be moved: each input shows its own whole
    /// one. With what else is in a PSBT they stay below ``psbtBytes``.
    public static let shownOrigins = 3 << 20

    /// Bytes of a descriptor: one extended key takes about 130 characters.
    public static let descriptorBytes = 512

    /// A fee above this part of what leaves the wallet is pointed out, in per cent.
    public static let conspicuousFeePercent: UInt64 = 10

    /// Feerates above this are pointed out, in satoshi per 1,000 virtual bytes. The highest that was needed for the next
    /// block in any congestion so far was about 2,000 a virtual byte, for hours; 500 is rarely meant.
    public static let conspicuousFeeRate: UInt64 = 500_000

    /// Feerates below this are not relayed by most nodes, in satoshi per 1,000 virtual bytes (Bitcoin Core 30).
    public static let relayedFeeRate: UInt64 = 100

    /// Blocks before new bitcoin can be spent (`COINBASE_MATURITY`).
    public static let coinbaseMaturity: UInt32 = 100

    /// No transaction is built for a feerate above this, in satoshi per 1,000 virtual bytes: more than twice what any
    /// congestion so far asked for. What is meant as satoshi for the whole transaction is caught by it.
    public static let highestFeeRate = FeeRate(satoshisPerKilobyte: 5_000_000)

    /// What spending costs some other time: Bitcoin Core's estimate (`-consolidatefeerate`).
    package static let usualFeeRate = FeeRate(satoshisPerKilobyte: 10_000)

    /// What a replacement pays for passing it on again (BIP-125, rule 4). Newer nodes ask for less; with this all accept it.
    public static let incrementalFeeRate = FeeRate(satoshisPerKilobyte: 1_000)

    /// Transactions that one replacement may throw out (BIP-125, rule 5).
    public static let replacedTransactions = 100

    /// Branches that a search for a changeless set of coins looks at: some milliseconds (Bitcoin Core, `TOTAL_TRIES`).
    package static let selectionSteps = 100_000

    /// Weight of a transaction that nodes pass on (Bitcoin Core, `MAX_STANDARD_TX_WEIGHT`).
    package static let relayedWeight = 400_000

    /// Characters of the signature of a message. One by a key takes about 150; by a script of many keys, a few thousand.
    public static let messageSignatureCharacters = 32_768
}
