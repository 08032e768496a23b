/// The rights and restrictions of a key, as its exchange tells them.
struct KeyRights: Equatable, Sendable {
    let rights: [KeyRight]
    /// The number of rights whose names cannot be stored.
    let unreadable: Int
    let isRestrictedToAddresses: Bool
    let created: Moment?
    let expires: Moment?
    let lastUsed: Moment?
    /// The time in which Kraken accepts nonces out of order; 0 for none.
    let nonceWindow: UInt64
}
