package import Amounts

/// The limits of this module, each with its reason.
public enum EthereumLimits {
    /// Bytes of an Ethereum transaction without blobs: nodes relay no larger one.
    public static let ethereumTransactionBytes = 128 << 10

    /// Bytes of a message to be signed. A person reads it first.
    public static let messageBytes = 64 << 10

    /// Bytes of a document of EIP-712: the largest in use, orders of many items, have some tens of thousands.
    public static let typedDataBytes = 256 << 10

    /// Types that a document of EIP-712 may describe, and members that each may have. Those in use have less than twenty of
    /// either; the work to hash all types grows with the square.
    public static let typedDataTypes = 64
    /// The most members of one type of typed data.
    public static let typedDataMembers = 64

    /// Bytes of the name of a type or of a member, with its brackets.
    public static let typeNameBytes = 128

    /// The maximum number of characters of a token's symbol. Symbols in use have up to eleven.
    public static let symbolCharacters = 12

    /// The maximum size of the answer of `symbol()`: an offset, a length, and the text in words of 32 bytes.
    public static let symbolAnswerBytes = 4 * 32

    /// Unconfirmed transactions of one Ethereum account. Nodes keep 16 to 64 of each account.
    public static let waitingTransactions = 64

    /// Transactions with the same nonce. Each pays a tenth more than the one before, so the last one pays twice as much
    /// as the first.
    public static let replacements = 8

    /// The percentage by which a replacement must raise both fees: all common Ethereum nodes refuse less.
    public static let replacementPercent: UInt64 = 10

    /// Blocks after which a block is final on Ethereum: two epochs. Chains with faster blocks need more:
    /// ``ChainID/finalDepth``.
    public static let finalDepth: UInt64 = 64

    /// Bytes of an account's ledger of nonces: a few kilobytes in use, some megabytes with the largest transactions.
    public static let ledgerBytes = 16 << 20

    /// Characters of a message that are shown: more than a person reads before signing.
    package static let shownMessageCharacters = 16_384

    /// Allowances from this number on are unlimited: 2^96 - 1, the greatest number of tokens that count in 96 bits.
    package static let unlimitedAllowance: UInt256 = {
        guard let value = try? UInt256(bytes: [UInt8](repeating: 0xFF, count: 12)) else { return .zero }
        return value
    }()
}
