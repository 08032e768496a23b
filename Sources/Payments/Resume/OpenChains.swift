public import HDKeys
public import Wallet
public import WalletBooks

extension WalletBook {
    /// Returns the chains of entries whose outcome is not final, in the order of the entries: their nodes may have
    /// news.
    ///
    /// - Parameter network: the wallet's network.
    public func openChains(of network: Network) -> [ChainName] {
        var chains: [ChainName] = []
        for entry in history() where entry.isOpen && entry.id != nil {
            guard let chain = entry.chain.flatMap({ ChainName($0, of: network) }) else { continue }
            if !chains.contains(chain) { chains.append(chain) }
        }
        return chains
    }
}
