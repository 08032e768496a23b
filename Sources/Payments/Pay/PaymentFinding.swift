public import Amounts
public import Nodes
public import Wallet

/// A finding about a payment that cannot be decoded from its bytes.
public enum PaymentFinding: Hashable, Sendable {
    /// An earlier payment is the same, and was made or may have been: a script that retries pays twice.
    case repeated(Repetition, id: String)
    /// The node reports that another transaction has used the nonce of this one.
    case doubtfulNonce(UInt64, id: String)
    /// The node reports this number of payments that the account made elsewhere.
    case nonceGap(nonce: UInt64, payments: UInt64)
    /// Only the node states the token's number of decimals.
    case decimalsFromNode(amount: UInt256, Decimals)
    /// It spends the wallet's own unconfirmed change of these transactions: it is mined only with them.
    case unconfirmedChange(of: [String])
    /// The letters of an address are all of one case, so that a mistyped digit cannot be detected.
    case oneCase(String)
    /// The node is still loading the chain: the coins and payments that it shows may be outdated.
    case nodeSyncing(ChainLag)

    /// The state of the earlier payment.
    public enum Repetition: Hashable, Sendable {
        /// It is in a block, as the node reports.
        case mined(height: UInt64)
        /// It is in a block, and its result was never reported.
        case minedUnheard
        /// It is on its way.
        case underway
        /// It is on its way, or may be.
        case possiblyUnderway
        /// It is signed, and no node is known to have it.
        case signed
        /// A node has refused it, and it may still be mined.
        case refused
        /// It failed in this block, as the node reports.
        case reverted(height: UInt64)
        /// Another transaction has spent its coins, as the node reports.
        case displaced
        /// This transaction was mined in its place, as the node reports.
        case rivalled(by: String)
        /// Another attempt at the same order is signed.
        case otherAttempt
    }

}

extension PaymentFinding {
    /// The finding in the form of the wallet's checks and policies.
    public var finding: Finding {
        switch self {
        case .repeated(let repetition, let id): Finding("repeated", repetition.text(id), .costly)
        case .doubtfulNonce(let nonce, let id):
            Finding(
                "nonce_jump",
                "the node says that another transaction than \(id) has used nonce \(nonce) of this account: if that is "
                    + "not true, both may be mined", .costly)
        case .nonceGap(let nonce, let payments):
            Finding(
                "nonce_jump",
                "the node says that this account has made \(payments == 1 ? "a payment" : "\(payments) payments") "
                    + "elsewhere: if that is not true, this one waits, and is mined some time later; --nonce \(nonce) "
                    + "says it yourself", .costly)
        case .decimalsFromNode(let amount, let decimals):
            Finding(
                "decimals_from_node",
                "\(amount) of the smallest unit is \(DecimalText.short(amount, decimals)), if the token has "
                    + "\(decimals.count) decimals, as the node says: give --decimals \(decimals.count) to say it yourself",
                .costly)
        case .unconfirmedChange(let ids):
            Finding(
                "unconfirmed_change",
                "it spends your change of \(ids.joined(separator: " and of ")), which no block has yet: it is mined only "
                    + "with \(ids.count == 1 ? "that one" : "those"), and not at all if another one takes its place",
                .notice)
        case .oneCase(let text):
            Finding(
                "one_case",
                "the letters of \(text) are all of one case, so that nothing tells whether a digit is mistyped: "
                    + "compare all 40, or take the address as the payee's own wallet shows it", .costly)
        case .nodeSyncing(let lag):
            Finding(
                "node_syncing",
                "\(lag.clause): coins that it shows may be spent, and payments that it does not show may be made",
                .costly)
        }
    }
}

extension PaymentFinding.Repetition {
    fileprivate func text(_ id: String) -> String {
        switch self {
        case .mined(let height): "the same payment is in block \(height) already, as transaction \(id)"
        case .minedUnheard: "the same payment is in a block already, though no command printed its result: \(id)"
        case .underway: "the same payment is on its way already, as transaction \(id)"
        case .possiblyUnderway: "the same payment is on its way already, or may be: \(id)"
        case .signed:
            "the same payment was signed already, as transaction \(id): if a node has that, both may be mined"
        case .refused: "the same payment is transaction \(id), which a node refused, and which may be mined yet"
        case .reverted(let height):
            "the same payment is transaction \(id), and the node says that it failed in block \(height): if that is not "
                + "true, it is paid a second time"
        case .displaced:
            "the same payment is transaction \(id), and the node says that another transaction has spent its coins: if "
                + "that is not true, both may be mined"
        case .rivalled(let rival):
            "the same payment is transaction \(id), and the node says that \(rival) was mined in its place: if that is "
                + "not true, both may be mined"
        case .otherAttempt: "the same payment was signed already, as transaction \(id)"
        }
    }
}
