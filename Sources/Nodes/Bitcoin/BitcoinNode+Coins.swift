internal import Encoding
public import Wallet

extension BitcoinNode {
    /// Searches all unspent outputs of the chain (`scantxoutset`), which takes a minute or two on the real one.
    ///
    /// Of waiting transactions it finds those that spend such outputs; all, where few wait.
    public func coins(of scripts: [ScriptPubKey]) async throws(NodeError) -> [ChainCoin] {
        precondition(scripts.count <= NodeLimits.scripts, "more scripts are asked for in parts")
        guard !scripts.isEmpty else { return [] }
        let wanted = Set(scripts)
        let descriptors = wanted.map { JSON.string("raw(\(Hex.encode($0.bytes)))") }
        let answer = try await rpc.read(
            "scantxoutset", ["start", .array(descriptors)], limit: NodeLimits.longAnswerBytes,
            timeout: NodeLimits.scanTimeout)
        guard answer["success"]?.bool == true, let found = answer["unspents"]?.array, found.count <= NodeLimits.coins
        else { throw .unexpected(.coins) }
        let tip = try answer["height"].required(.height).height()
        var coins: [ChainCoin] = []
        var seen: Set<OutPoint> = []
        var spent: [OutPoint] = []
        for entry in found {
            let claim = try CoinClaim(entry)
            guard seen.insert(claim.outPoint).inserted, wanted.contains(claim.output.scriptPubKey), claim.height <= tip
            else { throw .inconsistent(.coins) }
            if let coin = try await coin(claim, tip: tip) { coins.append(coin) } else { spent.append(claim.outPoint) }
        }
        coins += try await waitingCoins(of: wanted, spending: spent)
        guard coins.count <= NodeLimits.coins else { throw .unexpected(.coins) }
        return coins.inOrder()
    }

    /// Nil if a waiting transaction spends it.
    private func coin(_ claim: CoinClaim, tip: UInt32) async throws(NodeError) -> ChainCoin? {
        let id = claim.outPoint.transaction
        let unspent = try await rpc.read(
            "gettxout", [.string(id.description), JSON(Int64(claim.outPoint.index)), true])
        if unspent.isNull { return nil }
        let block = try await rpc.read("getblockhash", [JSON(Int64(claim.height))])
        guard let transaction = try await transaction(id, in: block) else { throw .inconsistent(.transaction) }
        let coin = try ChainCoin(claim.outPoint, of: transaction, confirmations: tip - claim.height + 1)
        guard coin.output == claim.output else { throw .inconsistent(.output) }
        return coin
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

/// What a node says of a coin.
private struct CoinClaim {
    let outPoint: OutPoint
    let output: TransactionOutput
    let height: UInt32

    init(_ entry: JSON) throws(NodeError) {
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
        height = try entry["height"].required(.height).height()
    }
}
