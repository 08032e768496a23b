public import Bitcoin
internal import Encoding

extension BitcoinNode {
    /// Searches all unspent outputs of the chain (`scantxoutset`), which takes a minute or two on the main chain.
    ///
    /// Of waiting transactions it finds those that spend such outputs; if few wait, it finds all.
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
        // A coin that was left out may also be spent, and the change of that may be worth more than the coin.
        let spent = (picks.spent + picks.leftOut).map(\.outPoint)
        let waiting = try await waitingCoins(of: wanted, spending: spent)
        return CoinList(picks, waiting: waiting.coins, unseen: waiting.unseen, crowded: listing.crowded)
    }

    /// Searches all unspent outputs of the chain once, without a request for each output.
    public func holding(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey> {
        try await listing(of: scripts).scripts
    }

    /// Returns the node's list, for as many scripts at once as it accepts.
    private func listing(of scripts: [ScriptPubKey]) async throws(NodeError) -> CoinListing {
        // In the given order, so that the same request gives the same searches.
        var unique: Set<ScriptPubKey> = []
        let ordered = scripts.filter { unique.insert($0).inserted }
        var listing = CoinListing()
        for start in stride(from: 0, to: ordered.count, by: NodeLimits.scripts) {
            try await list(ordered[start...].prefix(NodeLimits.scripts), into: &listing)
        }
        return listing
    }

    /// Searches the chain's unspent outputs. A node runs one search at a time: that of another program is waited for.
    ///
    /// - Throws: ``NodeError/searching`` if the other search takes too long.
    private func search(for descriptors: [JSON]) async throws(NodeError) -> JSON {
        for _ in 0..<NodeLimits.scanPauses {
            do throws(NodeError) {
                return try await rpc.read(
                    "scantxoutset", ["start", .array(descriptors)], limit: NodeLimits.coinListBytes,
                    timeout: NodeLimits.scanTimeout)
            } catch .rpc(Fault.invalidParameter, let words) where "\(words)".lowercased().contains("in progress") {
                try await rpc.wait(NodeLimits.scanPause)
            }
        }
        throw .searching
    }

    /// Adds the node's list. If it is longer than an answer may be, it is requested in parts.
    private func list(
        _ scripts: ArraySlice<ScriptPubKey>, into listing: inout CoinListing
    ) async throws(NodeError) {
        let descriptors = scripts.map { JSON.string("raw(\(Hex.encode($0.bytes)))") }
        let answer: JSON
        do throws(NodeError) {
            answer = try await search(for: descriptors)
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
            // A node with an index also shows an output that is spent in a block.
            guard try await found("getmempoolentry", [.string(id.description)]) != nil,
                let transaction = try await transaction(id)
            else { return nil }
            return try ChainCoin(outPoint, of: transaction, confirmations: 0)
        }
        let confirmations = try output["confirmations"].required(.output).uint32(.output)
        let tip = try await height()
        guard confirmations > 0, confirmations - 1 <= tip else { throw .inconsistent(.output) }
        let block = try await rpc.read("getblockhash", [JSON(Int64(tip - (confirmations - 1)))])
        // A new block in between changes all heights.
        guard let transaction = try await transaction(id, in: block) else { throw .inconsistent(.transaction) }
        return try ChainCoin(outPoint, of: transaction, confirmations: confirmations)
    }

    /// Returns nil: Bitcoin Core has no record of spent outputs.
    public func used(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey>? { nil }

    /// Returns nil: Bitcoin Core has no record of spent outputs.
    public func payments(to scripts: [ScriptPubKey]) async throws(NodeError) -> PaymentList? { nil }
}

extension CoinClaim {
    /// Reads one unspent output of the node's list.
    fileprivate init(_ entry: JSON, tip: UInt32) throws(NodeError) {
        outPoint = OutPoint(
            transaction: try entry["txid"].required(.coins).transactionID(),
            index: try entry["vout"].required(.coins).uint32(.coins))
        guard let text = entry["scriptPubKey"]?.string, let script = try? Hex.decode(text) else {
            throw .unexpected(.coins)
        }
        output = TransactionOutput(
            amount: try Amount(bitcoins: entry["amount"]?.number, .amount), scriptPubKey: ScriptPubKey(script))
        let height = try entry["height"].required(.height).height()
        guard height <= tip else { throw .inconsistent(.coins) }
        (self.height, confirmations) = (height, tip - height + 1)
    }
}
