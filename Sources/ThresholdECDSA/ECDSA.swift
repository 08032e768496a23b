/// Threshold ECDSA over secp256k1: t of n participants sign, and the whole key never exists (DKLs23: Doerner, Kondi,
/// Lee, shelat, IACR ePrint 2023/765). `docs/protocols/threshold-ecdsa.md` specifies the computations.
public enum ECDSA {}

/// The protocol's parameters. They are constants of the code; no received message changes them.
extension ECDSA {
    /// The number of base transfers of a pair.
    static let baseTransfers = 128
    /// The number of bits of one punctured tree (k of SoftSpokenOT).
    static let treeDepth = 4
    static let leaves = 1 << treeDepth
    /// Columns that hide the others in the check of an extension; its statistical security in bits.
    static let maskColumns = 128
    /// The size of a seed, a hash and a pad in bytes.
    static let seedSize = 32
}
