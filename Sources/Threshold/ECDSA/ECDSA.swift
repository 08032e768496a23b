/// Threshold ECDSA over secp256k1: t of n participants sign, and nobody ever holds the key (DKLs23: Doerner, Kondi, Lee,
/// shelat, IACR ePrint 2023/765). What is computed is written down in `docs/protocols/threshold-ecdsa.md`.
public enum ECDSA {}

/// The protocol's numbers. They are constants of the code, and nothing that is received changes them.
extension ECDSA {
    /// Base transfers of a pair.
    static let baseTransfers = 128
    /// Bits of one punctured tree (k of SoftSpokenOT).
    static let treeDepth = 4
    static let leaves = 1 << treeDepth
    /// Columns that hide the others in the check of an extension; its statistical security in bits.
    static let maskColumns = 128
    /// Bytes of a seed, a hash and a pad.
    static let seedSize = 32
}
