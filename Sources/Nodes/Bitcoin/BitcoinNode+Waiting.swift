public import Bitcoin
internal import Encoding

// Waiting transactions.

extension BitcoinNode {
    public func coins(
        of scripts: Set<ScriptPubKey>, in transaction: Transaction
    ) async throws(NodeError) -> [ChainCoin] {
        var room = NodeLimits.coins
        return try await outputs(of: transaction, to: scripts, &room).unspent
    }

    /// Examines the outputs of a waiting transaction.
    ///
    /// - Parameter room: the maximum number of outputs that are examined, the most valuable ones first.
    /// - Returns: the outputs of a waiting transaction with these scripts: the unspent ones, those that another
    ///   transaction spends, and the amounts of those beyond `room`.
    private func outputs(
        of transaction: Transaction, to scripts: Set<ScriptPubKey>, _ room: inout Int
    ) async throws(NodeError) -> (unspent: [ChainCoin], spent: [OutPoint], unseen: [Amount]) {
        let id = transaction.id
        var (unspent, spent): ([ChainCoin], [OutPoint]) = ([], [])
        let outputs = transaction.outputs
        let ours = outputs.indices.filter { scripts.contains(outputs[$0].scriptPubKey) }
            .sorted { (outputs[$1].amount, $0) < (outputs[$0].amount, $1) }
        let looked = ours.prefix(room)
        room -= looked.count
        for index in looked {
            let place = OutPoint(transaction: id, index: UInt32(index))
            let output = try await rpc.read("gettxout", [.string(id.description), JSON(Int64(index)), true])
            if output.isNull {
                spent.append(place)
            } else {
                // It may be mined by now; then it still counts as waiting.
                unspent.append(try ChainCoin(place, of: transaction, confirmations: 0))
            }
        }
        return (unspent, spent, ours.dropFirst(looked.count).map { outputs[$0].amount })
    }

    /// Returns a transaction; nil also for one that this wallet cannot read, which must not hide all others.
    private func readable(_ id: TransactionID) async throws(NodeError) -> Transaction? {
        do throws(NodeError) { return try await transaction(id) } catch {
            guard error == .unexpected(.longWitness) else { throw error }
            return nil
        }
    }

    /// Finds outputs with these scripts in waiting transactions, and the amounts of those that were not examined.
    ///
    /// - Parameter spent: the wallet's outputs that waiting transactions may spend: through them change is found even
    ///   if too many transactions wait to examine all.
    func waitingCoins(
        of scripts: Set<ScriptPubKey>, spending spent: [OutPoint]
    ) async throws(NodeError) -> (coins: [ChainCoin], unseen: [Amount]) {
        var (coins, unseen, spent, seen): ([ChainCoin], [Amount], [OutPoint], Set<TransactionID>) = ([], [], spent, [])
        var room = NodeLimits.coins
        if let all = try await fewWaiting() {
            for id in all {
                guard let transaction = try await readable(id) else { continue }
                let outputs = try await outputs(of: transaction, to: scripts, &room)
                coins += outputs.unspent
                unseen += outputs.unseen
            }
            return (coins, unseen)
        }
        while !spent.isEmpty {
            var spenders: [TransactionID] = []
            for start in stride(from: 0, to: spent.count, by: NodeLimits.outputsAtOnce) {
                spenders += try await self.spenders(of: Array(spent[start...].prefix(NodeLimits.outputsAtOnce)))
            }
            spent = []
            for id in spenders where seen.insert(id).inserted {
                guard seen.count <= NodeLimits.waitingTransactions, let transaction = try await readable(id) else {
                    continue
                }
                let outputs = try await outputs(of: transaction, to: scripts, &room)
                coins += outputs.unspent
                spent += outputs.spent
                unseen += outputs.unseen
            }
        }
        return (coins, unseen)
    }

    /// Returns all waiting transactions; nil if they are too many to examine.
    private func fewWaiting() async throws(NodeError) -> [TransactionID]? {
        let information = try await rpc.read("getmempoolinfo")
        guard try information["size"].required(.transaction).uint32(.transaction) <= NodeLimits.waitingTransactions
        else { return nil }
        guard let ids = try await rpc.read("getrawmempool").array else { throw .unexpected(.transaction) }
        var waiting: [TransactionID] = []
        for id in ids.prefix(2 * NodeLimits.waitingTransactions) { waiting.append(try id.transactionID()) }
        return waiting
    }

    /// Returns the waiting transactions that spend these outputs. Nodes before Bitcoin Core 24 cannot report them.
    private func spenders(of outPoints: [OutPoint]) async throws(NodeError) -> [TransactionID] {
        let questions = outPoints.map { place -> JSON in
            ["txid": .string(place.transaction.description), "vout": JSON(Int64(place.index))]
        }
        switch try await rpc.readAnswer("gettxspendingprevout", [.array(questions)]) {
        case .fault(let fault):
            guard fault.code == Fault.unknownMethod else { throw fault.error }
            return []
        case .result(let result):
            guard let answers = result.array, answers.count == outPoints.count else { throw .unexpected(.transaction) }
            var ids: [TransactionID] = []
            for answer in answers {
                if let id = answer["spendingtxid"] { ids.append(try id.transactionID()) }
            }
            return ids
        }
    }

    public func queue(of id: TransactionID) async throws(NodeError) -> MempoolAncestry? {
        guard let entry = try await found("getmempoolentry", [.string(id.description)]) else { return nil }
        func amount(_ name: String) throws(NodeError) -> Amount {
            try Amount(bitcoins: entry["fees"]?[name]?.number, .fee)
        }
        let size = try entry["ancestorsize"].required(.transaction).uint32(.transaction)
        let count = try entry["descendantcount"].required(.transaction).uint32(.transaction)
        let (base, together) = (try amount("base"), try amount("descendant"))
        // The transaction counts itself.
        guard size > 0, count > 0, let descendants = try? together.subtracting(base) else { throw .inconsistent(.fee) }
        return MempoolAncestry(
            ancestorFees: try amount("ancestor"), ancestorSize: Int(size), descendantCount: Int(count - 1),
            descendantFees: descendants)
    }

    public func incrementalFeeRate() async throws(NodeError) -> FeeRate? {
        guard let number = try await rpc.read("getnetworkinfo")["incrementalfee"]?.number else {
            throw .unexpected(.fee)
        }
        let rate = try FeeRate(number, places: 8).satoshisPerKilobyte
        guard (1...NodeLimits.highestFeeRate).contains(rate) else { throw .unexpected(.fee) }
        return FeeRate(satoshisPerKilobyte: rate)
    }
}
