internal import Amounts
internal import Ethereum
internal import Terminal
internal import Wallet

extension NonceLedger.Fault: Explained {
    var failure: Failure {
        switch self {
        case .used(let nonce): refused("nonce_used", "a block has used the number \(nonce) of this account")
        case .underpriced(let least), .aboveCeiling(let least):
            refused(
                "fee_above_ceiling",
                "what takes its place has to pay \(least.maxFeePerGas.gwei) gwei for a unit of gas at least, and of it "
                    + "\(least.maxPriorityFeePerGas.gwei) gwei to whoever makes the block: more than is allowed",
                hint: "allow more with --max-fee")
        case .unknown: refused("not_waiting", "no such transaction of this account waits")
        case .full(let limit):
            refused(
                "too_many_waiting", "\(limit) transactions wait, and nodes keep no more of them",
                hint: "wait until some are mined, or have the first one mined sooner with 'fueki speed-up'")
        case .inconsistent:
            Failure(
                code: .unavailable, name: "bad_answer",
                message: "the node counts fewer transactions of the account with those that wait than without them")
        case .notReplaceable: refused("not_replaceable", "a transaction of this type is not replaced")
        case .foreign, .malformed:
            Failure(
                code: .other, name: "nonces", message: "what is remembered of this account's numbers does not fit to it"
            )
        }
    }

    private func refused(_ name: String, _ message: String, hint: String? = nil) -> Failure {
        Failure(code: .refused, name: name, message: message, hint: hint)
    }
}
