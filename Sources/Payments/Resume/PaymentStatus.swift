internal import Custody
internal import Ethereum
internal import Nodes
public import Wallet
internal import WalletBooks

/// The state of an ordered payment in the wallet's book: its attempts and their progress.
///
/// It needs no node and no order: a program that was killed reads it with ``SigningFlow/payments()``.
public struct PaymentStatus: Equatable, Sendable {
    /// The order: its payment key, if the caller gave one, and the hash of its payees and amounts.
    public let order: OrderIdentity
    /// The chain of the payment.
    public let chain: Chain
    /// The transactions that were signed for the order, or may have been, oldest first: the payment, its speed-ups and
    /// cancellations. At most one of them is mined.
    public let attempts: [HistoryEntry]
    /// The proposals for it, if no transaction is signed: they wait for a delay or an approval.
    public let held: [PendingProposal]
    /// The progress of the payment.
    public let stage: Stage

    /// The progress of a payment.
    public enum Stage: Hashable, Sendable {
        /// Nothing is signed. It was proposed at this time, in seconds since 1970, and waits:
        /// ``SigningFlow/propose(held:)``.
        case held(since: UInt64)
        /// Its program ended during signing, and a signature may exist. Only the same order signs it again.
        case unfinished
        /// It is signed, and not known to be sent: `resume()` sends it.
        case signed
        /// It was sent, and the answer is unknown: `resume()` looks it up.
        case unanswered
        /// A node has accepted it.
        case sent
        /// A block has it.
        case mined(height: UInt64)
        /// A block has a cancellation in its place.
        case cancelled(by: String, height: UInt64)
        /// A block has other transactions of the wallet in place of all attempts.
        case replaced
    }

    /// Whether the result was reported: the order was answered with it, or it was acknowledged with
    /// ``SigningFlow/acknowledge(_:)-(PaymentStatus)``.
    public var isHeard: Bool { !attempts.isEmpty && attempts.allSatisfy(\.isShown) }

    /// Whether a transaction is signed, so that there is a result.
    public var hasResult: Bool {
        switch stage {
        case .held, .unfinished: false
        case .signed, .unanswered, .sent, .mined, .cancelled, .replaced: true
        }
    }

    /// Its newest cancellation, if it is signed and no known block has it or the payment.
    public var cancellation: HistoryEntry? {
        guard isUnderway else { return nil }
        return attempts.last { $0.isCancellation && $0.awaitsBlock }
    }

    /// Whether it is signed, and no known block decides it.
    public var isUnderway: Bool {
        switch stage {
        case .signed, .unanswered, .sent: true
        case .held, .unfinished, .mined, .cancelled, .replaced: false
        }
    }

    /// Returns the payments in a book, oldest first.
    static func all(in history: [HistoryEntry], _ proposals: [PendingProposal], of wallet: WalletRecord)
        -> [PaymentStatus]
    {
        var payments: [[HistoryEntry]] = []
        for entry in history where entry.order != nil && entry.state != .failed {
            let same = payments.indices.filter { index in
                payments[index].contains { other in
                    other.order == entry.order && (entry.order?.key != nil || other.conflicts(with: entry.conflictSet))
                }
            }
            let joined = same.flatMap { payments[$0] } + [entry]
            for index in same.reversed() { payments.remove(at: index) }
            payments.append(joined)
        }
        var all = payments.compactMap { attempts -> PaymentStatus? in
            guard let first = attempts.first, let order = first.order, let chain = first.chain else { return nil }
            return PaymentStatus(
                order: order, chain: chain, attempts: attempts, held: [],
                stage: Stage(of: attempts, in: history))
        }
        var orders: [OrderIdentity: [PendingProposal]] = [:]
        for proposal in proposals { if let order = proposal.order { orders[order, default: []].append(proposal) } }
        for (order, held) in orders where !all.contains(where: { $0.order == order && $0.isOpen }) {
            guard let first = held.min(by: { $0.firstProposed < $1.firstProposed }),
                let chain = first.payload.chain(of: wallet)
            else { continue }
            all.append(
                PaymentStatus(
                    order: order, chain: chain, attempts: [], held: held, stage: .held(since: first.firstProposed)))
        }
        return all.sorted {
            ($0.attempts.first?.number ?? .max, $0.since) < ($1.attempts.first?.number ?? .max, $1.since)
        }
    }

    private var since: UInt64 { held.first?.firstProposed ?? 0 }

    /// Whether a program has work to do for it, or a result to show.
    var isOpen: Bool { !isHeard || isUnderway }

    /// The name of the payment while the book is open.
    var name: [UInt8] { attempts.first?.digest ?? held.first?.digest ?? [] }
}

