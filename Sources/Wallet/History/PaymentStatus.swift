internal import Ethereum
package import HDKeys

/// The state of an ordered payment in the wallet's book: its attempts and their progress.
///
/// It needs no node and no order: a program that was killed reads it from the book.
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
        /// Nothing is signed. It was proposed at this time, in seconds since 1970, and waits.
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

    /// Whether the result was reported: the order was answered with it, or it was acknowledged.
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
    ///
    /// - Parameter network: the wallet's network.
    package static func all(
        in history: [HistoryEntry], _ proposals: [PendingProposal], on network: Network
    ) -> [PaymentStatus] {
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
                let chain = first.payload.chain(on: network)
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
    package var isOpen: Bool { !isHeard || isUnderway }

    /// The name of the payment while the book is open.
    package var name: [UInt8] { attempts.first?.digest ?? held.first?.digest ?? [] }
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
    fileprivate func chain(on network: Network) -> Chain? {
        switch self {
        case .bitcoinTransaction: .bitcoin(network)
        case .ethereumTransaction(let transaction, _): transaction.chainID.map(Chain.ethereum)
        case .personalMessage, .typedData, .bitcoinMessage, .file: nil
        }
    }
}
