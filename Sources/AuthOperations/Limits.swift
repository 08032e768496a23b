internal import Time

/// The limits of the operator's commands.
enum Limits {
    /// Free bytes of a file system without which a start fails: the store's log of writes, and its first pages.
    static let freeBytes: Int64 = 1 << 20
    /// Days before the certificate expires at which `fuekid check` reports it: the recommended alert is at seven days,
    /// too.
    static let certificateDays = 7
    /// The age at which `fuekid check` asks for a newer list of revoked Android certificates. Google recommends
    /// frequent updates; a list that is fetched daily, and missed once, is younger.
    static let revocationListAge = Timestamp.Span.days(7)
    /// Invitations that are made at once. A program that needs more can ask again.
    static let invitationsAtOnce = 1_000
    /// Hours for which an invitation can be valid: up to a year.
    static let invitationHours = 1...8_760
    /// Changes that a reassessment lists individually; it counts all.
    static let listedChanges = 1_000
    /// Passkeys that a reassessment changes in one transaction, with their sessions. Other transactions run in between.
    static let judgedTogether = 50
}
