internal import Amounts
internal import Bitcoin
internal import Custody
internal import Encoding
internal import Ethereum
internal import Nodes
package import Payments
package import Texts
internal import Wallet

extension PaymentError: Explained {
    package var failure: Failure {
        switch self {
        case .node(let error): error.failure
        case .custody(let error): error.failure
        case .plan(let error): error.failure
        case .ledger(let error): error.failure
        case .duplicate(let fault): fault.failure
        case .replacement(let fault): fault.failure
        case .delivery(let fault): fault.failure
        case .nonce(let fault): fault.failure
        case .token(let fault): fault.failure
        case .gas(let fault): fault.failure
        case .coin(let fault): fault.failure
        case .address(let fault): fault.failure
        case .sweep(let fault): fault.failure
        case .payee(let fault): fault.failure
        case .flow(let fault): fault.failure
        }
    }
}

extension DuplicatePaymentFault {
    package var failure: Failure {
        switch self {
        case .rehearsal(let id):
            Failure(
                code: .refused, name: "earlier_payment",
                message:
                    "transaction \(id) was signed before, and may not have arrived: without --dry-run it is looked "
                    + "up before anything is signed, and sent again if the node does not have it")
        case .unexpected(let id, let digest, let isAboveCeiling):
            Failure(
                code: .refused, name: "earlier_payment",
                message: isAboveCeiling
                    ? "the same payment may be on its way, at a fee above --max-fee: \(id), digest \(Hex.encode(digest))"
                    : "the same payment may be on its way: \(id), digest \(Hex.encode(digest))",
                hint: "see 'fueki history' with --node; --again makes a further payment")
        case .cancelled(let key, let id):
            Failure(
                code: .refused, name: "payment_cancelled",
                message: "the payment with the key '\(key)' was cancelled by transaction \(id)",
                hint: "give a new payment a new key", id: id)
        case .cancellationUnclear(let key?, let id?):
            Failure(
                code: .refused, name: "cancellation_unclear",
                message:
                    "a cancellation of the payment with the key '\(key)' was signed, transaction \(id), and which of "
                    + "both is mined is not known yet",
                hint: "do not pay it under another key before that: 'fueki history' with --node shows its state", id: id
            )
        case .cancellationUnclear(_, let id):
            Failure(
                code: .refused, name: "cancellation_unclear",
                message: id.map { id in
                    "the payment is not sent again, since its cancellation was signed: transaction \(id)"
                } ?? "the payment is not sent again, since its cancellation was interrupted while it was signed",
                hint: "'fueki cancel' cancels it again; the same order pays it", id: id)
        case .attemptUnclear(let id):
            Failure(
                code: .refused, name: "earlier_payment_unclear",
                message:
                    "the payment with this key was signed before, as transaction \(id), and the node does not show it, "
                    + "nor anything in its place that is known here",
                hint: "ask a node with an index, or an explorer: nothing is paid a second time for one key", id: id)
        case .unclear(let id):
            Failure(
                code: .refused, name: "earlier_payment_unclear",
                message:
                    "the same payment was ordered before, and the node does not say whether it may still be mined: "
                    + "\(id)",
                hint:
                    "ask a node with an index (-txindex), or an explorer; --again makes a further payment even if "
                    + "that one is mined, too")
        case .rivalsWait(let rivals):
            Failure(
                code: .refused, name: "earlier_payment_unclear",
                message: "the same payment was ordered before, and may be mined until these are: "
                    + "\(rivals.joined(separator: ", "))",
                hint: "wait for that, or speed it up")
        case .signedBefore(let key, let id):
            Failure(
                code: .refused, name: "earlier_payment",
                message: "the payment with the key '\(key)' was signed already, as transaction \(id)",
                hint: "'fueki pending withdraw' forgets this one", id: id)
        case .unfinished(let coins):
            Failure(
                code: .refused, name: "earlier_payment_unclear",
                message:
                    "an interrupted command may have signed the same payment, and none of the coins that it spends can be "
                    + "spent now: \(coins.map(\.description).joined(separator: ", "))",
                hint: "'fueki coins unfreeze' frees one of them, and --coin names it, too; --again makes a further "
                    + "payment even if that one is mined, too")
        case .unfinishedNonce(let nonce):
            Failure(
                code: .refused, name: "earlier_payment_unclear",
                message:
                    "the same payment may have been signed before with nonce \(nonce) of the account, by a command "
                    + "that was interrupted, and cannot have that nonce now",
                hint: "give no other --nonce; --again makes a further payment even if that one is mined, too")
        }
    }
}

