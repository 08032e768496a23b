internal import Bitcoin
package import Custody
internal import Encoding
internal import ErrorTexts
package import Payments
package import Texts
internal import Wallet
package import WalletBooks

/// The states of payments whose program was interrupted.
package struct ResumeView: Encodable {
    struct Payment: Encodable {
        let chain: String
        /// The state: `held`, `unfinished`, `signed`, `unanswered`, `sent`, `mined`, `cancelled` or `replaced`.
        let state: String
        /// The height of the block that decided the payment.
        let height: UInt64?
        /// The identifier of the newest transaction that was signed for the payment.
        let id: String?
        /// The key of the payment's order (`--once`).
        let once: String?
        let effects: [IntentView.Effect]
        /// The cancellation of a payment that no block has decided.
        let cancellation: String?
        /// The problem with the payment, in words.
        let problem: String?
    }

    let payments: [Payment]
    private let rows: [(lines: [String], isProblem: Bool)]

    private enum CodingKeys: CodingKey { case payments }

    package init(_ resumed: [ResumedPayment], of wallet: WalletRecord, contacts: [Contact], unit: BitcoinUnit) {
        let names = PartyNames(contacts)
        payments = resumed.map { payment in
            let status = payment.status
            return Payment(
                chain: status.chain.description, state: status.stage.name, height: status.stage.height,
                id: status.newestPayment?.id, once: status.order.key?.text,
                effects: (status.attempts.first?.effects ?? []).map {
                    IntentView.Effect($0, on: status.chain, names: names)
                }, cancellation: status.cancellation?.id, problem: payment.problem?.failure.message)
        }
        rows = resumed.map { payment in
            let status = payment.status
            let id = status.newestPayment?.id ?? status.held.first.map { Hex.encode($0.digest) }
            let effects = (status.attempts.first?.effects ?? []).map {
                "  " + EffectLine($0, on: status.chain, names: names, units: TokenUnits(bitcoin: unit)).text
            }
            let lines =
                ["\(id.map { HistoryRow.short($0) } ?? "payment")  \(status.stage.words(in: wallet.name))"] + effects
                + (status.cancellation?.id.map { id in
                    ["  a cancellation of it is signed (\(HistoryRow.short(id))): at most one of both is mined"]
                } ?? []) + (payment.isAsked ? [] : ["  no node has told what became of it"])
                + (payment.problem.map { ["  \($0.failure.message)"] } ?? [])
                + (payment.isTooEarly ? ["  " + status.early(in: wallet.name)] : [])
            return (lines, payment.problem != nil)
        }
    }

    package func text(in width: Columns) -> StyledText {
        guard !rows.isEmpty else { return StyledText("no payment was interrupted") }
        return StyledText(
            lines: rows.flatMap { lines, isProblem in
                lines.map { StyledText(Wrapped.text($0, columns: width.sentences), isProblem ? .warning : .plain) }
            })
    }
}

extension PaymentStatus {
    /// What becomes of a payment whose lock time has not come.
    fileprivate func early(in wallet: WalletName) -> String {
        let transaction = newestPayment?.transaction.flatMap { try? Transaction(decoding: $0) }
        let time = transaction.map { $0.lockTime < 500_000_000 ? "when the node has block \($0.lockTime)" : "later" }
        return "'fueki resume \(wallet)' sends it \(time ?? "later"); "
            + "'fueki cancel \(wallet) \(newestPayment?.id ?? "")' gives it up, and frees its coins"
    }

    /// The newest attempt that pays.
    fileprivate var newestPayment: HistoryEntry? {
        attempts.last { $0.id != nil && !$0.isCancellation } ?? attempts.last
    }
}

extension PaymentStatus.Stage {
    fileprivate var name: String {
        switch self {
        case .held: "held"
        case .unfinished: "unfinished"
        case .signed: "signed"
        case .unanswered: "unanswered"
        case .sent: "sent"
        case .mined: "mined"
        case .cancelled: "cancelled"
        case .replaced: "replaced"
        }
    }

    fileprivate var height: UInt64? {
        switch self {
        case .mined(let height), .cancelled(_, let height): height
        case .held, .unfinished, .signed, .unanswered, .sent, .replaced: nil
        }
    }

    fileprivate func words(in wallet: WalletName) -> String {
        switch self {
        case .held: "waits in the wallet's book: 'fueki pending list \(wallet)' says for what"
        case .unfinished: "signing was interrupted: give the same order again, it is paid once"
        case .signed: "signed, and not sent"
        case .unanswered: "sent, and the node did not say whether it took it"
        case .sent: "sent; waiting for a block"
        case .mined(let height): "mined in block \(height)"
        case .cancelled(let id, let height): "cancelled by \(HistoryRow.short(id)) in block \(height)"
        case .replaced: "another transaction of the wallet took its place"
        }
    }
}
