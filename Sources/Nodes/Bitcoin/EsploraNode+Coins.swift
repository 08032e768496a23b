public import Bitcoin
internal import Encoding

extension EsploraNode {
    /// Requests the coins of each address. If an explorer refuses to list them because they are too many, this reads
    /// the address's history, and computes the unspent outputs.
    public func coins(of scripts: [ScriptPubKey]) async throws(NodeError) -> CoinList {
        guard !scripts.isEmpty else { return .empty }
        let tip = try await height()
        var listing = CoinListing()
        var unique: Set<ScriptPubKey> = []
        for script in scripts where unique.insert(script).inserted {
            guard let address = Address<Checked>(script, on: network) else { throw .unexpected(.coins) }
            do throws(NodeError) {
                let answer = try json(
                    try await required("/address/\(address)/utxo", limit: NodeLimits.coinListBytes),
                    limit: NodeLimits.coinListBytes)
                guard let entries = answer.array else { throw .unexpected(.coins) }
                for entry in entries { try listing.add(claim(entry, to: script, tip: tip)) }
            } catch {
                guard error.saysTooMany else { throw error }
                try await list(script, at: address, tip: tip, into: &listing)
            }
        }
        let picks = try await listing.picks { (_) async throws(NodeError) in
            true
        } _: { (claim) async throws(NodeError) in
            guard let transaction = try await transaction(claim.outPoint.transaction) else {
                throw .inconsistent(.transaction)
            }
            return transaction
        }
        return CoinList(picks, waiting: [], unseen: [], crowded: listing.crowded)
    }

    private func claim(_ entry: JSON, to script: ScriptPubKey, tip: UInt32) throws(NodeError) -> CoinClaim {
        let id = try entry["txid"].required(.coins).transactionID()
        let index = try entry["vout"].required(.coins).uint32(.coins)
        let amount = try entry["value"].required(.coins).satoshis()
        let place = try confirmations(entry["status"].required(.coins), tip: tip)
        return CoinClaim(
            outPoint: OutPoint(transaction: id, index: index),
            output: TransactionOutput(amount: amount, scriptPubKey: script), height: place?.height,
            confirmations: place?.count ?? 0)
    }

    // MARK: - From the history

    /// Adds the unspent outputs of an address, computed from all its transactions.
    private func list(
        _ script: ScriptPubKey, at address: Address<Checked>, tip: UInt32, into listing: inout CoinListing
    ) async throws(NodeError) {
        var pages = NodeLimits.historyPages
        let (history, isWhole) = try await history(of: script, at: address, tip: tip, pages: &pages)
        if !isWhole { listing.crowded.append(script) }
        for claim in history.unspent { try listing.add(claim) }
    }

    /// Reads the transactions of an address, the newest first.
    ///
    /// - Parameters:
    ///   - pages: the number of pages that may be read; those that were read are subtracted.
    ///   - most: the number of transactions after which the reading ends.
    /// - Returns: the transactions, and whether they are all that the address has.
    private func history(
        of script: ScriptPubKey, at address: Address<Checked>, tip: UInt32, pages: inout Int,
        upTo most: Int = .max
    ) async throws(NodeError) -> (AddressHistory, isWhole: Bool) {
        var history = AddressHistory(of: script)
        var path = "/address/\(address)/txs"
        do throws(NodeError) {
            while pages > 0, history.count <= most {
                pages -= 1
                let answer = try json(
                    try await required(path, limit: NodeLimits.coinListBytes), limit: NodeLimits.coinListBytes)
                guard let entries = answer.array else { throw .unexpected(.coins) }
                var oldest: TransactionID?
                for entry in entries {
                    let place = try confirmations(entry["status"].required(.coins), tip: tip)
                    let id = try history.add(entry, place)
                    if place != nil { oldest = id }
                }
                guard let oldest else { return (history, true) }
                path = "/address/\(address)/txs/chain/\(oldest)"
            }
        } catch .tooLarge {}
        return (history, false)
    }

    /// Reads the transactions of each address. What an explorer reports of their amounts is not used: a caller reads
    /// the transactions themselves.
    public func payments(to scripts: [ScriptPubKey]) async throws(NodeError) -> PaymentList? {
        let tip = try await height()
        var listing = PaymentListing()
        var left = NodeLimits.paymentPagesInAll
        var unique: Set<ScriptPubKey> = []
        for script in scripts where unique.insert(script).inserted {
            guard let address = Address<Checked>(script, on: network) else { throw .unexpected(.coins) }
            let most = min(left, NodeLimits.paymentPages)
            var pages = most
            let (history, isWhole) = try await history(
                of: script, at: address, tip: tip, pages: &pages, upTo: NodeLimits.paymentTransactions)
            left -= most - pages
            if !isWhole { listing.crowded.append(script) }
            listing.add(history.payments)
        }
        return listing.list
    }
}

/// The outputs that the transactions of one address pay to it and spend from it.
private struct AddressHistory {
    private let script: ScriptPubKey
    private var seen: Set<TransactionID> = []
    private var paid: [CoinClaim] = []
    private var spent: Set<OutPoint> = []

    init(of script: ScriptPubKey) { self.script = script }

    /// The number of transactions that were added.
    var count: Int { seen.count }

    /// The transactions that pay to the address, each once.
    private(set) var payments: [PaymentListing.Payment] = []

    var unspent: [CoinClaim] { paid.filter { !spent.contains($0.outPoint) } }

    /// Adds a transaction of the address's history.
    ///
    /// - Parameter place: the transaction's block; nil while it waits.
    /// - Throws: ``NodeError/inconsistent(_:)`` for a repeated transaction, because the pages would never end.
    mutating func add(
        _ entry: JSON, _ place: (height: UInt32, count: UInt32)?
    ) throws(NodeError) -> TransactionID {
        let id = try entry["txid"].required(.coins).transactionID()
        guard seen.insert(id).inserted else { throw .inconsistent(.coins) }
        guard let inputs = entry["vin"]?.array, let outputs = entry["vout"]?.array else { throw .unexpected(.coins) }
        let own = Hex.encode(script.bytes)
        for input in inputs where input["prevout"]?["scriptpubkey"]?.string == own {
            spent.insert(
                OutPoint(
                    transaction: try input["txid"].required(.coins).transactionID(),
                    index: try input["vout"].required(.coins).uint32(.coins)))
        }
        for (index, output) in outputs.enumerated() where output["scriptpubkey"]?.string == own {
            if payments.last?.id != id { payments.append((id, place?.height)) }
            paid.append(
                CoinClaim(
                    outPoint: OutPoint(transaction: id, index: UInt32(index)),
                    output: TransactionOutput(
                        amount: try output["value"].required(.amount).satoshis(), scriptPubKey: script),
                    height: place?.height, confirmations: place?.count ?? 0))
        }
        return id
    }
}

extension JSON {
    /// Reads an amount in satoshi.
    fileprivate func satoshis() throws(NodeError) -> Amount {
        guard let value = number?.integer(as: UInt64.self), let amount = try? Amount(satoshis: value) else {
            throw .unexpected(.amount)
        }
        return amount
    }
}

extension NodeError {
    /// Whether an explorer lists no coins because they are too many: electrs answers with 400 above 500 coins, and
    /// others with more than is read.
    fileprivate var saysTooMany: Bool {
        switch self {
        case .status(400), .status(413), .status(422), .tooLarge: true
        default: false
        }
    }
}
