public import Bitcoin
internal import Encoding
internal import Wallet

extension BitcoinNode {
    /// Searches all unspent outputs of the chain (`scantxoutset`), which takes a minute or two on the real one.
    ///
    /// Of waiting transactions it finds those that spend such outputs; all, where few wait.
    public func coins(of scripts: [ScriptPubKey]) async throws(NodeError) -> CoinList {
        guard !scripts.isEmpty else { return .empty }
        let wanted = Set(scripts)
        let listing = try await listing(of: scripts)
        var blocks: [UInt32: JSON] = [:]
        let picks = try await listing.picks { (claim) async throws(NodeError) in
            let place = claim.outPoint
            let answer = try await rpc.read(
                "gettxout", [.string(place.transaction.description), JSON(Int64(place.index)), true])
            return !answer.isNull
        } _: { (claim) async throws(NodeError) in
            let height = claim.height ?? 0
            let block: JSON
            if let known = blocks[height] {
                block = known
            } else {
                block = try await rpc.read("getblockhash", [JSON(Int64(height))])
                blocks[height] = block
            }
            guard let transaction = try await transaction(claim.outPoint.transaction, in: block) else {
                throw .inconsistent(.transaction)
            }
            return transaction
        }
        // What is left out may be spent as well, and then what comes back from it is worth more than it was.
        let spent = (picks.spent + picks.leftOut).map(\.outPoint)
        let waiting = try await waitingCoins(of: wanted, spending: spent)
        return CoinList(picks, waiting: waiting.coins, unseen: waiting.unseen, crowded: listing.crowded)
    }

    /// Searches all unspent outputs of the chain once, without a question for each output.
    public func holding(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey> {
        try await listing(of: scripts).scripts
    }

    /// What the node lists, of as many scripts at once as it reads.
    private func listing(of scripts: [ScriptPubKey]) async throws(NodeError) -> CoinListing {
        // In the order in which they were given: the same question gets the same searches.
        var unique: Set<ScriptPubKey> = []
        let ordered = scripts.filter { unique.insert($0).inserted }
        var listing = CoinListing()
        for start in stride(from: 0, to: ordered.count, by: NodeLimits.scripts) {
            try await list(ordered[start...].prefix(NodeLimits.scripts), into: &listing)
        }
        return listing
    }

    /// Adds what the node lists. Where that is longer than an answer may be, it is asked for in parts.
    private func list(
        _ scripts: ArraySlice<ScriptPubKey>, into listing: inout CoinListing
    ) async throws(NodeError) {
        let descriptors = scripts.map { JSON.string("raw(\(Hex.encode($0.bytes)))") }
        let answer: JSON
        do throws(NodeError) {
            answer = try await rpc.read(
                "scantxoutset", ["start", .array(descriptors)], limit: NodeLimits.coinListBytes,
                timeout: NodeLimits.scanTimeout)
        } catch .tooLarge {
            guard scripts.count > 1 else {
                listing.crowded += scripts
                return
            }
            let middle = scripts.startIndex + scripts.count / 2
            try await list(scripts[..<middle], into: &listing)
            try await list(scripts[middle...], into: &listing)
            return
        }
        guard answer["success"]?.bool == true, let found = answer["unspents"]?.array else { throw .unexpected(.coins) }
        let (tip, wanted) = (try answer["height"].required(.height).height(), Set(scripts))
        for entry in found {
            let claim = try CoinClaim(entry, tip: tip)
            guard wanted.contains(claim.output.scriptPubKey) else { throw .inconsistent(.coins) }
            try listing.add(claim)
        }
    }
}

extension BitcoinNode {
    public func coin(at outPoint: OutPoint) async throws(NodeError) -> ChainCoin? {
        let (id, index) = (outPoint.transaction, outPoint.index)
        let output = try await rpc.read("gettxout", [.string(id.description), JSON(Int64(index)), false])
        guard !output.isNull else {
            // A node with an index also shows what is spent in a block.
            guard try await found("getmempoolentry", [.string(id.description)]) != nil,
                let transaction = try await transaction(id)
            else { return nil }
            return try ChainCoin(outPoint, of: transaction, confirmations: 0)
        }
        let confirmations = try output["confirmations"].required(.output).uint32(.output)
        let tip = try await height()
        guard confirmations > 0, confirmations - 1 <= tip else { throw .inconsistent(.output) }
        let block = try await rpc.read("getblockhash", [JSON(Int64(tip - (confirmations - 1)))])
        // A block that came in between moves all heights.
        guard let transaction = try await transaction(id, in: block) else { throw .inconsistent(.transaction) }
        return try ChainCoin(outPoint, of: transaction, confirmations: confirmations)
    }

    /// Bitcoin Core keeps no record of what is spent.
    public func used(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey>? { nil }
}

extension CoinClaim {
    /// Reads one of the unspent outputs that the node lists.
    fileprivate init(_ entry: JSON, tip: UInt32) throws(NodeError) {
        outPoint = OutPoint(
            transaction: try entry["txid"].required(.coins).transactionID(),
            index: try entry["vout"].required(.coins).uint32(.coins))
        guard let text = entry["scriptPubKey"]?.string, let script = try? Hex.decode(text) else {
            throw .unexpected(.coins)
        }
        guard let number = entry["amount"]?.number, let amount = try? Amount(bitcoins: number.text) else {
            throw .unexpected(.amount)
        }
        output = TransactionOutput(amount: amount, scriptPubKey: ScriptPubKey(script))
        let height = try entry["height"].required(.height).height()
        guard height <= tip else { throw .inconsistent(.coins) }
        (self.height, confirmations) = (height, tip - height + 1)
    }
}
