package import Bitcoin
package import Texts
internal import Wallet

extension PlanRefusal: Explained {
    package var failure: Failure {
        Failure(code: .refused, name: name, message: "no transaction was made: \(description)", hint: hint)
    }

    private var name: String {
        switch self {
        case .insufficientFunds: "insufficient_funds"
        case .feeAboveCeiling: "fee_above_ceiling"
        case .feeRateTooLow, .feeRateTooHigh: "bad_fee_rate"
        case .feeRateNotHigher: "fee_rate_not_higher"
        case .dust: "dust"
        case .ownAddress: "own_address"
        case .notReplaceable: "not_replaceable"
        case .nothingToSpend: "nothing_to_spend"
        case .nothingToJoin: "nothing_to_join"
        case .tooManyInputs: "too_many_coins"
        case .otherCoins: "other_coins"
        case .largeOrigins: "large_origins"
        case .refused: "refused"
        default: "no_plan"
        }
    }

    private var hint: String? {
        switch self {
        case .insufficientFunds(let shortage) where shortage.waiting > .zero:
            "what waits can be spent when it is mined"
        case .feeAboveCeiling: "wait until fees are lower, or allow more with --max-fee"
        case .tooManyInputs: "join small coins first, with 'fueki coins consolidate'"
        case .largeOrigins: "pay less at once, or fewer payees; each such coin can be spent by itself, with --coin"
        case .feeRateNotHigher: "name a higher one with --fee or --fee-rate"
        default: nil
        }
    }
}
