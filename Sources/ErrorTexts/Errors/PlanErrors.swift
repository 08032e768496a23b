internal import Amounts
package import Bitcoin
package import Custody
package import Payments
package import Texts

extension PlanRefusal: Explained {
    package var failure: Failure { failure(in: .btc) }

    /// Returns the failure with its amounts in a unit.
    package func failure(in unit: BitcoinUnit) -> Failure {
        Failure(code: .refused, name: name, message: "no transaction was made: \(clause(in: unit))", hint: hint)
    }

    private func clause(in unit: BitcoinUnit) -> String {
        func text(_ amount: Amount) -> String { unit.full(UInt256(amount.satoshis)) }
        return switch self {
        case .dust(let recipient, let least):
            "recipient \(recipient + 1) would get less than \(text(least)), which is not relayed"
        case .feeAboveCeiling(let fee, let ceiling):
            "the fee would be \(text(fee)), above the ceiling of \(text(ceiling))"
        case .insufficientFunds(let shortage):
            "\(text(shortage.missing)) is missing: \(text(shortage.available)) can be spent, "
                + "\(text(shortage.waiting)) waits, \(text(shortage.frozen)) is frozen"
        default: description
        }
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
            "unconfirmed coins can be spent when they are mined"
        case .feeAboveCeiling: "wait until fees are lower, or allow more with --max-fee"
        case .tooManyInputs: "join small coins first, with 'fueki coins consolidate'"
        case .largeOrigins: "pay less at once, or fewer payees; each such coin can be spent by itself, with --coin"
        case .feeRateNotHigher: "name a higher one with --fee or --fee-rate"
        default: nil
        }
    }
}

extension PaymentError {
    /// Returns the failure with the amounts of a refused plan in a unit.
    package func failure(in unit: BitcoinUnit) -> Failure {
        switch self {
        case .plan(let refusal): refusal.failure(in: unit)
        default: failure
        }
    }
}
