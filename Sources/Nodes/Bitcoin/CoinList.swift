public import Bitcoin

/// The coins of some scripts, as a node shows them: the most valuable ones, and the number of others.
///
/// Anyone can pay a known address thousands of times at little cost. Each coin costs a few requests and the transaction
/// that created it, so at most ``NodeLimits/coins`` of them are examined. An attacker's coins are worth least, and are
/// left out first.
public struct CoinList: Sendable {
    /// The coins, in an order that does not depend on the node, each with the transaction that created it.
    public let coins: [ChainCoin]
    /// The number of further coins in the node's list. Each is worth at most as much as the least of those that were
    /// examined.
    public let leftOutCount: Int
    /// The sum of those coins, as the node says.
    public let leftOutAmount: Amount
    /// Scripts with more coins than can be listed: their coins are unknown, in part or completely.
    public let crowded: [ScriptPubKey]

    /// A list without coins, complete.
    public static let empty = CoinList([], leavingOut: [], crowded: [])

    /// Creates a list of coins.
    ///
    /// - Parameters:
    ///   - coins: the coins, in any order.
    ///   - amounts: the amounts of the coins that are left out.
    ///   - crowded: the crowded scripts, in any order.
    public init(_ coins: [ChainCoin], leavingOut amounts: [Amount], crowded: [ScriptPubKey]) {
        self.coins = coins.inOrder()
        leftOutCount = amounts.count
        leftOutAmount = (try? Amount.sum(amounts)) ?? .maximum
        self.crowded = crowded.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Whether every coin is in ``coins``.
    public var isComplete: Bool { leftOutCount == 0 && crowded.isEmpty }
}

/// A coin in a node's list, before its transaction is examined.
struct CoinClaim {
    let outPoint: OutPoint
    let output: TransactionOutput
    /// The height of its block; nil while it waits.
    let height: UInt32?
    /// The number of blocks from its own to the newest.
    let confirmations: UInt32
}

/// A node's list of coins.
struct CoinListing {
    private var claims: [CoinClaim] = []
    private var seen: Set<OutPoint> = []
    /// Scripts whose coins the node lists incompletely or not at all, because they are too many.
    var crowded: [ScriptPubKey] = []

    /// Scripts with coins.
    var scripts: Set<ScriptPubKey> { Set(claims.map(\.output.scriptPubKey) + crowded) }

    /// Adds a coin to the list.
    ///
    /// - Throws: ``NodeError/inconsistent(_:)`` for a coin that is in the list already.
    mutating func add(_ claim: CoinClaim) throws(NodeError) {
        guard seen.insert(claim.outPoint).inserted else { throw .inconsistent(.coins) }
        claims.append(claim)
    }

    /// The result of examining a list's coins.
    struct Picks {
        var coins: [ChainCoin] = []
        /// The listed coins that a waiting transaction spends.
        var spent: [CoinClaim] = []
        var leftOut: [CoinClaim] = []
    }

    /// Examines the coins, the most valuable ones first, until there are ``NodeLimits/coins``, or their transactions
    /// take ``NodeLimits/heldTransactionBytes``.
    ///
    /// - Parameters:
    ///   - isUnspent: asks the node about a single coin.
    ///   - fetch: requests the transaction that created a coin; each is requested once.
    func picks(
        if isUnspent: (CoinClaim) async throws(NodeError) -> Bool,
        _ fetch: (CoinClaim) async throws(NodeError) -> Transaction
    ) async throws(NodeError) -> Picks {
        var picks = Picks()
        var transactions: [TransactionID: Transaction] = [:]
        var size = 0
        for claim in claims.sorted(by: Self.isWorthMore) {
            // Spent coins also cost requests.
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
                    // A block may contain a transaction that this wallet cannot read: it must not hide all other coins.
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

    /// Orders the coins, so that the result does not depend on the node's order.
    private static func isWorthMore(_ left: CoinClaim, _ right: CoinClaim) -> Bool {
        let (one, other) = (left.output.amount, right.output.amount)
        return one == other ? left.outPoint.isShownBefore(right.outPoint) : one > other
    }
}

extension CoinList {
    /// Returns the most valuable of the examined coins and of those that wait for a block.
    ///
    /// - Parameter unseen: the amounts of waiting outputs that were not examined.
    init(_ picks: CoinListing.Picks, waiting: [ChainCoin], unseen: [Amount], crowded: [ScriptPubKey]) {
        let all = (picks.coins + waiting).sorted { $0.output.amount > $1.output.amount }
        let rest = all.dropFirst(NodeLimits.coins).map(\.output.amount)
        self.init(
            Array(all.prefix(NodeLimits.coins)), leavingOut: picks.leftOut.map(\.output.amount) + rest + unseen,
            crowded: crowded)
    }
}
