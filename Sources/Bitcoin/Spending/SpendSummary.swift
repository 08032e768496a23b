public import HDKeys

/// What a transaction does, as far as this wallet can tell by itself: computed from the bytes that would be signed, and from
/// the wallet's own key. Made by everyone who signs, for themselves.
///
/// ``refusals`` are reasons not to sign; ``warnings`` are for the person who decides. Only a summary without refusals gives
/// ``signingRequests``, and a confirmation is for one ``intentDigest``.
public struct SpendSummary: Equatable, Sendable {
    /// What the transaction spends in one input.
    public struct Input: Equatable, Sendable {
        /// The output that the input names.
        public let outPoint: OutPoint
        /// What it spends, if that is shown.
        public let previousOutput: TransactionOutput?
        /// The address that it is spent from, if its script has one.
        public let address: Address<Checked>?
        /// Where our key is, if the input is ours.
        public let path: AddressPath?
        /// Nothing for a type that its kind of output does not have.
        public let sighashType: SighashType?
        /// Whether it has a signature of ours that verifies, or is final.
        public let isSigned: Bool
    }

    /// What the transaction gives, and to whom.
    public struct Output: Equatable, Sendable {
        /// How much.
        public let amount: Amount
        /// The script that the amount is locked to.
        public let scriptPubKey: ScriptPubKey
        /// If its script has one.
        public let address: Address<Checked>?
        /// Where our key is, if the output is ours: derived and compared, never believed.
        public let path: AddressPath?

        /// Whether the output is ours, and so far that none of the wallet's commands looks for it. That depends on a bound that
        /// every holder has, and on nothing that holders know of each other.
        public var isFar: Bool { path.map { $0.index >= BitcoinLimits.farthestAddress } ?? false }

        /// Whether the amount comes back to where the wallet looks for it.
        public var isReturned: Bool { path != nil && !isFar }

        /// What it writes into the chain, if it does.
        public var data: ScriptData? { scriptPubKey.data }
    }

    /// The network that the summary was made for.
    public let network: Network
    /// Of the transaction without signatures; the identifier it will have, if no input has a script signature.
    public let transaction: TransactionID
    /// The inputs in their order.
    public let inputs: [Input]
    /// The outputs in their order.
    public let outputs: [Output]
    /// What the inputs are worth beyond the outputs. Nothing if it cannot be known, which is refused.
    public let fee: Amount?
    /// In virtual bytes, once it is signed.
    public let virtualSize: Int
    /// Whether ``virtualSize`` is exact, because all that is missing are taproot signatures.
    public let isSizeExact: Bool
    /// The fee by the size; nil if the fee is unknown.
    public let feeRate: FeeRate?
    /// When the transaction may be mined; nil if at once.
    public let lockTime: LockTime?
    /// BIP-125.
    public let isReplaceable: Bool
    /// What the person should know before confirming.
    public let warnings: [SpendWarning]
    /// Why the transaction must not be signed; empty if it may.
    public let refusals: [Refusal]
    /// One for each input of ours that has no signature; none at all if anything is refused.
    public let signingRequests: [SigningRequest]
    /// 32 bytes that stand for exactly this: see ``PSBT/intentDigest(for:)``.
    public let intentDigest: [UInt8]

    /// What the wallet's own inputs are worth.
    public var spent: Amount { total(inputs.compactMap { $0.path == nil ? nil : $0.previousOutput?.amount }) }
    /// What comes back to the wallet, to the addresses of its own at which it looks.
    public var returned: Amount { total(outputs.compactMap { $0.isReturned ? $0.amount : nil }) }
    /// What goes to addresses of the wallet that are so far that it does not look there.
    public var strayed: Amount { total(outputs.compactMap { $0.isFar ? $0.amount : nil }) }
    /// What is paid to others.
    public var paid: Amount { total(outputs.compactMap { $0.path == nil ? $0.amount : nil }) }

    private func total(_ amounts: [Amount]) -> Amount { (try? Amount.sum(amounts)) ?? .maximum }

    /// Reads what a PSBT does for this wallet.
    public init(of psbt: PSBT, for ownership: Ownership) {
        let transaction = psbt.unsignedTransaction
        let examination = PSBTAnalysis(of: psbt, for: ownership)
        network = ownership.network
        self.transaction = transaction.id
        inputs = examination.inputs
        outputs = examination.outputs
        fee = examination.fee
        let size = SizeEstimate(of: psbt)
        virtualSize = size.virtualSize
        isSizeExact = size.isExact
        feeRate = examination.fee.map { FeeRate(fee: $0, virtualSize: size.virtualSize) }
        // BIP-65, BIP-125: an input with the highest sequence number switches it off for itself; all together, for all.
        lockTime = transaction.inputs.contains { $0.sequence != .max } ? LockTime(transaction.lockTime) : nil
        isReplaceable = transaction.inputs.contains { $0.sequence < 0xFFFF_FFFE }
        intentDigest = psbt.intentDigest(on: ownership.network, of: ownership.accounts)
        signingRequests = examination.refusals.isEmpty ? examination.requests : []
        refusals = examination.refusals
        warnings =
            examination.warnings + Self.feeWarnings(fee, feeRate, outputs)
            + (isReplaceable ? [.replaceable] : []) + (lockTime.map { [.lockedUntil($0)] } ?? [])
    }

    private static func feeWarnings(_ fee: Amount?, _ rate: FeeRate?, _ outputs: [Output]) -> [SpendWarning] {
        guard let fee, let rate else { return [] }
        var warnings: [SpendWarning] = []
        // Of what does not come back; of all that arrives, where all does.
        let paid = outputs.filter { !$0.isReturned }.reduce(0) { $0 + $1.amount.satoshis }
        let base = paid > 0 ? paid : outputs.reduce(0) { $0 + $1.amount.satoshis }
        let percent = base > 0 ? fee.satoshis * 100 / base : fee > .zero ? 100 : 0
        if percent >= BitcoinLimits.conspicuousFeePercent { warnings.append(.highFeeShare(percent: percent)) }
        if rate.satoshisPerKilobyte > BitcoinLimits.conspicuousFeeRate { warnings.append(.highFeeRate(rate)) }
        if rate.satoshisPerKilobyte < BitcoinLimits.relayedFeeRate { warnings.append(.lowFeeRate(rate)) }
        return warnings
    }
}
