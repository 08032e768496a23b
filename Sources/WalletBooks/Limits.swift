/// The sizes that this target accepts, each with its reason.
enum Limits {
    // The book is one vault of at most 16 MiB and 4,096 items of 1 MiB each, written as a whole each time. Each part
    // has a share of that space of its own, so that no part can use up the space of the history.

    static let contacts = 1_000
    /// Characters of a contact's name.
    static let contactNameSize = 64
    /// All contacts are one item. One takes about 150 bytes.
    static let contactsSize = 512 << 10
    /// Entries of the history, each an item: a hundred a day for the period that is always kept.
    static let historyEntries = 3_500
    static let historySize = 6 << 20
    /// Entries stay at least this long, whatever the policy's windows are, since a policy with longer windows may
    /// follow.
    static let historySeconds: UInt64 = 31 * 86_400
    /// Frozen coins are one item: of 75 bytes each.
    static let frozenCoins = 2_000
    static let frozenCoinsSize = 256 << 10
    /// Entries that came from other machines: some 350 bytes each, in one item.
    static let archivedEntries = 3_500
    static let archiveSize = 512 << 10
    /// Effects of one archived entry. A payment has one for each payee.
    static let archivedEffects = 256
    /// The maximum size of an exported document: contacts, frozen coins and history.
    static let bookExportSize = 2 << 20
    static let proposals = 32
    static let proposalSize = 1_000 << 10
    static let proposalsSize = 3 << 20
    static let nonceLedgers = 64
    static let nonceLedgerSize = 1_000 << 10
    static let nonceLedgersSize = 4 << 20
    /// A proposal's file: the largest payload in Base64, and some 300 bytes.
    static let proposalFileSize = 6 << 20
    /// Entries of one epoch of a wallet's log. Each opening of the log begins another epoch.
    static let logEpochEntries: UInt64 = 4_096
    /// Seconds of one epoch of a wallet's log: a program that signs all day begins a new one each day.
    static let logEpochSeconds: UInt64 = 86_400
    /// The pause before another attempt to open a book that another program has.
    static let bookPause = Duration.milliseconds(250)
}
