package import HDKeys
package import PaymentHistory
package import Texts
package import Wallet
package import WalletBooks

/// The entries of a history that a person asks for: those of one chain, or one entry.
package struct HistorySelection {
    /// The entries that the book has signed.
    package private(set) var entries: [HistoryEntry]
    /// The entries from other machines.
    package private(set) var archive: [ArchivedEntry]
    /// The payments that a Bitcoin node reported; nil if no node was asked.
    package private(set) var received: [PaymentRecord]?

    /// Selects the entries of a chain.
    ///
    /// - Parameters:
    ///   - chain: nil for all chains.
    ///   - network: the wallet's network.
    package init(
        _ entries: [HistoryEntry], _ archive: [ArchivedEntry], _ received: [PaymentRecord]?, of chain: ChainName?,
        on network: Network
    ) {
        func isWanted(_ other: Chain?) -> Bool {
            chain == nil || chain == other.flatMap { ChainName($0, of: network) }
        }
        self.entries = entries.filter { isWanted($0.chain) }
        self.archive = archive.filter { isWanted($0.chain) }
        self.received = received?.foreign
    }

    /// Selects one entry.
    ///
    /// - Parameter id: the first digits of its identifier or digest.
    /// - Returns: whether there is such an entry.
    /// - Throws: the failure of digits that begin several entries.
    package mutating func narrow(to id: String, contacts: [Contact]) throws(Failure) -> Bool {
        let short = ShortID(id)
        entries = short.map(entries.named) ?? []
        archive = short.map(archive.named) ?? []
        received = short.flatMap { short in received?.named(short) }
        let count = entries.count + (received?.count ?? 0)
        guard count <= 1 else { throw HistoryView.ambiguous(id, entries, contacts: contacts, received: received ?? []) }
        return count + archive.count > 0
    }
}