extension ReplacementFault {
    fileprivate var failure: Failure {
        switch self {
        case .notOurs:
            Failure(
                code: .refused, name: "not_ours",
                message: "the wallet can only cancel what it alone pays for, while its coins are there")
        case .mined(let id, let height):
            Failure(
                code: .refused, name: "mined",
                message: "transaction \(id) is in block \(height) already, and stays as it is")
        case .replaced(_, let other):
            Failure(
                code: .refused, name: "replaced", message: "\(other) has replaced it: use that id")
        case .unknown(let id):
            Failure(
                code: .unavailable, name: "unknown_transaction",
                message: "the node does not know the transaction \(id), and it was not signed here")
        case .otherChain(let id, let chain):
            Failure(
                code: .usage, name: "other_chain", message: "\(id) was made on another chain, \(chain)",
                hint: "name it: --chain \(chain)")
        }
    }
}

extension DeliveryFault {
    fileprivate var failure: Failure {
        switch self {
        case .notSent(let id, .bitcoin, let error, _):
            notSent(id, error, code: error.failure.name, hint: Self.bitcoinHint(error))
        case .notSent(let id, .ethereum, let error, let isRefused):
            notSent(
                id, error, code: isRefused ? error.failure.name : "outcome_unknown",
                hint: isRefused
                    ? "the next order gets the same nonce, so that at most one of the two is mined; 'fueki cancel' "
                        + "with its hash makes sure that this one is not"
                    : "do not pay by other means: the same 'fueki send' again looks it up, and sends this very "
                        + "transaction if the node does not have it")
        case .lostSight(let id, .interrupted): .lostSight(of: id, "the command was interrupted")
        case .lostSight(let id, .failed(let error)): .lostSight(of: id, error.failure)
        case .otherTransaction:
            Failure(code: .other, name: "flow", message: "the signed transaction is not the planned one")
        case .notShown(let id):
            Failure(
                code: .unavailable, name: "not_shown", message: "the node accepted \(id), and no longer shows it",
                hint: "another transaction may have replaced it: see 'fueki history' with --node, and 'fueki speed-up'")
        case .reverted(let id, let height, let fee, let chain):
            Failure(
                code: .other, name: "reverted",
                message: fee.map {
                    "transaction \(id) is in block \(height), and failed: it cost its fee, \($0.text(on: chain)), and "
                        + "changed nothing else"
                } ?? "transaction \(id) is in block \(height), and failed: it cost its fee and changed nothing else",
                hint:
                    "only the node says that it failed: repeating the same order is a further payment, and needs your "
                    + "confirmation or --expect")
        case .cancelled(let id, let other, let height):
            Failure(
                code: .refused, name: "payment_cancelled",
                message: "transaction \(id) was cancelled meanwhile: \(other) is in block \(height) in its place, and "
                    + "pays only this wallet",
                id: id)
        case .cancellationTooLate(let id, let other, let height):
            Failure(
                code: .refused, name: "cancellation_too_late",
                message:
                    "the cancellation came too late: transaction \(other) is in block \(height) in place of \(id)",
                id: id)
        case .minedInstead(let id, let other, let height):
            Failure(
                code: .refused, name: "replaced",
                message: "transaction \(other) is in block \(height) in place of \(id)",
                hint: "see 'fueki history'", id: id)
        case .replacedByUnknown(let id):
            Failure(
                code: .other, name: "replaced_by_unknown",
                message:
                    "the node says that a block has used the nonce of \(id), by a transaction that is not in this wallet's "
                    + "history",
                hint: "'fueki history' with --node checks again")
        case .spentByUnknown(let id):
            Failure(
                code: .other, name: "spent_by_unknown",
                message:
                    "the node says that a block has spent the coins of \(id), by a transaction that is not in this wallet's "
                    + "history",
                hint: "ask another node; 'fueki resume' with --give-up removes it from the list", id: id)
        }
    }

