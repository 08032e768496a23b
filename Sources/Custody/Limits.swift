internal import Wallet

/// The sizes that this target accepts, each with its reason.
enum Limits {
    /// Indices of shares are 1 to 15 (`ThresholdParameters`).
    static let parties = 15
    /// If a check of an oblivious transfer fails and the signer is killed before it stores the ban, a cheater can learn a bit or
    /// more of the pair's correlation, which has 256. Sixteen such failures leave it far from the rest, and a person who sees so
    /// many sessions break off asks why.
    static let unfinishedSignatures = 16
    /// A signature that fails though every check passed should tell a cheater nothing of the key. Should it tell a bit after
    /// all, so few bits say nothing: the key has 256.
    static let failedSignatures = 16
    /// From so many of either on the person is told, while there is time to bring all shares together.
    static let alarmingSignatures = 8
    /// A public description of a wallet: a few hundred bytes for each share.
    static let walletRecordSize = 64 << 10
    /// Two descriptions, as text within text.
    static let renewalJournalSize = 4 * walletRecordSize
    /// A keystore of Ethereum: about 500 bytes; some software adds fields of its own.
    static let keystoreSize = 64 << 10
    /// The keystore's own fields are in three objects, one in the other.
    static let keystoreDepth = 8
    /// Bytes of a keystore's salt: 32 in all software.
    static let keystoreSaltSize = 1_024
    /// Rounds of a keystore's PBKDF2: 262,144 in all software. A few seconds, no more.
    static let keystoreRounds: ClosedRange<UInt64> = 1...10_000_000

    // The book is one vault, which holds 16 MiB in 4,096 items, none above 1 MiB, and is written as a whole each time. So much
    // of it is each part's own, so that none can take the room of what limits are counted by.

    /// A policy's file is one item: as large as a policy may be.
    static let policySize = WalletLimits.policyBytes
    static let contacts = 1_000
    /// Characters of a contact's name.
    static let contactNameSize = 64
    /// All contacts are one item. One takes about 150 bytes.
    static let contactsSize = 512 << 10
    /// Each is an item: in the time that is always kept, a hundred a day.
    static let historyEntries = 3_500
    static let historySize = 6 << 20
    /// Of one entry, with the signed transaction: nodes pass on none of more than 400,000 bytes.
    static let historyEntrySize = 768 << 10
    /// What is written down later of something, or comes around it: heights, states, what the clock says then.
    static let bookItemGrowth = 512
    /// No entry goes before it is this old, whatever the windows of the policy are: a policy with longer ones may follow.
    static let historySeconds: UInt64 = 31 * 86_400
    /// A clock may be so many seconds ahead without anybody noticing it.
    static let clockDeviation: UInt64 = 3_600
    /// How often a clock may turn out to have been ahead. After that, what stands in the future counts until that time comes.
    static let clockCorrections = 16
    /// Characters of a payment's key: an invoice's number or a UUID. A hundred of them are in one entry's room.
    static let paymentKeySize = 64
    /// Frozen coins are one item: of 75 bytes each.
    static let frozenCoins = 2_000
    static let frozenCoinsSize = 256 << 10
    /// An address of a higher index can be shown, and is not remembered: each time that coins are looked for, all before it are.
    static let rememberedIndex: UInt32 = 20_000
    /// Ranges of indices that are remembered of each kind of address.
    static let shownRanges = 200
    /// The file of what was shown: about twenty bytes for each range.
    static let shownAddressesSize = 64 << 10
    static let proposals = 32
    static let proposalSize = 1_000 << 10
    static let proposalsSize = 3 << 20
    static let nonceLedgers = 64
    static let nonceLedgerSize = 1_000 << 10
    static let nonceLedgersSize = 4 << 20
    /// An approval's file has some 350 bytes.
    static let approvalSize = 4_096
    /// A proposal's file: the largest payload in Base64, and some 300 bytes.
    static let proposalFileSize = 6 << 20
    /// Characters of a message that the history keeps: what it was about.
    static let rememberedCharacters = 256
}
