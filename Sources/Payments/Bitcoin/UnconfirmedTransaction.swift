public import Bitcoin
internal import Custody
internal import HDKeys
internal import Nodes
internal import Wallet

/// A transaction of Bitcoin that is not in a block yet, and what it has to do with the wallet.
public struct UnconfirmedTransaction: Sendable {
    /// The signed transaction.
    public let transaction: Transaction
    /// Whether the node has it. If not, it comes from the wallet's history.
    let isShown: Bool
    /// The block that has it after all.
    var height: UInt32?
    /// `HistoryEntry.digest`, if it was signed here.
    public let digest: [UInt8]?
    /// What it spends; nothing if somebody else spends with us.
    let spent: [Coin]?
    /// What stands before and behind it at the node.
    let queue: MempoolAncestry?

    /// - Throws: ``PaymentError/replacement(_:)``, ``PaymentError/node(_:)``.
    static func found(
        _ id: TransactionID, by chain: any BitcoinChain, in history: [HistoryEntry], ownership: Ownership
    ) async throws(PaymentError) -> UnconfirmedTransaction {
        let entry = history.last { $0.id == id.description }
        let place = try await attempt { () async throws(NodeError) in try await chain.status(of: id) }
        if case .mined(let height, _) = place { throw .replacement(.mined(id: "\(id)", height: UInt64(height))) }
        var shown: Transaction?
        if place == .waiting {
            shown = try await attempt { () async throws(NodeError) in try await chain.transaction(id) }
        }
        if shown == nil, let entry, let later = replacement(of: entry, in: history) {
            throw .replacement(.replaced(id: "\(id)", by: later))
        }
        let kept = entry?.transaction.flatMap { try? Transaction(decoding: $0) }
        guard let transaction = shown ?? kept, transaction.id == id else {
            throw .replacement(.unknown(id: "\(id)"))
        }
        return try await attempt { () async throws(NodeError) in
            UnconfirmedTransaction(
                transaction: transaction, isShown: shown != nil, digest: entry?.digest,
                spent: try await coins(of: transaction, at: chain, ownership),
                queue: shown == nil ? nil : try await chain.queue(of: id))
        }
    }

    /// What was signed later, and spends what this one spends.
    private static func replacement(of entry: HistoryEntry, in history: [HistoryEntry]) -> String? {
        history.last { other in
            guard other.number > entry.number, other.id != entry.id, other.transaction != nil else { return false }
            return other.state != .replaced && other.conflicts(with: entry.conflictSet)
        }?.id
    }

    /// The coins of its inputs, in their order; nil if one of them is not the wallet's, or not to be found.
    private static func coins(
        of transaction: Transaction, at chain: any BitcoinChain, _ ownership: Ownership
    ) async throws(NodeError) -> [Coin]? {
        var coins: [Coin] = []
        for input in transaction.inputs {
            guard let shown = try await chain.coin(at: input.previousOutput), let coin = Coin(shown, of: ownership)
            else { return nil }
            coins.append(coin)
        }
        return coins
    }

    /// What it pays, if all of it is the wallet's.
    var fee: Amount? {
        guard let spent, let worth = try? Amount.sum(spent.map(\.amount)),
            let paid = try? Amount.sum(transaction.outputs.map(\.amount))
        else { return nil }
        return try? worth.subtracting(paid)
    }

    /// Whether it says that another one may take its place (BIP-125).
    var isReplaceable: Bool { transaction.inputs.contains { $0.sequence < 0xFFFF_FFFE } }

    /// Where its change goes.
    func change(of ownership: Ownership) -> DerivedKey? {
        transaction.outputs.compactMap { ownership.key(for: $0.scriptPubKey) }.first { $0.path.chain == .change }
    }
}
