/// The limits of an account's rows in the store.
///
/// An erasure removes all rows of an account in one transaction, which blocks every other account: a few thousand rows take a
/// few milliseconds.
package enum AuthStoreLimits {
    /// Ended sessions of an account that are kept for its owner to see.
    package static let endedSessions: Int64 = 100
    /// Revoked devices of an account that are kept, so that their keys stay refused. Beyond this number the key that
    /// was revoked first is forgotten: its holder still needs a passkey.
    package static let revokedDevices: Int64 = 200
    /// Events of one kind that an account keeps. Each kind has its own limit, so that many events of one kind do not
    /// push out those of another.
    package static let eventsOfKind: Int64 = 500
    /// Rows beyond these limits that one sign-in removes.
    package static let prunedAtOnce: Int64 = 100
}
