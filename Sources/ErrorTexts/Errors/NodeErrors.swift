package import Nodes
internal import PinnedHTTP
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
        case .searching:
            Failure(
                code: .busy, name: "node_searching", message: description,
                hint: "a search takes a few minutes: try again then")
        case .syncing:
            Failure(
                code: .unavailable, name: "node_syncing", message: description,
                hint: "its answers may be outdated: wait until it has all blocks, or ask another node with --node")
        case .noFeeEstimate(let estimate):
            Failure(code: .unavailable, name: "no_fee_estimate", message: description, hint: estimate.hint)
        case .refused:
            Failure(code: .unavailable, name: "not_accepted", message: description)
        case .wrongChain:
            Failure(
                code: .unavailable, name: "wrong_chain", message: description,
                hint: "name a node of the wallet's chain with --node")
        case .outcomeUnknown:
            Failure(
                code: .unavailable, name: "outcome_unknown", message: description,
                hint: "it is signed, and may be mined: look it up before you pay again")
        case .unauthorised:
            Failure(
                code: .unavailable, name: "node_unauthorised", message: description,
                hint: "give user and password in the variable or before the node's name, or use --cookie-file")
        case .timedOut, .unreachable:
            Failure(code: .unavailable, name: "node_unreachable", message: description)
        case .untrusted(let fault):
            Failure(
                code: .unavailable, name: "node_untrusted", message: description,
                hint: fault == .unknownAuthority
                    ? "for a node of your own, name the authority of its certificate with --node-ca" : nil)
        case .notPinned:
            Failure(
                code: .unavailable, name: "node_not_pinned", message: "\(self); nothing was sent",
                hint: "ask the node's operator for the pins of its keys, and give those with --node-pin, or in the "
                    + "policy of --node-pins")
        case .badConnection(let fault): failure(of: fault)
        case .cancelled: .cancelled()
        case .tooLarge, .redirected, .status, .notJSON, .rpc, .inconsistent, .unexpected:
            Failure(code: .unavailable, name: "bad_answer", message: description)
        }
    }

    private func failure(of fault: NodeConnection.Fault) -> Failure {
        switch fault {
        case .notAllowed(.notEncrypted):
            Failure(
                code: .refused, name: "node_not_encrypted", message: fault.description,
                hint: "use https://, or a tunnel to this machine; --allow-http accepts it for a network of your own")
        case .notAllowed(.pinsWithoutTLS):
            Failure(
                code: .refused, name: "node_not_encrypted", message: fault.description,
                hint: "use https://; --node-pin none gives up the pins")
        case .notAllowed(.pinsRequired):
            Failure(
                code: .refused, name: "node_not_encrypted", message: fault.description,
                hint: "use https://, and pins for the node's host in the policy")
        case .policy: Failure(code: .malformed, name: "bad_pin_policy", message: fault.description)
        case .keysAndPolicy:
            .usage(
                fault.description,
                hint: "leave out --node-pin or --node-pins; of two variables or settings, clear one")
        case .notAllowed(.onionWithoutProxy):
            .usage(fault.description, hint: "name it: --node-proxy socks5://127.0.0.1:9050")
        case .pins(.noBackup), .pins(.repeatedPin):
            .usage(
                fault.description,
                hint: "give two pins: of the node's key or its authority's, and of a spare key or another authority's")
        case .notPins, .notHosts, .pins: .usage(fault.description)
        }
    }
}

extension Failure {
    /// Adds the name of the node that was asked: its scheme, host and port.
    package func naming(node: String) -> Failure { reworded { "\($0) (the node is \(node))" } }

    /// Adds the hint for a node that was asked as one of Bitcoin because no chain was named.
    package func suggestingEthereum() -> Failure {
        advising("it was asked as a node of Bitcoin: if it is one of Ethereum, add --chain ethereum")
    }
}

extension NodeError.FeeEstimate {
    fileprivate var hint: String {
        switch self {
        case .feeRate: "name the feerate with --fee-rate, in satoshi per virtual byte"
        case .dust: "ask another node with --node"
        case .gasPrice: "name the price of a unit of gas with --gas-price, as in '12gwei'"
        }
    }
}
