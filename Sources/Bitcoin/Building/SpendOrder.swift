/// An order for a payment on Bitcoin: all input of a ``SpendPlan``.
public struct SpendOrder: Sendable {
    /// A recipient and the amount.
    public struct Recipient: Equatable, Sendable {
        /// The recipient's amount.
        public enum Share: Equatable, Sendable {
            /// The recipient gets exactly this amount.
            case exactly(Amount)
            /// All coins are spent, and this recipient gets the remaining amount.
            case everythingLeft
        }

        /// The recipient's address, on the wallet's network.
        public let address: Address<Checked>
        /// The recipient's amount.
        public let share: Share

        /// Creates a recipient.
        public init(_ address: Address<Checked>, _ share: Share) {
            self.address = address
            self.share = share
        }
    }

    /// The recipients, in the order of their outputs.
    public let recipients: [Recipient]
    /// All known coins of the wallet. The plan determines which of them can be spent.
    public let coins: [Coin]
    /// The fee rate of the transaction.
    public let feeRate: FeeRate
    /// The maximum fee, whatever the rate and the coins are.
    public let feeCeiling: Amount
    /// A change key of this wallet that was never used.
    public let change: DerivedKey
    /// The height of the newest block, if it is known for certain. The transaction cannot be mined below it, so that
    /// rewriting the last block for its fee gains nothing.
    public let blockHeight: UInt32?

    /// Coins that must be spent.
    public var required: Set<OutPoint> = []
    /// Coins that are never spent.
    public var frozen: Set<OutPoint> = []
    /// The minimum number of confirmations of a coin: an unconfirmed payment can still be reversed.
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
