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
