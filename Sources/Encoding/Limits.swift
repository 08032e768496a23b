/// The limits of this module, each with its reason. Hex and Base64 have none: their work and their result never exceed
/// the text that is already in memory.
public enum EncodingLimits {
    /// Characters of a Bech32 or Bech32m string (BIP-173). Up to this length the checksum finds any four mistyped
    /// characters.
    public static let bech32Characters = 90

    /// Bytes in a Base58Check string, without the checksum. The longest payload in use here is an extended key (BIP-32)
    /// with 78 bytes. The work grows with the square, so long texts would be a cheap attack.
    public static let base58CheckBytes = 128

    /// Default limit for the bytes of one CBOR item. The longest in use here is an attestation with a chain of
    /// certificates.
    public static let cborBytes = 1 << 16

    /// Items in one CBOR item, counting each key, value and element. An empty item is one byte of input and takes about
    /// forty bytes of memory; attestations have fewer than a hundred items.
    public static let cborItems = 4_096

    /// Nested arrays and maps in CBOR. Attestations nest four; the decoder recurses, and a stack is finite.
    public static let cborDepth = 16

    /// Default limit for the bytes of one RLP item. Nodes relay no transaction above 128 KiB.
    public static let rlpBytes = 1 << 20

    /// Items in one RLP item. An item of one byte takes about fifty bytes of memory. An access list that fills a
    /// transaction of 128 KiB has 4,000 items.
    public static let rlpItems = 65_536

    /// Nested RLP lists. Transactions nest four; the decoder recurses, and a stack is finite.
    public static let rlpDepth = 16

    /// Default limit for the bytes of one JSON value, which takes about twenty times as much memory.
    public static let jsonBytes = 1 << 20

    /// Nested JSON arrays and objects. EIP-712 typed data in use nest less than ten; the reader recurses.
    public static let jsonDepth = 32
}
