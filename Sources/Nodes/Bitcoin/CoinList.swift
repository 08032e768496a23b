public import Bitcoin
internal import Wallet

/// The coins at some scripts, as a node shows them: the most valuable ones, and how many there are beside them.
///
/// Anybody can pay a known address thousands of times, for little. Each coin costs a few questions and the transaction that made
/// it, so only ``NodeLimits/coins`` of them are looked at. What an attacker adds is worth least, and is left out first.
public struct CoinList: Sendable {
    /// In an order that does not depend on the node, each with the transaction that made it.
    public let coins: [ChainCoin]
    /// How many further coins the node lists. Each is worth at most as much as the least of those that were looked at.
    public let leftOutCount: Int
    /// What those are worth together, as the node says.
    public let leftOutAmount: Amount
    /// Scripts with more coins than can be listed: what is there is not known, or only a part of it.
    public let crowded: [ScriptPubKey]

    /// No coins, and none left out.
    public static let empty = CoinList([], leavingOut: [], crowded: [])

    /// Creates a list of coins.
    ///
    /// - Parameters:
    ///   - coins: in any order.
    ///   - amounts: of the coins that are left out.
    ///   - crowded: in any order.
    public init(_ coins: [ChainCoin], leavingOut amounts: [Amount], crowded: [ScriptPubKey]) {
        self.coins = coins.inOrder()
        leftOutCount = amounts.count
        leftOutAmount = (try? Amount.sum(amounts)) ?? .maximum
        self.crowded = crowded.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Whether every coin is in ``coins``.
    public var isComplete: Bool { leftOutCount == 0 && crowded.isEmpty }
}

/// What a node lists as a coin, before its transaction is looked at.
struct CoinClaim {
    let outPoint: OutPoint
    let output: TransactionOutput
    /// Of its block; nil while it waits.
    let height: UInt32?
    /// Blocks from its own to the newest.
    let confirmations: UInt32
}

/// What a node lists at scripts.
struct CoinListing {
    private var claims: [CoinClaim] = []
    private var seen: Set<OutPoint> = []
    /// Scripts of which the node lists no coins, or not all, because they are too many.
    var crowded: [ScriptPubKey] = []

    /// Scripts with coins.
    var scripts: Set<ScriptPubKey> { Set(claims.map(\.output.scriptPubKey) + crowded) }

    /// - Throws: ``NodeError/inconsistent(_:)`` for a coin that was listed before.
    mutating func add(_ claim: CoinClaim) throws(NodeError) {
        guard seen.insert(claim.outPoint).inserted else { throw .inconsistent(.coins) }
        claims.append(claim)
    }

    /// What became of the coins of a listing.
    struct Picks {
        var coins: [ChainCoin] = []
        /// Listed, and spent by a transaction that waits.
        var spent: [CoinClaim] = []
        var leftOut: [CoinClaim] = []
    }

    /// Looks at the coins, the most valuable ones first, until there are ``NodeLimits/coins``, or their transactions take
    /// ``NodeLimits/heldTransactionBytes``.
    ///
    /// - Parameters:
    ///   - isUnspent: what the node says when it is asked for the one coin.
    ///   - fetch: asks for the transaction that made a coin; each is asked for once.
    func picks(
        if isUnspent: (CoinClaim) async throws(NodeError) -> Bool,
        _ fetch: (CoinClaim) async throws(NodeError) -> Transaction
    ) async throws(NodeError) -> Picks {
        var picks = Picks()
        var transactions: [TransactionID: Transaction] = [:]
        var size = 0
        for claim in claims.sorted(by: Self.isWorthMore) {
            // Those that are spent cost questions too.
            guard picks.coins.count < NodeLimits.coins, picks.spent.count < NodeLimits.coins,
                size < NodeLimits.heldTransactionBytes
            else {
                picks.leftOut.append(claim)
                continue
            }
            guard try await isUnspent(claim) else {
                picks.spent.append(claim)
                continue
            }
            let id = claim.outPoint.transaction
            let transaction: Transaction
            if let known = transactions[id] {
                transaction = known
            } else {
                do throws(NodeError) { transaction = try await fetch(claim) } catch {
                    // A block may hold what this wallet does not read: one such transaction must not hide all other coins.
                    guard error == .unexpected(.longWitness) else { throw error }
                    picks.leftOut.append(claim)
                    continue
                }
                transactions[id] = transaction
                size += transaction.encoded.count
            }
            let coin = try ChainCoin(claim.outPoint, of: transaction, confirmations: claim.confirmations)
            guard coin.output.scriptPubKey == claim.output.scriptPubKey else { throw .inconsistent(.coins) }
            guard coin.output.amount == claim.output.amount else { throw .inconsistent(.amount) }
            picks.coins.append(coin)
        }
        return picks
    }

    /// Orders the coins so that any node's list leads to the same ones.
    private static func isWorthMore(_ left: CoinClaim, _ right: CoinClaim) -> Bool {
        let (one, other) = (left.output.amount, right.output.amount)
        return one == other
            ? (left.outPoint.transaction.description, left.outPoint.index)
                < (right.outPoint.transaction.description, right.outPoint.index)
            : one > other
    }
}

extension CoinList {
    /// The most valuable of the coins that were looked at and of those that wait for a block.
    ///
    /// - Parameter unseen: what waits and was not looked at.
    init(_ picks: CoinListing.Picks, waiting: [ChainCoin], unseen: [Amount], crowded: [ScriptPubKey]) {
        let all = (picks.coins + waiting).sorted { $0.output.amount > $1.output.amount }
        let rest = all.dropFirst(NodeLimits.coins).map(\.output.amount)
        self.init(
            Array(all.prefix(NodeLimits.coins)), leavingOut: picks.leftOut.map(\.output.amount) + rest + unseen,
            crowded: crowded)
    }
}
