public import Bitcoin

/// The transactions that pay to some scripts, as a node lists them: the newest ones, and the number of others.
///
/// Anyone can pay a known address thousands of times, and a node may lie. So at most ``NodeLimits/payments`` are
/// listed, and of one script ``NodeLimits/paymentsOfScript``.
public struct PaymentList: Sendable {
    /// The transactions: those that wait for a block first, then the others, the newest first.
    public let ids: [TransactionID]
    /// The number of older transactions that the node listed, and that are left out.
    public let leftOutCount: Int
    /// Scripts whose list was not read to its end: older transactions that pay to them may be missing.
    public let crowded: [ScriptPubKey]

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - ids: the transactions, the newest first.
    ///   - crowded: the scripts whose list is incomplete, in any order.
    public init(_ ids: [TransactionID], leavingOut leftOutCount: Int, crowded: [ScriptPubKey]) {
        self.ids = ids
        self.leftOutCount = leftOutCount
        self.crowded = crowded.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

/// A list of payments that is being read, one script after the other.
struct PaymentListing {
    /// A transaction, and the height of its block; nil while it waits.
    typealias Payment = (id: TransactionID, height: UInt32?)

    private var payments: [Payment] = []
    private var seen: Set<TransactionID> = []
    private var leftOutCount = 0
    /// Scripts whose list was not read to its end.
    var crowded: [ScriptPubKey] = []

    /// Adds the transactions that pay to one script; each of them once.
    mutating func add(_ claims: [Payment]) {
        var own: Set<TransactionID> = []
        let sorted = Self.newestFirst(claims.filter { own.insert($0.id).inserted })
        leftOutCount += max(0, sorted.count - NodeLimits.paymentsOfScript)
        payments += sorted.prefix(NodeLimits.paymentsOfScript).filter { seen.insert($0.id).inserted }
        guard payments.count > NodeLimits.payments else { return }
        let all = Self.newestFirst(payments)
        leftOutCount += all.count - NodeLimits.payments
        payments = Array(all.prefix(NodeLimits.payments))
        seen = Set(payments.map(\.id))
    }

    /// The list, the newest first.
    var list: PaymentList {
        PaymentList(Self.newestFirst(payments).map(\.id), leavingOut: leftOutCount, crowded: crowded)
    }

    /// Orders transactions by their heights; those of one block stay in the node's order.
    private static func newestFirst(_ payments: [Payment]) -> [Payment] {
        payments.enumerated().sorted { left, right in
            let (one, other) = (left.element.height ?? .max, right.element.height ?? .max)
            return one == other ? left.offset < right.offset : one > other
        }.map(\.element)
    }
}
