public import Bitcoin
internal import HDKeys
internal import Nodes
internal import Wallet

/// An unconfirmed Bitcoin transaction, and its relation to the wallet.
public struct UnconfirmedTransaction: Sendable {
    /// The signed transaction.
    public let transaction: Transaction
    /// Whether the node has it. If not, it comes from the wallet's history.
    let isShown: Bool
    /// The height of the block that has it after all.
    var height: UInt32?
    /// The `HistoryEntry.digest`, if it was signed here.
    public let digest: [UInt8]?
    /// The coins that it spends; nil if another person's coins are among them.
    let spent: [Coin]?
    /// Its unconfirmed ancestors and descendants at the node.
    let queue: MempoolAncestry?

    /// Finds a transaction.
    ///
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

    /// Returns the later signed transaction that spends the same coins.
    private static func replacement(of entry: HistoryEntry, in history: [HistoryEntry]) -> String? {
        history.last { other in
            guard other.number > entry.number, other.id != entry.id, other.transaction != nil else { return false }
            return other.state != .replaced && other.conflicts(with: entry.conflictSet)
        }?.id
    }

    /// Returns the coins of its inputs, in order; nil if one of them is not the wallet's, or cannot be found.
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

    /// The fee, if all of its inputs are the wallet's.
    var fee: Amount? {
        guard let spent, let worth = try? Amount.sum(spent.map(\.amount)),
            let paid = try? Amount.sum(transaction.outputs.map(\.amount))
        else { return nil }
        return try? worth.subtracting(paid)
    }

    /// Whether it signals that it may be replaced (BIP-125).
    var isReplaceable: Bool { transaction.inputs.contains { $0.sequence < 0xFFFF_FFFE } }

    /// Returns the key of its change output.
    func change(of ownership: Ownership) -> DerivedKey? {
        transaction.outputs.compactMap { ownership.key(for: $0.scriptPubKey) }.first { $0.path.chain == .change }
    }
}
