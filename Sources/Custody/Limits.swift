internal import Wallet

/// The sizes that this target accepts, each with its reason.
enum Limits {
    /// A proposal carries a whole PSBT, and a few bytes more. Little enough to hold several.
    static let messageSize = WalletLimits.psbtBytes + 4_096
    /// Indices of shares are 1 to 15 (`ThresholdParameters`).
    static let parties = 15
    /// A public description of a wallet: a few hundred bytes for each share.
    static let walletRecordSize = 64 << 10
}
