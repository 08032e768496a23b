public import Bitcoin
public import Custody
internal import HDKeys
public import Nodes

extension WalletHome {
    /// Takes the next address of a wallet that this machine has not shown. From now on it counts as shown.
    ///
    /// - Parameter chain: a node; an address that was paid before, as it says, is passed over.
    /// - Returns: the index, and whether the address was shown before: then all were, and the node says that it was not
    ///   paid. Nil if no node is given and all addresses that can be remembered count as shown.
    /// - Throws: ``PaymentError/custody(_:)``, ``PaymentError/node(_:)``, ``PaymentError/address(_:)``.
    public func takeNewAddress(
        _ type: WalletAddress.Kind, of wallet: WalletRecord, asking chain: (any BitcoinChain)?
    ) async throws(PaymentError) -> ReceivingAddresses.Found? {
        let row = ShownAddresses.Row(type, .receive)
        guard let chain else {
            let index = try await attempt { () async throws(CustodyError) in try await takeAddress(in: row, of: wallet)
            }
            return index.map { ReceivingAddresses.Found(index: $0, wasShown: false) }
        }
        while true {
            let addresses = try ReceivingAddresses(type, of: wallet, in: self)
            let coins: CoinList
            do throws(NodeError) { coins = try await chain.coins(of: try await addresses.scripts(for: chain)) } catch {
                throw .node(error)
            }
            let found = try await addresses.unused(by: chain, coins)
            if found.wasShown { return found }
            let taken = try await attempt { () async throws(CustodyError) in
                try await takeAddress(in: row, of: wallet) { $0 == found.index }
            }
            // Another process may have shown it meanwhile: then one address less is searched.
            if taken != nil { return found }
        }
    }
}

extension BitcoinChain {
    /// Returns the scripts among these that were ever paid; from a node without a record of spent coins, only those
    /// that have coins.
    public func paid(among scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey> {
        if let used = try await used(scripts) { return used }
        return Set(try await coins(of: scripts).coins.map(\.output.scriptPubKey))
    }
}