    private func notSent(_ id: String, _ error: NodeError, code name: String, hint: String) -> Failure {
        let failure = error.failure
        return Failure(
            code: name == failure.name ? failure.code : .unavailable, name: name,
            message: "transaction \(id) is signed, but \(failure.message)", hint: hint,
            quoted: failure.quoted, id: id)
    }

    /// The hint for a Bitcoin transaction that is in the wallet's book.
    private static func bitcoinHint(_ error: NodeError) -> String {
        switch error {
        case .refused:
            "the same order sends it again. 'fueki cancel' with this id replaces it, "
                + "and so does 'fueki speed-up' with --fee-rate"
        case .outcomeUnknown:
            "give the same order again, and no other one: it is looked up, and the same bytes are sent again"
        default: "it was not sent: 'fueki speed-up' with this id sends it"
        }
    }
}

extension Failure {
    /// Names the transaction of a payment whose result could not be printed.
    ///
    /// - Parameters:
    ///   - id: the transaction's identifier or hash.
    ///   - isOrder: whether it is a new payment; false for a speed-up, a cancellation or a consolidation.
    package func ofUnreported(_ id: String, isOrder: Bool) -> Failure {
        reworded { "transaction \(id): \($0)" }.advising(
            isOrder
                ? "give the same order again: it pays nothing, and prints the result"
                : "'fueki history' shows the transaction")
    }

    /// The failure after a node has accepted the transaction: the payment must not be repeated.
    fileprivate static func lostSight(of id: String, _ failure: Failure) -> Failure {
        var lost = lostSight(of: id, failure.message)
        lost.quoted = failure.quoted
        return lost
    }

    fileprivate static func lostSight(of id: String, _ reason: String) -> Failure {
        Failure(
            code: .unavailable, name: "sent_not_seen",
            message: "transaction \(id) was sent, but then an error occurred: \(reason)",
            hint: "repeat the same order, or use 'fueki history' with --node, to see whether it was mined", id: id)
    }
}

extension NonceFault {
    fileprivate var failure: Failure {
        switch self {
        case .used(let wish, let next): bad("--nonce \(wish) is used: the account's next nonce is \(next)")
        case .behindRefused(let wish, let first, let id):
            bad("--nonce \(wish): nonce \(first) of transaction \(id) comes first, and may still be mined")
        case .ahead(let wish, let next):
            bad("--nonce \(wish) leaves a gap: the account's next nonce is \(next)")
        case .taken(let wish, let id):
            bad(
                "--nonce \(wish) is used by \(id), which waits to be mined",
                hint: "'fueki speed-up' and 'fueki cancel' replace it")
        case .proposalTaken(let nonce, let id):
            Failure(
                code: .refused, name: "nonce_used", message: "its nonce, \(nonce), is used by transaction \(id)",
                hint: "repeat the order: it gets another nonce")
        case .unsettled(let id, let reason):
            Failure(
                code: .unavailable, name: "unsettled",
                message: Self.unsettled(id, reason?.description ?? "its outcome is unknown"),
                hint:
                    "'fueki cancel' with its hash replaces it, and 'fueki speed-up' replaces it with a higher fee"
            )
        case .unsent(let unsent):
            Failure(
                code: .refused, name: "unsent_transaction",
                message: "transaction \(unsent.id) was signed before, and never sent, and what is ordered now comes "
                    + "behind it. It does this: \(unsent.effects.joined(separator: "; "))",
                hint: "--resend sends it first; 'fueki cancel' with its hash replaces it",
                id: unsent.id)
        }
    }

    private static func unsettled(_ id: String?, _ reason: String) -> String {
        guard let id else {
            return "a transaction of this account may have been sent, and nothing was signed now: \(reason)"
        }
        return "transaction \(id) may have been sent, and nothing was signed now: \(reason)"
    }

    private func bad(_ message: String, hint: String? = nil) -> Failure {
        Failure(code: .refused, name: "bad_nonce", message: message, hint: hint)
    }
}