extension PaymentStatus.Stage {
    /// Finds the stage of a payment's attempts: that of the most advanced one. An attempt is replaced as soon as a block
    /// has another transaction of the wallet in its place.
    fileprivate init(of attempts: [HistoryEntry], in history: [HistoryEntry]) {
        let (cancellations, payments) = (
            attempts.filter(\.isCancellation), attempts.filter { !$0.isCancellation }
        )
        if let height = payments.compactMap(\.state.height).last {
            self = .mined(height: height)
        } else if let cancellation = cancellations.last(where: \.isMined), let height = cancellation.state.height {
            self = .cancelled(by: cancellation.id ?? "", height: height)
        } else {
            let states = Set(
                (payments.isEmpty ? cancellations : payments).map { entry -> HistoryEntry.State in
                    entry.state.isSigned && entry.rival(in: history) != nil ? .replaced : entry.state
                })
            self =
                if states.contains(.sent) {
                    .sent
                } else if states.contains(.unanswered) {
                    .unanswered
                } else if states.contains(.signed) {
                    .signed
                } else if states.contains(.reserved) {
                    .unfinished
                } else {
                    .replaced
                }
        }
    }
}

extension SigningPayload {
    fileprivate func chain(of wallet: WalletRecord) -> Chain? {
        switch self {
        case .bitcoinTransaction: .bitcoin(wallet.network)
        case .ethereumTransaction(let transaction, _): transaction.chainID.map(Chain.ethereum)
        case .personalMessage, .typedData, .bitcoinMessage, .file: nil
        }
    }
}

/// A payment that `resume()` has handled.
public struct ResumedPayment: Equatable, Sendable {
    /// The payment's present state in the book.
    public let status: PaymentStatus
    /// Its error, if any: a node refuses it, or reports nothing of it; it failed in its block.
    public let problem: PaymentError?
    /// Whether a node was asked about it.
    public let isAsked: Bool

    /// Whether the node refuses it only because its lock time has not come: a later `resume()` sends it, and a
    /// cancellation gives it up.
    public var isTooEarly: Bool {
        guard case .delivery(.notSent(_, _, .refused(.notYet, _), isRefused: _))? = problem else { return false }
        return true
    }

    /// The transaction whose coins a transaction outside of the wallet's history has spent, as the node says; nil if there
    /// is no such claim. It is listed until the person gives it up with ``SigningFlow/acknowledge(_:)-(PaymentStatus)``,
    /// which frees no coin and answers no order.
    public var lostTransaction: String? {
        guard case .delivery(.spentByUnknown(let id))? = problem else { return nil }
        return id
    }

    init(status: PaymentStatus, problem: PaymentError?, isAsked: Bool = true) {
        (self.status, self.problem, self.isAsked) = (status, problem, isAsked)
    }
}

extension SigningFlow {
    /// Returns the payments in the wallet's book that no block has decided yet, or whose result is not acknowledged. No
    /// node is asked.
    ///
    /// - Returns: the payments, oldest first; proposals come last.
    /// - Throws: ``PaymentError/flow(_:)``, ``PaymentError/custody(_:)``.
    public func payments() async throws(PaymentError) -> [PaymentStatus] {
        try await step { () async throws(PaymentError) in
            PaymentStatus.all(in: await book.history(), await book.proposals(), of: wallet).filter(\.isOpen)
        }
    }

    /// Returns the payments that are signed, and whose result is not acknowledged: show the result to the person, save
    /// it, and then call ``acknowledge(_:)-(PaymentStatus)``. A result is returned again until then.
    ///
    /// - Throws: ``PaymentError/flow(_:)``, ``PaymentError/custody(_:)``.
    public func unheard() async throws(PaymentError) -> [PaymentStatus] {
        try await payments().filter { $0.hasResult && !$0.isHeard }
    }

    /// Records that the result was shown in a list of resumed payments: ``unheard()`` no longer returns it. It does not
    /// answer the order, whose caller may not have seen the list: the same order still answers with this payment, and
    /// pays nothing. Does nothing for a payment without a result.
    public func acknowledge(_ payment: PaymentStatus) async {
        guard payment.hasResult else { return }
        for attempt in payment.attempts where !attempt.isShown {
            await acknowledging { (book) throws(CustodyError) in try await book.noteShown(attempt.digest) }
        }
    }

    /// Handles each payment on a chain that is under way and whose result is not acknowledged.
    ///
    /// - Parameter handOver: sends a transaction that the node does not have.
    /// - Returns: the payments in their new states.
    func resume(
        on chain: Chain, _ isMeant: (PaymentStatus) -> Bool,
        _ handOver: (PaymentStatus) async throws(PaymentError) -> Void
    ) async throws(PaymentError) -> [ResumedPayment] {
        var problems: [[UInt8]: PaymentError] = [:]
        for status in try await payments() where status.chain == chain && isMeant(status) {
            guard status.isUnderway, !status.isHeard else { continue }
            do throws(PaymentError) { try await handOver(status) } catch { problems[status.name] = error }
        }
        return try await payments().filter { $0.chain == chain && isMeant($0) }.map { status in
            ResumedPayment(status: status, problem: problems[status.name])
        }
    }
}
