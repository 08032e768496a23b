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
    /// The shares that a change of the passphrase did not reach: about a hundred bytes for each, at most thirty of two
    /// epochs.
    static let passphraseBacklogSize = 16 << 10
    /// A keystore of Ethereum: about 500 bytes; some software adds fields of its own.
    static let keystoreSize = 64 << 10
    /// The keystore's own fields are in three objects, one in the other.
    static let keystoreDepth = 8
    /// Bytes of a keystore's salt: 32 in all known software.
    static let keystoreSaltSize = 1_024
    /// Rounds of a keystore's PBKDF2: 262,144 in all known software. The limit is a few seconds of work.
    static let keystoreRounds: ClosedRange<UInt64> = 1...10_000_000

    /// Addresses of a higher index can be shown but are not remembered: a search for coins searches all addresses below
    /// the highest one.
    static let rememberedIndex: UInt32 = 20_000
    /// Ranges of indices that are remembered for each kind of address.
    static let shownRanges = 200
    /// The file of shown addresses: about twenty bytes for each range.
    static let shownAddressesSize = 64 << 10
}
