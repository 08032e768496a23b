public import Bitcoin

/// A search for an address that was never paid, among a wallet's addresses in order.
///
/// Addresses are given out in order, so that the paid ones come first. A search that doubles its steps, and then halves
/// them, finds the boundary in about thirty requests among 20,000 addresses. An explorer learns no other addresses.
public struct UnpaidSearch: Sendable {
    private let count: Int
    private let script: @Sendable (Int) -> ScriptPubKey?

    /// Creates a search among the first `count` addresses.
    ///
    /// - Parameters:
    ///   - count: the number of addresses.
    ///   - script: returns the script of an address, from 0; nil for one that does not exist.
    public init(among count: Int, _ script: @escaping @Sendable (Int) -> ScriptPubKey?) {
        (self.count, self.script) = (count, script)
    }

    /// The result of a search.
    public enum Finding: Equatable, Sendable {
        /// The index of an address that was never paid, as the node says.
        case unpaid(Int)
        /// The index of an address without coins. The node has no record of spent outputs.
        case empty(Int)
        /// All examined addresses were paid.
        case none
    }

    /// Searches by requests to the chain.
    ///
    /// - Parameter paid: scripts that are known to have coins.
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
        // The last address was paid, though others may not have been: a payer may use a list of all addresses.
        for number in 0..<min(count, NodeLimits.triedAddresses) where try await isPaid(number, by: chain) == false {
            return .unpaid(number)
        }
        return .none
    }

    /// Returns whether an address was paid; nil if the node has no record. An address that does not exist counts as
    /// paid.
    private func isPaid(_ number: Int, by chain: any BitcoinChain) async throws(NodeError) -> Bool? {
        guard let script = script(number) else { return true }
        return try await chain.used([script]).map { !$0.isEmpty }
    }

    /// Searches the unspent outputs, which takes the same time for thousands of addresses as for one.
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
