internal import ExchangeCredentials
internal import Time

/// The rights and restrictions of a key, as its exchange tells them.
struct KeyRights: Equatable, Sendable {
    let rights: [KeyRight]
    /// The number of rights whose names cannot be stored.
    let unreadable: Int
    let isRestrictedToAddresses: Bool
    let created: Timestamp?
    let expires: Timestamp?
    let lastUsed: Timestamp?
    /// The time in which Kraken accepts nonces out of order; 0 for none.
    let nonceWindow: UInt64
}
