internal import Amounts
package import Ethereum
package import Texts

extension NonceLedger.Fault: Explained {
    package var failure: Failure {
        switch self {
        case .used(let nonce): refused("nonce_used", "nonce \(nonce) of this account is used by a mined transaction")
        case .underpriced(let least), .aboveCeiling(let least):
            refused(
                "fee_above_ceiling",
                "the replacement has to pay at least \(least.maxFeePerGas.gwei) gwei for a unit of gas, of which "
                    + "\(least.maxPriorityFeePerGas.gwei) gwei are the priority fee: more than is allowed",
                hint: "allow more with --max-fee")
        case .unknown: refused("not_waiting", "this account has no such waiting transaction")
        case .full(let limit):
            refused(
                "too_many_waiting", "\(limit) transactions of this account wait, and nodes keep no more of them",
                hint: "wait until some are mined, or have the first one mined sooner with 'fueki speed-up'")
        case .inconsistent:
            Failure(
                code: .unavailable, name: "bad_answer",
                message: "the node contradicts itself: it counts fewer transactions of the account with the waiting "
                    + "ones than without")
        case .notReplaceable: refused("not_replaceable", "a transaction of this type is not replaced")
        case .foreign, .malformed:
            Failure(
                code: .other, name: "nonces",
                message: "the ledger of this account's nonces is malformed or belongs to another account"
            )
        }
    }

    private func refused(_ name: String, _ message: String, hint: String? = nil) -> Failure {
        Failure(code: .refused, name: name, message: message, hint: hint)
    }
}
