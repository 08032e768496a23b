public import Bitcoin
public import Custody
public import Nodes

/// The Bitcoin coins of a wallet, as a node lists them, and its used addresses.
public struct SpendableCoins: Sendable {
    /// The unspent coins, including unconfirmed ones.
    public let coins: [Coin]
    /// The coins that were skipped.
    public let unlisted: UnlistedCoins
    let scripts: WalletScripts
    /// The scripts with known payments.
    let used: Set<ScriptPubKey>

    /// The ownership of the searched scripts.
    public var ownership: Ownership { scripts.ownership }
    /// The searched scripts with known payments, in their order.
    package var usedScripts: [ScriptPubKey] { scripts.all.filter(used.contains) }

    /// Requests the coins at all searched addresses.
    ///
    /// - Parameters:
    ///   - known: the scripts that were used before. A node only lists addresses that have coins now.
    ///   - report: gets an event about skipped coins.
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public static func found(
        by chain: any BitcoinChain, for wallet: WalletRecord, reach: AddressReach, used known: Set<ScriptPubKey> = [],
        report: PaymentListener = { _ in }
    ) async throws(PaymentError) -> SpendableCoins {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let scripts = try WalletScripts(of: accounts, reach)
        report(.askingForCoins)
        return try await attempt { () async throws(NodeError) in
            // An explorer is asked for each address, and reports which were used: other addresses have no coins.
            let paid = try await paidTo(scripts, reach, chain)
            let wanted = paid.map { paid in scripts.all.filter(paid.contains) } ?? scripts.all
            let found = try await chain.coins(of: wanted)
            let coins = found.coins.compactMap { Coin($0, of: scripts.ownership) }
            let unlisted = UnlistedCoins(found, on: wallet.network)
            if !unlisted.isEmpty { report(.coinsNotListed(unlisted)) }
            let all = SpendableCoins(
                coins: coins.inOrder(), unlisted: unlisted, scripts: scripts,
                used: known.union(paid ?? []).union(coins.map(\.key.scriptPubKey)))
            if all.endsNearUsedAddresses(reach) { report(.lastAddressesUsed) }
            return all
        }
    }

    /// Returns the used scripts; nil if the node keeps no record of them. The search goes past the last address that
    /// this machine has shown, until a whole gap was never used (BIP-44).
    private static func paidTo(
        _ scripts: WalletScripts, _ reach: AddressReach, _ chain: any BitcoinChain
    ) async throws(NodeError) -> Set<ScriptPubKey>? {
        var all: Set<ScriptPubKey> = []
        let gap = Int(reach.gap)
        for row in scripts.rows {
            let least = Int(reach.explored(of: row.place))
            for start in stride(from: 0, to: row.keys.count, by: gap) {
                let part = row.keys[start...].prefix(gap).map(\.scriptPubKey)
                guard let paid = try await chain.used(part) else { return nil }
                if paid.isEmpty, start + part.count >= least { break }
                all.formUnion(paid)
            }
            // A named index is searched in any case, even beyond the usual search.
            let early = reach.further(beyond: 0).filter { $0 < row.keys.count }.map { row.keys[Int($0)] }
            guard let named = try await chain.used((early + row.further).map(\.scriptPubKey)) else { return nil }
            all.formUnion(named)
        }
        return all
    }

    /// Returns whether less than a gap was searched after the last used address.
    private func endsNearUsedAddresses(_ reach: AddressReach) -> Bool {
        scripts.rows.contains { row in
            row.keys.suffix(Int(reach.gap)).contains { used.contains($0.scriptPubKey) }
        }
    }

    /// Returns the value of all coins, together with others that an unconfirmed transaction spends or pays.
    ///
    /// - Throws: ``PaymentError/node(_:)`` if it exceeds the supply of bitcoin.
    public func total(with others: [Coin] = []) throws(PaymentError) -> Amount {
        let more = others.filter { other in !coins.contains { $0.outPoint == other.outPoint } }
        guard let total = try? Amount.sum((coins + more).map(\.amount)) else {
            throw .node(.inconsistent(.amount))
        }
        return total
    }

    /// Returns the key of an unused change address; of the type that all coins have, otherwise taproot.
    ///
    /// - Throws: ``PaymentError/address(_:)``.
    func freshChange() throws(PaymentError) -> DerivedKey {
        let kind: WalletAddress.Kind =
            !coins.isEmpty && coins.allSatisfy { if case .segwit = $0.key { true } else { false } } ? .segwit : .taproot
        guard let key = scripts.freshChange(kind, used: used) else {
            throw .address(.noFreshChange(scanned: ownership.scannedCount))
        }
        return key
    }
}

extension Coin {
    /// Converts a node's coin; nil if it is not the wallet's.
    public init?(_ coin: ChainCoin, of ownership: Ownership) {
        guard let key = ownership.key(for: coin.output.scriptPubKey) else { return nil }
        try? self.init(
            coin.outPoint, output: coin.output, key: key, confirmations: coin.confirmations,
            isCoinbase: coin.isCoinbase, previousTransaction: coin.previousTransaction)
    }
}

extension [Coin] {
    /// Returns the coins in a fixed order, independent of the order in which a node lists them.
    public func inOrder() -> [Coin] { sorted { $0.outPoint.description < $1.outPoint.description } }
}
