/// The reasons why no transaction is built. Nothing was signed or spent.
public enum PlanRefusal: Error, Hashable, Sendable {
    // MARK: Recipients

    /// The order has no recipients.
    case noRecipients
    /// More than one recipient takes the remaining amount.
    case severalTakeTheRest
    /// A recipient would get less than nodes relay.
    case dust(recipient: Int, least: Amount)
    /// The recipient's output could never be spent.
    case unspendable(recipient: Int)
    /// The address is one of the wallet's own, and the order does not allow that.
    case ownAddress(recipient: Int)
    /// The change would not go to an address of this wallet.
    case foreignChange
    /// The block height is invalid: it would be read as a time.
    case badBlockHeight
    /// The sum of the amounts, or of the coins, is above 21 million bitcoin.
    case impossibleAmount

    // MARK: Fee

    /// The feerate is too low for nodes to relay the transaction.
    case feeRateTooLow(least: FeeRate)
    /// The feerate is so high that it must be a mistake.
    case feeRateTooHigh(most: FeeRate)
    /// The fee would be above the order's ceiling.
    case feeAboveCeiling(fee: Amount, ceiling: Amount)

    // MARK: Coins

    /// The coins are not worth enough.
    case insufficientFunds(Shortage)
    /// The payment needs more inputs than one transaction may sign. Spend the coins in several transactions.
    case tooManyInputs(limit: Int)
    /// Nodes do not relay a transaction of this size.
    case tooLarge(weight: Int)
    /// The transactions that created these coins are too large to be shown to a signer together, and the other coins
    /// are not enough.
    case largeOrigins([OutPoint])
    /// The list of coins has this output twice.
    case duplicateCoin(OutPoint)
    /// A required coin is not among the coins that can be spent.
    case unavailableCoin(OutPoint)
    /// A coin's key is not the one that the wallet derives for its path.
    case foreignCoin(OutPoint)
    /// A P2WPKH output is spent, so the transactions that created these coins must be shown.
    case missingPreviousTransactions([OutPoint])

    // MARK: Replacements and children

    /// The transaction does not signal that it may be replaced (BIP-125, rule 1).
    case notReplaceable
    /// The given coins are not those that the transaction spends.
    case otherCoins
    /// The transaction already pays this rate.
    case feeRateNotHigher(than: FeeRate)
    /// A replacement would evict more transactions than nodes allow (BIP-125, rule 5).
    case tooManyReplaced(limit: Int)
    /// No output of the parent can be spent by the wallet.
    case nothingToSpend
    /// Fewer than two coins can be joined.
    case nothingToJoin

    // MARK: -

    /// The transaction was built, and the wallet's own checks refuse it.
    case refused([Refusal])

    /// The available amounts when coins are not enough.
    public struct Shortage: Hashable, Sendable {
        /// At least this much more is needed, the fee included.
        public let missing: Amount
        /// The sum of the coins that could be spent.
        public let available: Amount
        /// The sum of the frozen coins: ``SpendOrder/frozen``.
        public let frozen: Amount
        /// The sum of unconfirmed coins and of new bitcoin that is too young.
        public let waiting: Amount
    }
}

extension PlanRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noRecipients: "nothing is to be paid"
        case .severalTakeTheRest: "only one recipient can take the rest"
        case .dust(let recipient, let least):
            "recipient \(recipient + 1) would get less than \(least), which is not relayed"
        case .unspendable(let recipient): "the amount for payee \(recipient + 1) could never be spent"
        case .ownAddress(let recipient): "recipient \(recipient + 1) is this wallet itself"
        case .foreignChange: "the change would go to an address of another wallet"
        case .badBlockHeight: "the height of the newest block is invalid"
        case .impossibleAmount: "the amounts exceed the supply of bitcoin"
        case .feeRateTooLow(let least): "nodes do not relay below \(least)"
        case .feeRateTooHigh(let most): "a feerate above \(most) is surely a mistake"
        case .feeAboveCeiling(let fee, let ceiling): "the fee would be \(fee), above the ceiling of \(ceiling)"
        case .insufficientFunds(let shortage):
            """
            \(shortage.missing) is missing: \(shortage.available) can be spent, \(shortage.waiting) waits, \
            \(shortage.frozen) is frozen
            """
        case .tooManyInputs(let limit): "it would take more than \(limit) inputs"
        case .tooLarge(let weight): "nodes do not relay a transaction of weight \(weight)"
        case .largeOrigins(let coins):
            "the transactions that made \(coins.count) of the coins are too large to be shown to a participant together"
        case .duplicateCoin(let outPoint): "\(outPoint) is listed twice"
        case .unavailableCoin(let outPoint): "\(outPoint) cannot be spent"
        case .foreignCoin(let outPoint): "\(outPoint) does not belong to this wallet"
        case .missingPreviousTransactions(let outPoints):
            "the transactions of these outputs have to be known: \(outPoints.map(\.description).joined(separator: ", "))"
        case .notReplaceable: "the transaction does not allow to be replaced"
        case .otherCoins: "the coins are not those that the transaction spends"
        case .feeRateNotHigher(let rate): "it pays \(rate) already"
        case .tooManyReplaced(let limit): "more than \(limit) transactions would be replaced"
        case .nothingToSpend: "none of the outputs belongs to this wallet"
        case .nothingToJoin: "fewer than two coins are mined, not frozen, and worth spending at this feerate"
        case .refused(let refusals):
            "this wallet would not sign it: \(refusals.map(\.description).joined(separator: "; "))"
        }
    }
}
