internal import Encoding
internal import Ethereum
internal import Nodes
internal import Wallet
internal import WalletBooks

/// An earlier payment with the same effects as the order, whose state only a node knows.
struct PossibleEthereumDuplicate {
    private let entry: HistoryEntry
    private let id: String
    /// The transaction that was mined in its place, as a node reports it.
    private let rival: String?
    /// The receipt of its block, as the node reports it now.
    private var receipt: EthereumReceipt?

    /// Looks for such a payment.
    ///
    /// - Parameters:
    ///   - transaction: the transaction to be signed; another one with its nonce is not a second payment.
    ///   - order: the order; a payment with another key is not a second payment.
    ///   - time: in seconds since 1970; older reported payments do not count.
    init?(
        of transaction: EthereumTransaction, ordered order: OrderIdentity, since time: UInt64, in nonces: NonceManager
    ) async throws(PaymentError) {
        let (intent, conflictSet) = (try nonces.intent(of: transaction), try nonces.conflictSet(of: transaction))
        let history = await nonces.book.history()
        let twin = history.last { entry in
            let isMissed = entry.isUnheard && entry.state != .replaced
            return (isMissed || entry.awaitsBlock && entry.time >= time) && !order.isApart(from: entry.order)
                && entry.repeats(intent, taking: conflictSet) && !Self.isSpedUp(entry, in: history)
        }
        guard let twin, let id = twin.id else { return nil }
        (entry, self.id) = (twin, id)
        rival = twin.rival(in: history)?.id
        // Whatever the node answers, the person is asked.
        guard let hash = try? Hex.decode(String(id.dropFirst(2))),
            case .mined(let receipt)? = try? await nonces.node.status(of: hash)
        else { return }
        self.receipt = receipt
    }

    /// Returns whether another transaction with the same payment was mined in its place: then that one is the payment,
    /// and is judged on its own.
    private static func isSpedUp(_ entry: HistoryEntry, in history: [HistoryEntry]) -> Bool {
        entry.rival(in: history)?.isSamePayment(as: entry) == true
    }

    /// The finding: a script that retries pays twice.
    var finding: PaymentFinding { .repeated(repetition, id: id) }

    private var repetition: PaymentFinding.Repetition {
        if let receipt { return receipt.isSuccess ? .mined(height: receipt.height) : .reverted(height: receipt.height) }
        if let rival { return .rivalled(by: rival) }
        return entry.state == .sent ? .underway : .signed
    }
}
