public import Amounts
internal import DisplayText

/// The limits of this module, each with its why.
public enum WalletLimits {
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

    /// Bytes of a transaction of Ethereum, without blobs: nodes pass on none that is larger.
    public static let ethereumTransactionBytes = 128 << 10

    /// Bytes of a message that is signed. A person reads it first.
    public static let messageBytes = 64 << 10

    /// Bytes of a document of EIP-712: the largest in use, orders of many things, have some tens of thousands.
    public static let typedDataBytes = 256 << 10

    /// Types that a document of EIP-712 may describe, and members that each may have. Those in use have less than twenty of
    /// either; the work to hash all types grows with the square.
    public static let typedDataTypes = 64
    public static let typedDataMembers = 64

    /// Bytes of the name of a type or of a member, with its brackets.
    public static let typeNameBytes = 128

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
    static let addressGap: UInt32 = 20

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
    static let usualFeeRate = FeeRate(satoshisPerKilobyte: 10_000)

    /// What a replacement pays for passing it on again (BIP-125, rule 4). Newer nodes ask for less; with this all accept it.
    public static let incrementalFeeRate = FeeRate(satoshisPerKilobyte: 1_000)

    /// Transactions that one replacement may throw out (BIP-125, rule 5).
    public static let replacedTransactions = 100

    /// Branches that a search for a changeless set of coins looks at: some milliseconds (Bitcoin Core, `TOTAL_TRIES`).
    static let selectionSteps = 100_000

    /// Weight of a transaction that nodes pass on (Bitcoin Core, `MAX_STANDARD_TX_WEIGHT`).
    static let relayedWeight = 400_000

    /// Transactions of one account of Ethereum that wait. Nodes keep 16 to 64 of each account.
    public static let waitingTransactions = 64

    /// Transactions with the same nonce. Each pays a tenth more than the one before: the last of these twice as much as the first.
    public static let replacements = 8

    /// What a replacement pays more, on both fees, in per cent: less is refused by all common nodes of Ethereum.
    public static let replacementPercent: UInt64 = 10

    /// Blocks after which what is mined on Ethereum stays: two epochs. Chains with faster blocks need more: ``ChainID/finalDepth``.
    public static let finalDepth: UInt64 = 64

    /// Bytes of an account's ledger of nonces: a few kilobytes in use, some megabytes with the largest transactions.
    public static let ledgerBytes = 16 << 20

    /// Characters of the signature of a message. One by a key takes about 150; by a script of many keys, a few thousand.
    public static let messageSignatureCharacters = 32_768

    /// Bytes of a policy file: a thousand rules, or twenty thousand addresses.
    public static let policyBytes = 1 << 20

    /// Characters of a rule's name, which stands in every decision.
    public static let policyNameCharacters = 64

    /// A fee this many times as high as the node's estimate is pointed out. Estimates double within minutes in a congestion.
    public static let feeMultiple: UInt256 = 5

    /// A fee of this much of what is paid, in per cent, and above ``smallFee(on:)``, takes a yes of its own.
    static let largeFeePercent: UInt256 = 25

    /// A fee up to this harms little, however little is paid, in the smallest unit: 10,000 satoshi, 0.001 ether, and on other chains
    /// a twentieth of what a fee may be there by default. A payment of some satoshi costs more than it is worth whenever blocks are
    /// full.
    static func smallFee(on chain: Chain) -> UInt256 {
        switch chain {
        case .bitcoin: 10_000
        case .ethereum(let id): (try? id.usualFee.value.divided(by: 20).quotient) ?? .zero
        }
    }

    /// A fee above this takes a yes of its own, however much is paid and whatever a node expects, in the smallest unit: 100,000
    /// satoshi, 0.005 ether, and on other chains a quarter of what a fee may be there by default. It pays for 200 satoshi a virtual
    /// byte of a transaction with five inputs, and for a transfer of tokens at 80 gwei, which few days ever asked for.
    static func largeFee(on chain: Chain) -> UInt256 {
        switch chain {
        case .bitcoin: 100_000
        case .ethereum(let id): (try? id.usualFee.value.divided(by: 4).quotient) ?? .zero
        }
    }

    /// Characters of a message that are shown: more than anybody reads before signing.
    static let shownMessageCharacters = 16_384

    /// Characters in all lines of typed data: the largest in use, orders of many things, have some tens of thousands.
    static let shownDataCharacters = 65_536

    /// An allowance of this much or more is one without limit: 2^96 - 1, the greatest number of tokens that count in 96 bits.
    static let unlimitedAllowance: UInt256 = {
        guard let value = try? UInt256(bytes: [UInt8](repeating: 0xFF, count: 12)) else { return .zero }
        return value
    }()
}
