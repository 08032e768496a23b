internal import Amounts
public import Bitcoin

extension Intent {
    /// Describes the effects of a Bitcoin transaction. `SpendSummary` has more details.
    public init(_ summary: SpendSummary) {
        chain = .bitcoin(summary.network)
        let effects = summary.outputs.flatMap(Self.effects(of:))
        self.effects = effects.isEmpty ? [.nothing] : effects
        highestFee = summary.fee.map { UInt256($0.satoshis) }
        findings =
            summary.warnings.map { Finding($0.name, $0.description, $0.isCostly ? .costly : .notice) }
            + summary.refusals.map { Finding($0.name, $0.description, .refusal) }
        digest = summary.intentDigest
    }

    private static func effects(of output: SpendSummary.Output) -> [Effect] {
        if output.isReturned { return [] }
        var party = output.address.map(Party.bitcoin) ?? .script(output.scriptPubKey)
        if let address = output.address, let path = output.path { party = .own(address, at: path) }
        let payment = Effect.payment(.coin, amount: UInt256(output.amount.satoshis), to: party)
        guard output.data != nil else { return [payment] }
        // Coins in such an output are burned.
        return (output.amount == .zero ? [] : [payment]) + [.data(output.scriptPubKey)]
    }
}

extension SpendWarning {
    /// The finding's name in policies and programs.
    public var name: String {
        switch self {
        case .highFeeShare: "high_fee_share"
        case .highFeeRate: "high_fee_rate"
        case .lowFeeRate: "low_fee_rate"
        case .unknownScript: "unknown_script"
        case .unspendable: "unspendable"
        case .dust: "dust"
        case .farIndex: "far_index"
        case .highIndex: "high_index"
        case .data: "data"
        case .unknownFields: "unknown_fields"
        case .foreignInput: "foreign_input"
        case .unverifiedAmount: "unverified_amount"
        case .unusualSighash: "unusual_sighash"
        case .replaceable: "replaceable"
        case .lockedUntil: "locked"
        case .relativeLock: "relative_lock"
        }
    }
}

extension Refusal {
    /// The finding's name in policies and programs.
    public var name: String {
        switch self {
        case .noInputOfOurs: "no_input_of_ours"
        case .nothingToSign: "nothing_to_sign"
        case .noOutputs: "no_outputs"
        case .tooMuchData: "too_much_data"
        case .tooManyInputs: "too_many_inputs"
        case .duplicateInput: "duplicate_input"
        case .missingPreviousOutput: "missing_previous_output"
        case .unprovenAmount: "unproven_amount"
        case .outputsExceedInputs: "outputs_exceed_inputs"
        case .impossibleAmount: "impossible_amount"
        case .inconsistentInput: "inconsistent_input"
        case .falseInputClaim: "false_input_claim"
        case .falseOutputClaim: "false_output_claim"
        case .scriptPath: "script_path"
        case .unsupportedSighash: "unsupported_sighash"
        case .invalidSignature: "invalid_signature"
        case .worthlessInput: "worthless_input"
        }
    }
}
