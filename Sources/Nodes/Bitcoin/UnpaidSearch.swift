public import Bitcoin
internal import Wallet

/// A search for an address that was never paid, among a wallet's addresses in their order.
///
/// Addresses are given out from the first on, so that those that were paid lie before those that were not. A search that doubles its
/// steps, and then halves them, finds the place between them in about thirty questions among 20,000 addresses. An explorer learns no
/// more addresses than that.
public struct UnpaidSearch: Sendable {
    private let count: Int
    private let script: @Sendable (Int) -> ScriptPubKey?

    /// Creates a search among the first `count` addresses.
    ///
    /// - Parameters:
    ///   - count: how many addresses there are.
    ///   - script: of an address, from 0; nil for one that does not exist.
    public init(among count: Int, _ script: @escaping @Sendable (Int) -> ScriptPubKey?) {
        (self.count, self.script) = (count, script)
    }

    /// The address that was found, and how much the node can tell of it.
    public enum Finding: Equatable, Sendable {
        /// The number of an address that was never paid, as the node says.
        case unpaid(Int)
        /// The number of an address without coins. The node keeps no record of what was spent.
        case empty(Int)
        /// All that were looked at were paid.
        case none
    }

    /// Searches by questions to the chain.
    ///
    /// - Parameter paid: scripts that have coins, as is known already.
    public func run(
        by chain: any BitcoinChain, besides paid: Set<ScriptPubKey> = []
    ) async throws(NodeError) -> Finding {
        guard count > 0 else { return .none }
        guard let isFirstPaid = try await isPaid(0, by: chain) else { return try await empty(by: chain, besides: paid) }
        guard isFirstPaid else { return .unpaid(0) }
        var (last, step) = (0, 1)
        while last < count - 1 {
            let next = min(last + step, count - 1)
            if try await isPaid(next, by: chain) != false {
                (last, step) = (next, 2 * step)
                continue
            }
            var unpaid = next
            while unpaid - last > 1 {
                let middle = (last + unpaid) / 2
                if try await isPaid(middle, by: chain) != false { last = middle } else { unpaid = middle }
            }
            return .unpaid(unpaid)
        }
        // The last of all was paid, though others may not have been: somebody pays by a list of all addresses.
        for number in 0..<min(count, NodeLimits.triedAddresses) where try await isPaid(number, by: chain) == false {
            return .unpaid(number)
        }
        return .none
    }

    /// Nil where the node keeps no record. An address that does not exist counts as paid.
    private func isPaid(_ number: Int, by chain: any BitcoinChain) async throws(NodeError) -> Bool? {
        guard let script = script(number) else { return true }
        return try await chain.used([script]).map { !$0.isEmpty }
    }

    /// Searches the unspent outputs, which takes as long for thousands of addresses as for one.
    private func empty(
        by chain: any BitcoinChain, besides paid: Set<ScriptPubKey>
    ) async throws(NodeError) -> Finding {
        for start in stride(from: 0, to: count, by: NodeLimits.addressesAtOnce) {
            let numbers = start..<min(start + NodeLimits.addressesAtOnce, count)
            let scripts = numbers.map(script)
            let holding = try await chain.holding(scripts.compactMap(\.self)).union(paid)
            for (number, script) in zip(numbers, scripts) {
                if let script, !holding.contains(script) { return .empty(number) }
            }
        }
        return .none
    }
}
