internal import Custody
internal import Encoding
internal import Ethereum
internal import Nodes
internal import Wallet

/// A payment that does the same as the one that is ordered, and of which only a node can say whether it is made.
struct EthereumTwin {
    private let entry: HistoryEntry
    private let id: String
    /// What was mined in its place, as a node said.
    private let rival: String?
    /// In a block, as the node says now.
    private var receipt: EthereumReceipt?

    /// - Parameters:
    ///   - transaction: what is to be signed; what has its number is no second payment.
    ///   - order: what is ordered; what has another key is no second payment.
    ///   - time: in seconds since 1970; what is older, and was heard of, is none.
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
        // Whatever it answers, the person is asked.
        guard let hash = try? Hex.decode(String(id.dropFirst(2))),
            case .mined(let receipt)? = try? await nonces.node.status(of: hash)
        else { return }
        self.receipt = receipt
    }

    /// Whether one that pays the same was mined in its place: then that one is the payment, and is judged for itself.
    private static func isSpedUp(_ entry: HistoryEntry, in history: [HistoryEntry]) -> Bool {
        entry.rival(in: history)?.isSamePayment(as: entry) == true
    }

    /// A script that tries again pays twice.
    var finding: PaymentFinding { .repeated(repetition, id: id) }

    private var repetition: PaymentFinding.Repetition {
        if let receipt { return receipt.isSuccess ? .mined(height: receipt.height) : .reverted(height: receipt.height) }
        if let rival { return .rivalled(by: rival) }
        return entry.state == .sent ? .underway : .signed
    }
}
