/// What a person wants to be paid, and by which rules: all that a ``SpendPlan`` is made from.
public struct SpendOrder: Sendable {
    /// Who is paid, and how much.
    public struct Recipient: Equatable, Sendable {
        /// What a recipient gets.
        public enum Share: Equatable, Sendable {
            /// The recipient gets exactly this amount.
            case exactly(Amount)
            /// All coins are spent, and this recipient gets what the others and the fee leave.
            case everythingLeft
        }

        /// On the wallet's network.
        public let address: Address<Checked>
        /// How much.
        public let share: Share

        /// Creates a recipient.
        public init(_ address: Address<Checked>, _ share: Share) {
            self.address = address
            self.share = share
        }
    }

    /// In the order in which their outputs stand.
    public let recipients: [Recipient]
    /// All of the wallet's own that are known: which of them can be spent is found out here.
    public let coins: [Coin]
    /// The fee rate of the transaction.
    public let feeRate: FeeRate
    /// No transaction with a higher fee is built, whatever the rate and the coins.
    public let feeCeiling: Amount
    /// Of this wallet, and never used before.
    public let change: DerivedKey
    /// Height of the newest block, if that is known for certain: the transaction cannot be mined below it, so that nobody
    /// gains by rewriting the last block for its fee.
    public let blockHeight: UInt32?

    /// Spent in any case, before others are looked for.
    public var required: Set<OutPoint> = []
    /// Never spent.
    public var frozen: Set<OutPoint> = []
    /// Coins with fewer are left alone: what is not mined can still be taken back.
    public var leastConfirmations: UInt32 = 1
    /// Whether a recipient may be the wallet itself, as to join small coins.
    public var mayPayOwnAddresses = false

    /// Orders payments from these coins.
    public init(
        paying recipients: [Recipient], from coins: [Coin], feeRate: FeeRate, feeCeiling: Amount, change: DerivedKey,
        blockHeight: UInt32?
    ) {
        self.recipients = recipients
        self.coins = coins
        self.feeRate = feeRate
        self.feeCeiling = feeCeiling
        self.change = change
        self.blockHeight = blockHeight
    }
}
