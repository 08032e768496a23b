/// Threshold ECDSA over secp256k1: t of n participants sign, and nobody ever holds the key (DKLs23: Doerner, Kondi, Lee,
/// shelat, IACR ePrint 2023/765). What is computed is written down in `docs/protocols/threshold-ecdsa.md`.
public enum ECDSA {}

/// The protocol's numbers. They are constants of the code, and nothing that is received changes them.
extension ECDSA {
    /// Base transfers of a pair and direction: bits of a sender's correlation.
    static let rows = 256
    /// Bits of one punctured tree (k of SoftSpokenOT).
    static let treeDepth = 4
    static let trees = rows / treeDepth
    static let leaves = 1 << treeDepth
    /// Transfers of one multiplication (ξ): 256 bits of a factor, and 2·128 for what a cheater may learn of them.
    static let transfers = 512
    /// Columns that hide the others in the check of an extension; its statistical security in bits.
    static let maskColumns = 128
    /// Bytes of one row of an extension.
    static let rowSize = (transfers + maskColumns) / 8
    /// Bytes of one column.
    static let columnSize = rows / 8
    /// Bytes of a seed, a hash and a pad.
    static let seedSize = 32
}
