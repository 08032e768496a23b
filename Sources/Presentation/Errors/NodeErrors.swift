package import Nodes
package import Texts

extension NodeError: Explained {
    package var failure: Failure {
        var failure = explained
        failure.quoted = words
        return failure
    }

    private var explained: Failure {
        switch self {
        case .badAddress: .usage(description)
        case .badCookie: Failure(code: .missing, name: "bad_cookie", message: description)
        case .feeAboveCeiling:
            Failure(
                code: .refused, name: "fee_above_ceiling", message: description,
                hint: "wait until fees are lower, or allow more with --max-fee")
        case .noBaseFee: Failure(code: .unavailable, name: "no_base_fee", message: description)
        case .refused:
            Failure(code: .unavailable, name: "not_accepted", message: description)
        case .wrongChain:
            Failure(
                code: .unavailable, name: "wrong_chain", message: description,
                hint: "name a node of the wallet's chain with --node")
        case .outcomeUnknown:
            Failure(
                code: .unavailable, name: "outcome_unknown", message: description,
                hint: "it is signed, and may be mined: look it up before you pay once more")
        case .unauthorised:
            Failure(
                code: .unavailable, name: "node_unauthorised", message: description,
                hint: "give user and password in the variable or before the node's name, or use --cookie-file")
        case .timedOut, .unreachable:
            Failure(code: .unavailable, name: "node_unreachable", message: description)
        case .untrusted:
            Failure(
                code: .unavailable, name: "node_untrusted", message: description,
                hint: "for a node of your own, name the authority of its certificate with --node-ca")
        case .cancelled: .cancelled()
        case .tooLarge, .redirected, .status, .notJSON, .rpc, .inconsistent, .unexpected:
            Failure(code: .unavailable, name: "bad_answer", message: description)
        }
    }
}