extension TokenFault {
    fileprivate var failure: Failure {
        switch self {
        case .noContract(let contract): noToken(contract, "there is no contract on this chain")
        case .noDecimals(let contract):
            noToken(contract, "the contract there does not report its decimals")
        case .noBalance(let contract): noToken(contract, "the contract there does not report balances")
        case .otherDecimals(let contract, let told, let known):
            Failure(
                code: .refused, name: "other_decimals",
                message: "the node says that \(contract) has \(told) decimals, and not \(known)")
        case .insufficient(let held, let amount, let decimals):
            Failure(
                code: .refused, name: "insufficient_tokens",
                message: "the account has \(DecimalText.short(held, decimals)) of the token, and "
                    + "\(DecimalText.short(amount, decimals)) are to be paid")
        }
    }

    private func noToken(_ contract: EthereumAddress, _ reason: String) -> Failure {
        Failure(code: .malformed, name: "no_token", message: "\(contract) is not a token: \(reason)")
    }
}

extension GasFault {
    fileprivate var failure: Failure {
        switch self {
        case .wouldFail(let words):
            return Failure(
                code: .refused, name: "would_fail", message: "the node says that it would fail: \(words)",
                hint: "with a --gas-limit it can be signed anyway")
        case .heldAboveCeiling:
            return Failure(
                code: .refused, name: "fee_above_ceiling",
                message: "the payment that was ordered before, and waits, may cost more for gas than is allowed",
                hint: "allow more with --max-fee, or forget it with 'fueki pending withdraw'")
        case .priceAboveCeiling(let error, let gas, let highest, let beside, let chain):
            let most = highest.text(on: chain)
            return error.failure.reworded { price in
                beside == .zero
                    ? "\(price) for a unit of gas, where all \(gas) units may cost \(most) (--max-fee)"
                    : "\(price) for a unit of gas, where all \(gas) units may cost \(most) (--max-fee), "
                        + "\(beside.text(on: chain)) of it beside gas"
            }
        }
    }
}

extension AddressFault {
    fileprivate var failure: Failure {
        switch self {
        case .noFreshChange(let scanned):
            Failure(
                code: .refused, name: "no_fresh_address",
                message: "all \(scanned) addresses for change in the scanned range were used",
                hint: "scan more with --addresses")
        case .allPaid(let reach):
            Failure(
                code: .refused, name: "no_fresh_address",
                message: "every address of the wallet up to number \(reach - 1) was paid before, as the node says",
                hint: reach < ShownAddresses.bound
                    ? "if that is so, show a later one, 'fueki address' with --index \(reach): then the following "
                        + "addresses are scanned"
                    : "make another wallet with 'fueki wallet create'; 'fueki address' with --index shows any address of "
                        + "this one")
        case .allShown:
            Failure(
                code: .refused, name: "no_fresh_address",
                message: "all \(ShownAddresses.bound) addresses that can be remembered count as shown",
                hint: "with --node, one that was not paid is shown; --index shows any")
        case .paidTwice(let address): .usage("\(address) is paid twice: add both amounts")
        }
    }
}

extension SweepFault {
    fileprivate var failure: Failure {
        switch self {
        case .noCoins:
            return Failure(
                code: .refused, name: "nothing_found",
                message: "there are no coins at the scanned addresses",
                hint: "scan more with --addresses; addresses that begin with 1 or 3 are not scanned")
        case .importedWallet:
            return Failure(
                code: .refused, name: "imported_wallet",
                message: "the wallet was imported: its words could still spend the coins",
                hint: "make a new wallet with 'fueki wallet create'")
        case .sameAccount(let account):
            return Failure(
                code: .refused, name: "same_account", message: "\(account) is the account of the wallet itself")
        case .transactionsWait(let account):
            return Failure(
                code: .refused, name: "transactions_wait", message: "\(account) has transactions that wait",
                hint: "wait until they are mined: then move the rest")
        case .onlyFee(let account, let balance, let chain):
            return Failure(
                code: .refused, name: "nothing_found",
                message: "\(account) has \(balance.text(on: chain)), which is not more than a fee")
        case .interrupted(let sent, let error):
            return error.failure.reworded { words in
                "\(words); sent before it: \(sent.map(\.description).joined(separator: ", "))"
            }
        }
    }
}
