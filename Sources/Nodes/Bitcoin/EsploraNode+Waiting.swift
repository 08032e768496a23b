public import Bitcoin
internal import Encoding

// Waiting transactions, and payments to scripts.

extension EsploraNode {
    public func coin(at outPoint: OutPoint) async throws(NodeError) -> ChainCoin? {
        guard let transaction = try await transaction(outPoint.transaction) else { return nil }
        let confirmations: UInt32
        switch try await status(of: outPoint.transaction) {
        case .unknown: return nil
        case .waiting: confirmations = 0
        case .mined(_, let count): confirmations = count
        }
        if case .mined = try await spender(of: outPoint)?.place { return nil }
        return try ChainCoin(outPoint, of: transaction, confirmations: confirmations)
    }

    public func coins(
        of scripts: Set<ScriptPubKey>, in transaction: Transaction
    ) async throws(NodeError) -> [ChainCoin] {
        let spenders = try await spenders(of: transaction.id)
        guard spenders.count == transaction.outputs.count else { throw .inconsistent(.output) }
        var coins: [ChainCoin] = []
        for (index, output) in transaction.outputs.enumerated()
        where scripts.contains(output.scriptPubKey) && spenders[index] == nil {
            let place = OutPoint(transaction: transaction.id, index: UInt32(index))
            coins.append(try ChainCoin(place, of: transaction, confirmations: 0))
        }
        return coins
    }

    public func used(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey>? {
        var used: Set<ScriptPubKey> = []
        for script in scripts {
            guard let address = Address<Checked>(script, on: network) else { throw .unexpected(.coins) }
            let record = try json(try await required("/address/\(address)"))
            var count: UInt64 = 0
            for statistics in ["chain_stats", "mempool_stats"] {
                guard let number = record[statistics]?["tx_count"]?.number?.integer(as: UInt32.self) else {
                    throw .unexpected(.coins)
                }
                count += UInt64(number)
            }
            if count > 0 { used.insert(script) }
        }
        return used
    }

    public func holding(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey> {
        try await used(scripts) ?? []
    }

    /// Returns nil: Esplora does not report it.
    public func incrementalFeeRate() async throws(NodeError) -> FeeRate? { nil }

    public func queue(of id: TransactionID) async throws(NodeError) -> MempoolAncestry? {
        guard try await status(of: id) == .waiting else { return nil }
        let ancestors = try await connected(to: id) { (entry) async throws(NodeError) in
            guard let inputs = try await self.details(of: entry)?.inputs else { return [] }
            return inputs
        }
        let descendants = try await connected(to: id) { (entry) async throws(NodeError) in
            try await self.spenders(of: entry).compactMap { $0?.id }
        }
        var (fees, size, later): (Amount, Int, Amount) = (.zero, 0, .zero)
        for entry in [id] + ancestors {
            guard let (_, fee, virtualSize, _) = try await details(of: entry) else { continue }
            (fees, size) = (try Self.sum(fees, fee), size + virtualSize)
        }
        for entry in descendants {
            if let details = try await details(of: entry) { later = try Self.sum(later, details.fee) }
        }
        guard size > 0 else { return nil }
        return MempoolAncestry(
            ancestorFees: fees, ancestorSize: size, descendantCount: descendants.count, descendantFees: later)
    }

    private static func sum(_ one: Amount, _ other: Amount) throws(NodeError) -> Amount {
        guard let sum = try? one.adding(other) else { throw .inconsistent(.fee) }
        return sum
    }

    /// Returns the waiting transactions that the steps reach, without the first one.
    private func connected(
        to first: TransactionID, by step: (TransactionID) async throws(NodeError) -> [TransactionID]
    ) async throws(NodeError) -> [TransactionID] {
        var (found, next, seen): ([TransactionID], [TransactionID], Set<TransactionID>) = ([], [first], [first])
        while let id = next.popLast() {
            for other in try await step(id) where seen.insert(other).inserted {
                guard seen.count <= NodeLimits.queuedTransactions else { throw .unexpected(.transaction) }
                guard try await details(of: other)?.isWaiting == true else { continue }
                found.append(other)
                next.append(other)
            }
        }
        return found
    }

    /// Returns a transaction's details; nil if the explorer does not know it.
    private func details(
        of id: TransactionID
    ) async throws(NodeError) -> (inputs: [TransactionID], fee: Amount, virtualSize: Int, isWaiting: Bool)? {
        guard let response = try await found("/tx/\(id)", limit: NodeLimits.longAnswerBytes) else { return nil }
        let json = try json(response)
        guard let inputs = json["vin"]?.array, let satoshis = json["fee"]?.number?.integer(as: UInt64.self),
            let fee = try? Amount(satoshis: satoshis), let weight = json["weight"]?.number?.integer(as: UInt32.self),
            weight > 0, let isConfirmed = json["status"]?["confirmed"]?.bool
        else { throw .unexpected(.transaction) }
        var ids: [TransactionID] = []
        for input in inputs { ids.append(try input["txid"].required(.transaction).transactionID()) }
        return (ids, fee, (Int(weight) + 3) / 4, !isConfirmed)
    }

    /// Returns the transactions that spend the outputs of a transaction.
    private func spenders(
        of id: TransactionID
    ) async throws(NodeError) -> [(id: TransactionID, place: TransactionStatus)?] {
        guard let response = try await found("/tx/\(id)/outspends") else { return [] }
        guard let entries = try json(response).array else { throw .unexpected(.output) }
        let tip = try await height()
        var spenders: [(id: TransactionID, place: TransactionStatus)?] = []
        for entry in entries {
            guard let isSpent = entry["spent"]?.bool else { throw .unexpected(.output) }
            guard isSpent else {
                spenders.append(nil)
                continue
            }
            let place = try confirmations(try entry["status"].required(.output), tip: tip)
            spenders.append(
                (
                    try entry["txid"].required(.output).transactionID(),
                    place.map { .mined(height: $0.height, confirmations: $0.count) } ?? .waiting
                ))
        }
        return spenders
    }

    private func spender(of outPoint: OutPoint) async throws(NodeError) -> (
        id: TransactionID, place: TransactionStatus
    )? {
        let spenders = try await spenders(of: outPoint.transaction)
        guard let index = Int(exactly: outPoint.index), spenders.indices.contains(index) else {
            throw .inconsistent(.output)
        }
        return spenders[index]
    }
}
