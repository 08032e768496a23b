internal import Bitcoin
internal import HDKeys
internal import Nodes
internal import Payments
internal import Wallet
internal import WalletBooks

/// The transactions that a node has shown, and that the wallet's book has not signed.
struct FoundTransactions {
    /// A transaction that pays to the wallet. Of its inputs, only the coins are kept.
    private struct Found {
        let id: TransactionID
        let status: TransactionStatus
        let receipts: [Receipt]
        let inputs: [OutPoint]
        /// Whether it pays to a change address, which no payer is given.
        let paysChange: Bool
    }

    private let ownership: Ownership
    /// The transactions of the book.
    private let own: Set<TransactionID>
    /// The transactions that an imported document has as signed.
    private let claimed: Set<TransactionID>
    private var found: [Found] = []
    private var ids: Set<TransactionID> = []
    /// The transactions whose outputs are known, and those of the outputs that are the wallet's.
    private var known: Set<TransactionID> = []
    private var coins: [OutPoint: Amount] = [:]

    init(of ownership: Ownership, _ entries: [HistoryEntry], _ archive: [ArchivedEntry]) {
        self.ownership = ownership
        own = Set(entries.compactMap(\.id).compactMap { try? TransactionID($0) })
        claimed = Set(archive.filter(\.state.isSigned).compactMap(\.id).compactMap { try? TransactionID($0) })
        for entry in entries {
            if let bytes = entry.transaction, let transaction = try? Transaction(decoding: bytes) { know(transaction) }
        }
    }

    /// Adds the outputs of a transaction to those that are known.
    mutating func know(_ transaction: Transaction) {
        let id = transaction.id
        guard known.insert(id).inserted else { return }
        for (index, output) in transaction.outputs.enumerated() where ownership.key(for: output.scriptPubKey) != nil {
            coins[OutPoint(transaction: id, index: UInt32(clamping: index))] = output.amount
        }
    }

    /// Adds a transaction. One of the book has its own record.
    mutating func add(_ transaction: Transaction, _ status: TransactionStatus) {
        know(transaction)
        let id = transaction.id
        guard !own.contains(id), ids.insert(id).inserted else { return }
        let receipts = transaction.outputs.compactMap { output in
            ownership.key(for: output.scriptPubKey).flatMap { Receipt(output, key: $0, on: ownership.network) }
        }
        // A transaction that pays only to others spends coins that were never the wallet's, or it has no change.
        guard !receipts.isEmpty else { return }
        found.append(
            Found(
                id: id, status: status, receipts: receipts, inputs: transaction.inputs.map(\.previousOutput),
                paysChange: receipts.contains { $0.path.chain == .change }))
    }

    /// Returns those that neither the book nor this list has, each once: at the end those that a document claims, so
    /// that it cannot crowd out the others.
    func missing(of listed: [TransactionID]) -> [TransactionID] {
        var seen = ids.union(own)
        let missing = listed.filter { seen.insert($0).inserted }
        return missing.filter { !claimed.contains($0) } + missing.filter(claimed.contains)
    }

    /// The transactions whose outputs show whether a transaction that was found spends the wallet's coins: it may be the
    /// wallet's own, because it pays change, or because of what it spends or a document says.
    var origins: [TransactionID] {
        var seen: Set<TransactionID> = []
        return found.flatMap { found in
            unknown(of: found).prefix(Limits.inputs)
                .filter { mayBeOwn(found) || isOwnOrClaimed($0) }
        }.filter { seen.insert($0).inserted }
    }

    /// The transactions that pay to the wallet's addresses. One that spends the wallet's coins was signed with its
    /// shares: only they can. It is left out if a document has it as signed: then it is in the archive.
    var records: [PaymentRecord] {
        get throws(PaymentError) {
            var records: [PaymentRecord] = []
            for found in found {
                let spent = found.inputs.compactMap { coins[$0] }
                guard let received = try? Amount.sum(found.receipts.map(\.amount)), let gone = try? Amount.sum(spent)
                else { throw .node(.inconsistent(.amount)) }
                if claimed.contains(found.id), !spent.isEmpty { continue }
                let unknown = unknown(of: found)
                // Without the transactions before it, it is not passed off as income.
                let isElsewhere =
                    !spent.isEmpty || (!unknown.isEmpty && mayBeOwn(found)) || unknown.contains(where: isOwnOrClaimed)
                records.append(
                    PaymentRecord(
                        id: found.id,
                        kind: isElsewhere ? .elsewhere(spent: gone, received: received) : .incoming(received),
                        receipts: found.receipts, fee: nil, status: found.status))
            }
            return records
        }
    }

    /// Returns the transactions before it whose outputs are unknown, each once.
    private func unknown(of found: Found) -> [TransactionID] {
        var seen = known
        return found.inputs.map(\.transaction).filter { seen.insert($0).inserted }
    }

    private func mayBeOwn(_ found: Found) -> Bool { found.paysChange || claimed.contains(found.id) }

    private func isOwnOrClaimed(_ id: TransactionID) -> Bool { own.contains(id) || claimed.contains(id) }
}
