internal import Custody
public import Wallet

/// The payments of a wallet that may be resumed, by their chains.
public struct OpenPayments: Equatable, Sendable {
    /// The chains, in the order of their first payments.
    public let chains: [ChainName]
    private let statuses: [(chain: ChainName, status: PaymentStatus)]

    init(_ statuses: [(chain: ChainName, status: PaymentStatus)]) {
        self.statuses = statuses
        var chains: [ChainName] = []
        for (chain, _) in statuses where !chains.contains(chain) { chains.append(chain) }
        self.chains = chains
    }

    /// Returns the payments on a chain, oldest first.
    public func payments(on chain: ChainName) -> [PaymentStatus] {
        statuses.filter { $0.chain == chain }.map(\.status)
    }

    /// Whether these are the same payments in the same states.
    public static func == (left: OpenPayments, right: OpenPayments) -> Bool {
        left.statuses.map(\.status) == right.statuses.map(\.status)
    }
}

extension SigningFlow {
    /// Returns the payments that a program may resume, by their chains: those of ``payments()`` whose result is not
    /// acknowledged.
    ///
    /// - Parameter chain: the only chain; nil for all.
    /// - Throws: ``PaymentError/flow(_:)``, ``PaymentError/custody(_:)``.
    public func openPayments(on chain: ChainName? = nil) async throws(PaymentError) -> OpenPayments {
        let network = wallet.network
        return OpenPayments(
            try await payments().filter { !$0.isHeard }.compactMap { status in
                guard let name = ChainName(status.chain, of: network), chain == nil || chain == name else { return nil }
                return (name, status)
            })
    }
}

extension ResumedPayment {
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
