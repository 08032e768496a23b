/// An unsigned transaction that spends the wallet's coins, for the user to decide about.
///
/// It is a PSBT of version 0, with all fields that co-signers and other wallets need. The wallet has read it again from
/// its bytes and examined it like a stranger's. Signing begins with a ``SpendSummary`` of ``psbt``, as always.
///
/// Inputs are in random order, and the change is at a random position among the recipients: few wallets use the order
/// of BIP-69, so it would identify the wallet. Each plan signals that it may be replaced (BIP-125).
public struct SpendPlan: Equatable, Sendable {
    /// The PSBT, to be examined, confirmed, and signed.
    public let psbt: PSBT
    /// The selected coins, with the method.
    public let selection: CoinSelection
    /// The index of the change output, if there is one.
    public let changeOutput: Int?
    /// Coins that cost more than they are worth, if everything was to be spent.
    public let leftBehind: [OutPoint]
    /// Coins that were left out because their previous transactions are too large to be shown to a participant with the
    /// others.
    public let largeOrigins: [OutPoint]

    /// The transaction's fee.
    public var fee: Amount { selection.fee }
    /// The feerate, by the size with the largest possible signatures.
    public var feeRate: FeeRate { FeeRate(fee: fee, virtualSize: selection.virtualSize) }

    /// Chooses coins for a payment and puts the transaction together.
    ///
    /// - Parameter seed: 32 random bytes. The same order with the same seed gives the same plan.
    /// - Throws: the first reason against it.
    public init(_ order: SpendOrder, for ownership: Ownership, seed: [UInt8]) throws(PlanRefusal) {
        try Self.checkRate(order.feeRate)
        let payments = try Payments(order, ownership)
        let pool = try CoinPool(
            order.coins, required: order.required, frozen: order.frozen, leastConfirmations: order.leastConfirmations)
        let rule = FeeRule(FeeRule.Line(rate: order.feeRate))
        let lockTime = try Self.lockTime(order.blockHeight, seed: seed)
        var random = SeededOrder(seed: seed, purpose: "inputs and outputs")
        let selection: CoinSelection
        var outputs = payments.fixed
        var behind: [OutPoint] = []
        var large: Set<OutPoint> = []
        var changeOutput: Int?
        if let rest = payments.rest {
            let sweep = try Sweep(of: pool, paying: payments.fixed, rest: rest.script, rule: rule)
            selection = sweep.selection
            (behind, large) = (sweep.leftBehind, sweep.largeOrigins)
            outputs.insert(TransactionOutput(amount: sweep.amount, scriptPubKey: rest.script), at: rest.index)
        } else {
            let problem = SelectionProblem(
                required: pool.required, candidates: pool.available, outputs: outputs, change: order.change, rule: rule)
            (selection, large) = try problem.solvedWithinRoom(seed: seed, pool)
            if let change = selection.change {
                let place = random.below(outputs.count + 1)
                outputs.insert(TransactionOutput(amount: change, scriptPubKey: order.change.scriptPubKey), at: place)
                changeOutput = place
            }
        }
        try self.init(
            spending: random.permuted(selection.coins), selection, paying: outputs,
            change: (order.change, changeOutput), leftBehind: behind, largeOrigins: large, lockTime: lockTime,
            ceiling: order.feeCeiling, ownership)
    }

    /// The sequence number of all inputs. BIP-125: below 0xFFFFFFFE the transaction may be replaced; BIP-68: from
    /// 0x80000000 on it need not wait.
    private static let sequence: UInt32 = 0xFFFF_FFFD

    /// Builds the transaction, and has the wallet check it.
    ///
    /// - Parameter coins: the coins of the selection, in the order of the inputs.
    init(
        spending coins: [Coin], _ selection: CoinSelection, paying outputs: [TransactionOutput],
        change: (key: DerivedKey, output: Int?), leftBehind: [OutPoint] = [], largeOrigins: Set<OutPoint> = [],
        version: UInt32 = 2, lockTime: UInt32, ceiling: Amount, _ ownership: Ownership
    ) throws(PlanRefusal) {
        guard selection.fee <= ceiling else { throw .feeAboveCeiling(fee: selection.fee, ceiling: ceiling) }
        let weight = TransactionSize(spending: coins, paying: outputs).weight
        guard weight <= BitcoinLimits.relayedWeight else { throw .tooLarge(weight: weight) }
        guard let accounts = ownership.accounts, accounts.has(change.key) else { throw .foreignChange }
        if let stranger = coins.first(where: { !accounts.has($0.key) }) { throw .foreignCoin(stranger.outPoint) }
        if coins.contains(where: \.isSegwit) {
            let unproven = coins.filter { $0.previousTransaction == nil }.map(\.outPoint)
            guard unproven.isEmpty else { throw .missingPreviousTransactions(unproven) }
        }
        let transaction = Transaction(
            version: version,
            inputs: coins.map { TransactionInput(previousOutput: $0.outPoint, sequence: Self.sequence) },
            outputs: outputs, lockTime: lockTime)
        let keys = outputs.indices.map { index in
            index == change.output ? change.key : ownership.key(for: outputs[index].scriptPubKey)
        }
        // The encoded PSBT is read again, and examined like a stranger's.
        guard let made = try? PSBT(transaction, spending: coins, payingTo: keys, of: accounts),
            let psbt = try? PSBT(decoding: made.encoded)
        else { throw .tooLarge(weight: weight) }
        let summary = SpendSummary(of: psbt, for: ownership)
        guard summary.refusals.isEmpty else { throw .refused(summary.refusals) }
        precondition(
            summary.fee == selection.fee && summary.inputs.map(\.path) == coins.map(\.key.path),
            "what the coins are worth is paid, comes back, or is the fee that was said")
        self.psbt = psbt
        self.selection = selection
        changeOutput = change.output
        self.leftBehind = leftBehind
        self.largeOrigins = largeOrigins.sorted { $0.precedes($1) }
    }

    /// Checks that a fee rate is within the limits.
    ///
    /// - Throws: ``PlanRefusal/feeRateTooLow(least:)`` or ``PlanRefusal/feeRateTooHigh(most:)``.
    static func checkRate(_ rate: FeeRate) throws(PlanRefusal) {
        let least = FeeRate(satoshisPerKilobyte: BitcoinLimits.relayedFeeRate)
        guard rate >= least else { throw .feeRateTooLow(least: least) }
        guard rate <= BitcoinLimits.highestFeeRate else { throw .feeRateTooHigh(most: BitcoinLimits.highestFeeRate) }
    }

    /// Returns the newest block's height, and sometimes an earlier one, so that a transaction that was signed hours
    /// later looks like many others (Bitcoin Core, `DiscourageFeeSniping`).
    static func lockTime(_ height: UInt32?, seed: [UInt8]) throws(PlanRefusal) -> UInt32 {
        guard let height else { return 0 }
        guard height == 0 || LockTime(height) == .height(height) else { throw .badBlockHeight }
        var random = SeededOrder(seed: seed, purpose: "lock time")
        guard random.below(10) == 0 else { return height }
        return height - min(height, UInt32(random.below(100)))
    }
}

extension BitcoinAccounts {
    /// Returns whether derivation gives this key.
    func has(_ key: DerivedKey) -> Bool { (try? keys(at: key.path))?.contains(key) == true }
}
