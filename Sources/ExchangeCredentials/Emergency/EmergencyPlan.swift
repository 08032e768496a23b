public import Time

/// The steps after a key may have been stolen, in their order.
///
/// The exchange comes first: a thief has a copy, and wiping this machine's does not stop it. The key is
/// wiped here after the account was looked through: its record says when it was made and what it could do.
/// `docs/guides/exchange.md` explains each step.
public struct EmergencyPlan: Equatable, Sendable {
    /// A step.
    public enum Step: Hashable, Sendable {
        /// Delete the key on the exchange's page.
        case deleteKeyAtExchange(page: String)
        /// If the login fails, or unknown withdrawals are under way: lock the account.
        case lockAccount(page: String)
        /// Cancel the open orders that you did not place.
        case cancelOpenOrders
        /// Compare the orders and trades since the key's creation with the journal; nil if its time is unknown.
        case reviewOrders(since: Timestamp?)
        /// Look for withdrawals, and for new withdrawal addresses; nil if the time of the key's creation is unknown.
        case reviewWithdrawals(since: Timestamp?)
        /// Look for other keys, sub-accounts, sessions and devices that are not yours.
        case reviewAccess
        /// Wipe the key on this machine, with a tombstone. ``Keyring/revoke(_:at:now:)`` does it.
        case revokeLocally(KeyLabel)
        /// Change the account's password and second factor, if the thief may have had the account and not only the key.
        case renewLogin
        /// Report unknown withdrawals to the exchange, with times and amounts.
        case contactSupport(page: String)
        /// Find out how the key was lost: copies, logs, repositories, other machines. Keep the evidence.
        case findLeak
        /// Create a new key without the right to withdraw, restricted to addresses, and store it.
        case createRestrictedKey
    }

    /// The exchange.
    public let venue: Venue
    /// The steps, in their order.
    public let steps: [Step]

    /// Makes the plan for a stored key.
    ///
    /// - Parameters:
    ///   - created: the time at which it was stored; nil if it is unknown.
    ///   - rights: the rights that the last probe found; nil if they are unknown, which counts as every right.
    public init(for label: KeyLabel, at venue: Venue, created: Timestamp?, rights: [KeyRight]?) {
        self.venue = venue
        let pages = Pages(venue)
        let canMove = rights.map { $0.contains { Self.moves($0) } } ?? true
        let canAct = rights.map { $0.contains(where: \.acts) } ?? true
        var steps: [Step] = [.deleteKeyAtExchange(page: pages.keys)]
        if canMove { steps.append(.lockAccount(page: pages.lock)) }
        if canAct { steps.append(.cancelOpenOrders) }
        if canMove { steps.append(.reviewWithdrawals(since: created)) }
        if canAct { steps.append(.reviewOrders(since: created)) }
        steps += [.reviewAccess, .revokeLocally(label), .renewLogin]
        if canMove { steps.append(.contactSupport(page: pages.support)) }
        self.steps = steps + [.findLeak, .createRestrictedKey]
    }

    private static func moves(_ right: KeyRight) -> Bool {
        switch right {
        case .withdraw, .transfer, .internalTransfer, .unknown: true
        default: false
        }
    }

    private struct Pages {
        let keys: String
        let lock: String
        let support: String

        init(_ venue: Venue) {
            switch venue {
            case .binance:
                keys = "https://www.binance.com/en/my/settings/api-management"
                lock = "https://www.binance.com/en/my/security"
                support = "https://www.binance.com/en/chat"
            case .kraken:
                keys = "https://pro.kraken.com/app/settings/api"
                lock = "https://www.kraken.com/lock"
                support = "https://support.kraken.com"
            }
        }
    }
}
