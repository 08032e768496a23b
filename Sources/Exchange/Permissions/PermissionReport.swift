public import ExchangeCredentials
public import Time

/// The result of a permission probe: the rights of a key, and their dangers.
public struct PermissionReport: Equatable, Sendable {
    /// The exchange.
    public let venue: Venue
    /// The rights.
    public let rights: [KeyRight]
    /// Whether the key works from listed addresses only.
    public let isRestrictedToAddresses: Bool
    /// The time at which the key was created at the exchange; nil if the exchange does not tell it.
    public let created: Timestamp?
    /// The end of the key; nil if it has none.
    public let expires: Timestamp?
    /// The last use that the exchange knows; nil if it does not tell it.
    public let lastUsed: Timestamp?
    /// The findings, the most severe first.
    public let findings: [PermissionFinding]

    /// The highest severity of a finding; nil without findings.
    public var worst: PermissionFinding.Severity? { findings.map(\.severity).max() }

    /// Derives the findings.
    init(_ key: KeyRights, at venue: Venue, now: Timestamp) {
        self.venue = venue
        rights = key.rights
        isRestrictedToAddresses = key.isRestrictedToAddresses
        created = key.created
        expires = key.expires
        lastUsed = key.lastUsed

        var findings: [PermissionFinding] = []
        let canAct = key.rights.contains(where: \.acts)
        if key.rights.contains(.withdraw) { findings.append(.canWithdraw) }
        if !key.isRestrictedToAddresses { findings.append(canAct ? .noAddressListForActing : .noAddressListForReading) }
        if let end = key.expires {
            if end <= now {
                findings.append(.expired(end))
            } else if end.since(now) < ExchangeLimits.expiryNotice {
                findings.append(.expiresSoon(end))
            }
        }
        for right in key.rights {
            switch right {
            case .transfer, .internalTransfer: findings.append(.canTransfer(right))
            case .margin, .futures, .options, .portfolioMargin: findings.append(.canBorrow(right))
            case .unknown: findings.append(.unknownRight(right))
            case .read, .trade, .withdraw, .deposit, .earn, .export, .fixTrading, .fixReading: break
            }
        }
        if key.unreadable > 0 { findings.append(.unreadableRights(count: key.unreadable)) }
        if key.nonceWindow > 0 { findings.append(.nonceWindow) }
        if !key.rights.contains(.trade) { findings.append(.cannotTrade) }
        self.findings = findings.sorted { $0.severity > $1.severity }
    }
}

/// A finding about a key's rights.
public enum PermissionFinding: Hashable, Sendable {
    /// The key can withdraw: a thief of the key takes the funds.
    case canWithdraw
    /// The key can act, and works from every address on the internet.
    case noAddressListForActing
    /// The key can only read, and works from every address on the internet.
    case noAddressListForReading
    /// The key has expired.
    case expired(Timestamp)
    /// The key expires within 14 days.
    case expiresSoon(Timestamp)
    /// The key can move funds between accounts of the user.
    case canTransfer(KeyRight)
    /// The key can trade with borrowed money or derivatives, so that losses can exceed the stake.
    case canBorrow(KeyRight)
    /// The key has a right that this version does not know.
    case unknownRight(KeyRight)
    /// The key has rights whose names cannot be shown.
    case unreadableRights(count: Int)
    /// Kraken accepts nonces out of order within a time. A delayed request can then act after a later one.
    case nonceWindow
    /// The key cannot place orders.
    case cannotTrade

    /// The severities.
    public enum Severity: Int, Comparable, Sendable {
        /// A fact to know.
        case notice = 1
        /// Something to change.
        case warning = 2
        /// A way to lose funds: to change before the key is used.
        case danger = 3

        /// Returns whether one severity is below another.
        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// The changes that a finding asks for.
    public enum Advice: Hashable, Sendable {
        /// Remove the right from the key, at the exchange.
        case removeRight(KeyRight)
        /// Restrict the key to the addresses of this machine, at the exchange.
        case restrictAddresses
        /// Create a new key and rotate to it.
        case rotate
        /// Look up the right in the exchange's documentation.
        case lookUp
        /// Set the nonce window of the key to zero, at the exchange.
        case removeNonceWindow
        /// No change is needed.
        case none
    }

    /// The severity of the finding.
    public var severity: Severity {
        switch self {
        case .canWithdraw, .noAddressListForActing: .danger
        case .expired, .expiresSoon, .canTransfer, .canBorrow, .unknownRight, .unreadableRights, .nonceWindow,
            .noAddressListForReading:
            .warning
        case .cannotTrade: .notice
        }
    }

    /// The change that the finding asks for.
    public var advice: Advice {
        switch self {
        case .canWithdraw: .removeRight(.withdraw)
        case .noAddressListForActing, .noAddressListForReading: .restrictAddresses
        case .expired, .expiresSoon: .rotate
        case .canTransfer(let right), .canBorrow(let right): .removeRight(right)
        case .unknownRight, .unreadableRights: .lookUp
        case .nonceWindow: .removeNonceWindow
        case .cannotTrade: .none
        }
    }
}
