/// The sizes that this target accepts, each with its reason.
enum Limits {
    /// A proposal carries a whole PSBT; 4 MiB is more than a block's weight of one, and little enough to hold several.
    static let messageSize = 4 << 20
    /// Indices of shares are 1 to 15 (`ThresholdParameters`).
    static let parties = 15
    /// Inputs of one transaction that are ours. A standard transaction (100,000 vB) fits about 1,700 key-path inputs.
    static let ownInputs = 2_000
    /// A public description of a wallet: a few hundred bytes for each share.
    static let walletRecordSize = 64 << 10
}
