public import HDKeys

/// The effects of a transaction on this wallet, computed from the bytes to be signed and the wallet's own keys. Every
/// signer computes it for itself.
///
/// ``refusals`` are reasons not to sign; ``warnings`` are for the user who decides. Only a summary without refusals has
/// ``signingRequests``, and a confirmation is for one ``intentDigest``.
public struct SpendSummary: Equatable, Sendable {
    /// One input of the transaction.
    public struct Input: Equatable, Sendable {
        /// The output that the input names.
        public let outPoint: OutPoint
        /// The output that it spends, if the PSBT shows it.
        public let previousOutput: TransactionOutput?
        /// The address that it is spent from, if its script has one.
        public let address: Address<Checked>?
        /// The path of the wallet's key, if the input is the wallet's.
        public let path: AddressPath?
        /// The requested signature type; nil for a type that its kind of output does not have.
        public let sighashType: SighashType?
        /// Whether it has a verified signature of the wallet, or is final.
        public let isSigned: Bool
    }

    /// One output of the transaction.
    public struct Output: Equatable, Sendable {
        /// The amount of the output.
        public let amount: Amount
        /// The script that the amount is locked to.
        public let scriptPubKey: ScriptPubKey
        /// The address of the output, if its script has one.
        public let address: Address<Checked>?
        /// The path of the wallet's key, if the output is the wallet's: derived and compared, never taken from a claim.
        public let path: AddressPath?

        /// Whether the output is the wallet's, at an index that none of its commands searches. That depends only on a
        /// bound that is the same for every participant.
        public var isFar: Bool { path.map { $0.index >= BitcoinLimits.farthestAddress } ?? false }

        /// Whether the amount returns to an address that the wallet searches.
        public var isReturned: Bool { path != nil && !isFar }

        /// The data that it writes into the chain, if any.
        public var data: ScriptData? { scriptPubKey.data }
    }

    /// The network that the summary was made for.
    public let network: Network
    /// The identifier of the transaction without signatures. It stays the same if no input gets a script signature.
    public let transaction: TransactionID
    /// The inputs in their order.
    public let inputs: [Input]
    /// The outputs in their order.
    public let outputs: [Output]
    /// The fee: the sum of the inputs less that of the outputs. Nil if it is unknown, which is refused.
    public let fee: Amount?
    /// The size in virtual bytes, once the transaction is signed.
    public let virtualSize: Int
    /// Whether ``virtualSize`` is exact, because only taproot signatures are missing.
    public let isSizeExact: Bool
    /// The fee by the size; nil if the fee is unknown.
    public let feeRate: FeeRate?
    /// The time when the transaction may be mined; nil if at once.
    public let lockTime: LockTime?
    /// Whether the transaction signals that it may be replaced (BIP-125).
    public let isReplaceable: Bool
    /// The findings that the user should see before confirming.
    public let warnings: [SpendWarning]
    /// The reasons not to sign; empty if it may be signed.
    public let refusals: [Refusal]
    /// The requests for the wallet's missing signatures, one for each input; empty if anything is refused.
    public let signingRequests: [SigningRequest]
    /// The digest: 32 bytes that identify exactly this spend: see ``PSBT/intentDigest(for:)``.
    public let intentDigest: [UInt8]

    /// The sum of the wallet's own inputs.
    public var spent: Amount { total(inputs.compactMap { $0.path == nil ? nil : $0.previousOutput?.amount }) }
    /// The amount that returns to addresses of the wallet at which it looks.
    public var returned: Amount { total(outputs.compactMap { $0.isReturned ? $0.amount : nil }) }
    /// The amount for addresses of the wallet that it does not search.
    public var strayed: Amount { total(outputs.compactMap { $0.isFar ? $0.amount : nil }) }
    /// The amount that is paid to others.
    public var paid: Amount { total(outputs.compactMap { $0.path == nil ? $0.amount : nil }) }

    private func total(_ amounts: [Amount]) -> Amount { (try? Amount.sum(amounts)) ?? .maximum }

    /// Examines a PSBT for this wallet.
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
        // BIP-65, BIP-125: an input with the highest sequence number disables the lock time for itself, and all
        // together for the transaction.
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
        // The sum of the outputs to others, or of all outputs if all return to the wallet.
        let paid = outputs.filter { !$0.isReturned }.reduce(0) { $0 + $1.amount.satoshis }
        let base = paid > 0 ? paid : outputs.reduce(0) { $0 + $1.amount.satoshis }
        let percent = base > 0 ? fee.satoshis * 100 / base : fee > .zero ? 100 : 0
        if percent >= BitcoinLimits.conspicuousFeePercent { warnings.append(.highFeeShare(percent: percent)) }
        if rate.satoshisPerKilobyte > BitcoinLimits.conspicuousFeeRate { warnings.append(.highFeeRate(rate)) }
        if rate.satoshisPerKilobyte < BitcoinLimits.relayedFeeRate { warnings.append(.lowFeeRate(rate)) }
        return warnings
    }
}
