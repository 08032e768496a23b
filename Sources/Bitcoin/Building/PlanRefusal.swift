/// Why no transaction is built. Nothing was signed, and nothing is spent.
public enum PlanRefusal: Error, Hashable, Sendable {
    // MARK: What is asked for

    /// Nothing is to be paid.
    case noRecipients
    /// What is left over can go to one recipient only.
    case severalTakeTheRest
    /// A recipient would get less than nodes relay.
    case dust(recipient: Int, least: Amount)
    /// Nobody could ever spend what is paid there.
    case unspendable(recipient: Int)
    /// The address is one of the wallet's own, and the order does not say that this is meant.
    case ownAddress(recipient: Int)
    /// The change would not go to an address of this wallet.
    case foreignChange
    /// No height of a block: it would be read as a time.
    case badBlockHeight
    /// The sum of the amounts, or of the coins, is above 21 million bitcoin.
    case impossibleAmount

    // MARK: Fee

    /// Nodes would not pass it on.
    case feeRateTooLow(least: FeeRate)
    /// Surely not meant.
    case feeRateTooHigh(most: FeeRate)
    /// The fee would be above the ceiling that the order sets.
    case feeAboveCeiling(fee: Amount, ceiling: Amount)

    // MARK: Coins

    /// What the coins are worth is not enough.
    case insufficientFunds(Shortage)
    /// It would take more inputs than are signed at once. Spend the coins in several transactions.
    case tooManyInputs(limit: Int)
    /// Nodes do not relay a transaction of this size.
    case tooLarge(weight: Int)
    /// The transactions that made these coins are too large to be shown to a signer together, and without them there is not enough.
    case largeOrigins([OutPoint])
    /// The same output is among the coins twice.
    case duplicateCoin(OutPoint)
    /// A coin that is to be spent in any case is not among those that can be spent.
    case unavailableCoin(OutPoint)
    /// A coin is not what the wallet derives for its path.
    case foreignCoin(OutPoint)
    /// A P2WPKH output is spent, so that the transactions that made these coins have to be shown.
    case missingPreviousTransactions([OutPoint])

    // MARK: Replacing and pushing

    /// It does not say that it may be replaced (BIP-125, rule 1).
    case notReplaceable
    /// The coins given for the inputs are not what the transaction spends.
    case otherCoins
    /// It pays this rate already.
    case feeRateNotHigher(than: FeeRate)
    /// A replacement would throw out more transactions than nodes allow (BIP-125, rule 5).
    case tooManyReplaced(limit: Int)
    /// None of the outputs is ours to spend.
    case nothingToSpend
    /// Fewer than two coins can be joined.
    case nothingToJoin

    // MARK: -

    /// The transaction was built, and this wallet would not sign it.
    case refused([Refusal])

    /// What there is, when it is not enough.
    public struct Shortage: Hashable, Sendable {
        /// At least so much more is needed, the fee included.
        public let missing: Amount
        /// What the coins are worth that could be spent.
        public let available: Amount
        /// Kept back: ``SpendOrder/frozen``.
        public let frozen: Amount
        /// Waiting for confirmations, or too young new bitcoin.
        public let waiting: Amount
    }
}

extension PlanRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noRecipients: "nothing is to be paid"
        case .severalTakeTheRest: "only one recipient can take what is left"
        case .dust(let recipient, let least):
            "recipient \(recipient + 1) would get less than \(least), which is not relayed"
        case .unspendable(let recipient): "nobody could spend what recipient \(recipient + 1) gets"
        case .ownAddress(let recipient): "recipient \(recipient + 1) is this wallet itself"
        case .foreignChange: "the change would go to an address of another wallet"
        case .badBlockHeight: "the height of the newest block is not one"
        case .impossibleAmount: "the amounts come to more than all bitcoin"
        case .feeRateTooLow(let least): "nodes do not relay below \(least)"
        case .feeRateTooHigh(let most): "a feerate above \(most) is surely a mistake"
        case .feeAboveCeiling(let fee, let ceiling): "the fee would be \(fee), above the ceiling of \(ceiling)"
        case .insufficientFunds(let shortage):
            "\(shortage.missing) is missing: \(shortage.available) can be spent, \(shortage.waiting) waits, "
                + "\(shortage.frozen) is frozen"
        case .tooManyInputs(let limit): "it would take more than \(limit) inputs"
        case .tooLarge(let weight): "nodes do not relay a transaction of weight \(weight)"
        case .largeOrigins(let coins):
            "the transactions that made \(coins.count) of the coins are too large to be shown to a signer together"
        case .duplicateCoin(let outPoint): "\(outPoint) is listed twice"
        case .unavailableCoin(let outPoint): "\(outPoint) cannot be spent"
        case .foreignCoin(let outPoint): "\(outPoint) does not belong to this wallet"
        case .missingPreviousTransactions(let outPoints):
            "the transactions of these outputs have to be known: "
                + outPoints.map(\.description).joined(separator: ", ")
        case .notReplaceable: "the transaction does not allow to be replaced"
        case .otherCoins: "the coins are not those that the transaction spends"
        case .feeRateNotHigher(let rate): "it pays \(rate) already"
        case .tooManyReplaced(let limit): "more than \(limit) transactions would be replaced"
        case .nothingToSpend: "none of the outputs is ours to spend"
        case .nothingToJoin: "fewer than two coins are mined, not frozen, and worth spending at this feerate"
        case .refused(let refusals):
            "this wallet would not sign it: " + refusals.map(\.description).joined(separator: "; ")
        }
    }
}
