internal import Nodes
public import Wallet

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

    /// The transaction whose coins a transaction outside of the wallet's history has spent, as the node says; nil if the
    /// node does not claim that. It is listed until the person gives it up with `SigningFlow.acknowledge(_:)-(PaymentStatus)`,
    /// which frees no coin and answers no order.
    public var lostTransaction: String? {
        guard case .delivery(.spentByUnknown(let id))? = problem else { return nil }
        return id
    }

    init(status: PaymentStatus, problem: PaymentError?, isAsked: Bool = true) {
        (self.status, self.problem, self.isAsked) = (status, problem, isAsked)
    }

    /// A payment about which no node was asked.
    public init(unasked status: PaymentStatus) { self.init(status: status, problem: nil, isAsked: false) }

    /// Whether its result can be acknowledged once it is shown: the node has the transaction, or a block has decided it.
    /// An acknowledged payment is not resumed again.
    public var hasOutcome: Bool {
        guard isAsked else { return false }
        switch problem {
        case .delivery(.reverted)?, .delivery(.replacedByUnknown)?, .delivery(.minedInstead)?: return true
        default: break
        }
        guard problem == nil else { return false }
        return switch status.stage {
        case .sent, .mined, .cancelled, .replaced: true
        case .held, .unfinished, .signed, .unanswered: false
        }
    }
}
