internal import Wallet

/// The sizes that this target accepts, each with its reason.
enum Limits {
    /// Indices of shares are 1 to 15 (`ThresholdParameters`).
    static let parties = 15
    /// If a check of an oblivious transfer fails and the signer is killed before it stores the ban, a cheater can learn
    /// one or more bits of the pair's correlation, which has 256. After sixteen such failures most bits are still
    /// unknown, and a user who sees that many sessions break off will look for the reason.
    static let unfinishedSignatures = 16
    /// A signature that fails although every check passed should reveal nothing about the key. Even if each revealed a
    /// bit, so few bits are worthless: the key has 256.
    static let failedSignatures = 16
    /// The number of unfinished sessions, or of failed signatures, at which the user is warned: early enough to bring
    /// all shares together.
    static let alarmingSignatures = 8
    /// A public description of a wallet: a few hundred bytes for each share.
    static let walletRecordSize = 64 << 10
    /// The maximum size of the settings: a line for each chain.
    static let settingsFile = 64 << 10
    /// Two names of 64 characters, each on a line.
    static let labelSize = 130
    /// Two descriptions, as text within text.
    static let renewalJournalSize = 4 * walletRecordSize
    /// A keystore of Ethereum: about 500 bytes; some software adds fields of its own.
    static let keystoreSize = 64 << 10
    /// The keystore's own fields are in three objects, one in the other.
    static let keystoreDepth = 8
    /// Bytes of a keystore's salt: 32 in all known software.
    static let keystoreSaltSize = 1_024
    /// Rounds of a keystore's PBKDF2: 262,144 in all known software. The limit is a few seconds of work.
    static let keystoreRounds: ClosedRange<UInt64> = 1...10_000_000

    // The book is one vault of at most 16 MiB and 4,096 items of 1 MiB each, written as a whole each time. Each part
    // has a share of that space of its own, so that no part can use up the space of the history.

    /// A policy's file is one item: as large as a policy may be.
    static let policySize = WalletLimits.policyBytes
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
    /// Addresses of a higher index can be shown but are not remembered: a search for coins searches all addresses below
    /// the highest one.
    static let rememberedIndex: UInt32 = 20_000
    /// Ranges of indices that are remembered for each kind of address.
    static let shownRanges = 200
    /// The file of shown addresses: about twenty bytes for each range.
    static let shownAddressesSize = 64 << 10
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

    /// Bytes of a passphrase below which its owner is warned: a phrase of five random words is longer.
    static let shortPassphrase = 16

    /// Entries of one epoch of a wallet's log. Each opening of the log begins another epoch.
    static let logEpochEntries: UInt64 = 4_096
    /// Seconds of one epoch of a wallet's log: a program that signs all day begins a new one each day.
    static let logEpochSeconds: UInt64 = 86_400
}
