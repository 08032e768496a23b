public import Bitcoin
public import Custody
public import Nodes
internal import Wallet

/// A wallet's coins on Bitcoin, as a node shows them, and which of its addresses were used.
public struct SpendableCoins: Sendable {
    /// What nobody has spent, with what waits for a block.
    public let coins: [Coin]
    /// What the node lists beside them.
    public let unlisted: UnlistedCoins
    private let scripts: WalletScripts
    /// Scripts that somebody paid to, as far as that is known.
    private let used: Set<ScriptPubKey>

    /// Whose script is whose, among those that were looked at.
    public var ownership: Ownership { scripts.ownership }

    /// Asks for the coins at all addresses that are looked at.
    ///
    /// - Parameters:
    ///   - known: scripts that were used before. A node only shows where there are coins now.
    ///   - report: hears what is not looked at.
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public static func found(
        by chain: any BitcoinChain, for wallet: WalletRecord, reach: AddressReach, used known: Set<ScriptPubKey> = [],
        report: PaymentListener = { _ in }
    ) async throws(PaymentError) -> SpendableCoins {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let scripts = try WalletScripts(of: accounts, reach)
        report(.askingForCoins)
        return try await attempt { () async throws(NodeError) in
            // An explorer is asked for each address, and tells which were used: there are coins at no others.
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

    /// Nil if the node keeps no record of what was used. Looks behind the last address that this machine has shown, and until a
    /// whole gap was never used (BIP-44).
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
            // What is named is looked at wherever it lies, also where nobody would have come to.
            let early = reach.further(beyond: 0).filter { $0 < row.keys.count }.map { row.keys[Int($0)] }
            guard let named = try await chain.used((early + row.further).map(\.scriptPubKey)) else { return nil }
            all.formUnion(named)
        }
        return all
    }

    /// Whether less than a gap was looked at behind the last address that was used.
    private func endsNearUsedAddresses(_ reach: AddressReach) -> Bool {
        scripts.rows.contains { row in
            row.keys.suffix(Int(reach.gap)).contains { used.contains($0.scriptPubKey) }
        }
    }

    /// What all coins are worth, with others that a waiting transaction spends or pays.
    ///
    /// - Throws: ``PaymentError/node(_:)`` if that is more than there are bitcoin.
    public func total(with others: [Coin] = []) throws(PaymentError) -> Amount {
        let more = others.filter { other in !coins.contains { $0.outPoint == other.outPoint } }
        guard let total = try? Amount.sum((coins + more).map(\.amount)) else {
            throw .node(.inconsistent(.amount))
        }
        return total
    }

    /// The key of an address for change that was never used; of the type that all coins have, or else taproot.
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
    /// A node's coin as one of the wallet's; nil if it is not.
    public init?(_ coin: ChainCoin, of ownership: Ownership) {
        guard let key = ownership.key(for: coin.output.scriptPubKey) else { return nil }
        try? self.init(
            coin.outPoint, output: coin.output, key: key, confirmations: coin.confirmations,
            isCoinbase: coin.isCoinbase, previousTransaction: coin.previousTransaction)
    }
}

extension [Coin] {
    /// The same for the same coins, whatever the order that a node shows them in.
    public func inOrder() -> [Coin] { sorted { $0.outPoint.description < $1.outPoint.description } }
}
