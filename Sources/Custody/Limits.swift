internal import Wallet

/// The sizes that this target accepts, each with its reason.
enum Limits {
    /// A proposal carries a whole PSBT, and a few bytes more. Little enough to hold several.
    static let messageSize = WalletLimits.psbtBytes + 4_096
    /// Indices of shares are 1 to 15 (`ThresholdParameters`).
    static let parties = 15
    /// A session of ECDSA that fails and names nobody should tell a cheater nothing of the key. Should it tell a bit after
    /// all, so few bits say nothing: the key has 256. Nobody sees so many fail without asking why.
    static let unfinishedSignatures = 16
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
}
