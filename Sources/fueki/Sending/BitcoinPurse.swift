internal import Custody
internal import Nodes
internal import Wallet

/// A wallet's coins on Bitcoin, as a node shows them, and which of its addresses were used.
struct BitcoinPurse {
    let ownership: Ownership
    /// What nobody has spent, with what waits for a block.
    let coins: [Coin]
    private let scripts: WalletScripts
    /// Scripts that somebody paid to, as far as that is known.
    private let used: Set<ScriptPubKey>

    /// Asks for the coins at all addresses up to an index.
    ///
    /// - Parameters:
    ///   - addresses: how many of each type, to receive and for change.
    ///   - known: scripts that were used before. A node only shows where there are coins now.
    static func found(
        by chain: any BitcoinChain, for wallet: WalletRecord, addresses: UInt32, used known: Set<ScriptPubKey> = [],
        _ output: Output
    ) async throws(Failure) -> BitcoinPurse {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let ownership = try attempt { () throws(WalletError) in try Ownership(of: accounts, scanning: addresses) }
        let scripts = try WalletScripts(of: accounts, count: addresses)
        output.progress("asking the node for the wallet's coins")
        return try await attempt { () async throws(NodeError) in
            // An explorer is asked for each address, and tells which were used: there are coins at no others.
            let paid = try await paidTo(scripts, chain)
            let wanted = paid.map { paid in scripts.all.filter(paid.contains) } ?? scripts.all
            var found: [ChainCoin] = []
            for start in stride(from: 0, to: wanted.count, by: NodeLimits.scripts) {
                found += try await chain.coins(of: Array(wanted[start...].prefix(NodeLimits.scripts)))
            }
            let coins = found.compactMap { Coin($0, of: ownership) }
            return BitcoinPurse(
                ownership: ownership, coins: coins.inOrder(), scripts: scripts,
                used: known.union(paid ?? []).union(coins.map(\.key.scriptPubKey)))
        }
    }

    /// Nil if the node keeps no record of what was used. Looks until twenty in a row were never used (BIP-44).
    private static func paidTo(
        _ scripts: WalletScripts, _ chain: any BitcoinChain
    ) async throws(NodeError) -> Set<ScriptPubKey>? {
        var all: Set<ScriptPubKey> = []
        for row in scripts.rows {
            for start in stride(from: 0, to: row.keys.count, by: gap) {
                let part = row.keys[start...].prefix(gap).map(\.scriptPubKey)
                guard let paid = try await chain.used(part) else { return nil }
                if paid.isEmpty { break }
                all.formUnion(paid)
            }
        }
        return all
    }

    private static let gap = 20

    /// What all coins are worth, with others that a waiting transaction spends or pays.
    func total(with others: [Coin] = []) throws(Failure) -> Amount {
        let more = others.filter { other in !coins.contains { $0.outPoint == other.outPoint } }
        guard let total = try? Amount.sum((coins + more).map(\.amount)) else {
            throw NodeError.inconsistent(.amount).failure
        }
        return total
    }

    /// The key of an address for change that was never used; of the type that all coins have, or else taproot.
    func freshChange() throws(Failure) -> DerivedKey {
        let kind: WalletAddress.Kind =
            !coins.isEmpty && coins.allSatisfy { if case .segwit = $0.key { true } else { false } } ? .segwit : .taproot
        guard let key = scripts.freshChange(kind, used: used) else {
            throw Failure(
                code: .refused, name: "no_fresh_address",
                message: "all \(ownership.scannedCount) addresses for change that are looked at were used",
                hint: "look at more with --addresses")
        }
        return key
    }
}

extension Coin {
    /// A node's coin as one of the wallet's; nil if it is not.
    init?(_ coin: ChainCoin, of ownership: Ownership) {
        guard let key = ownership.key(for: coin.output.scriptPubKey) else { return nil }
        try? self.init(
            coin.outPoint, output: coin.output, key: key, confirmations: coin.confirmations,
            isCoinbase: coin.isCoinbase, previousTransaction: coin.previousTransaction)
    }
}

extension [Coin] {
    /// The same for the same coins, whatever the order that a node shows them in.
    func inOrder() -> [Coin] { sorted { $0.outPoint.description < $1.outPoint.description } }
}
