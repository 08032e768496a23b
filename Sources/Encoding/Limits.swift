/// The limits of this module, each with its why. Hex and Base64 have none: their work and their result are never larger
/// than the text that is already in memory.
public enum EncodingLimits {
    /// Characters of a Bech32 or Bech32m string: BIP-173. Up to here the checksum finds any four mistyped characters.
    public static let bech32Characters = 90

    /// Bytes in a Base58Check string, without the checksum. An extended key (BIP-32) has 78, the longest in use here; the
    /// work grows with the square, so that a long text would be a cheap attack.
    public static let base58CheckBytes = 128

    /// Bytes of one CBOR item, unless the caller knows better. The longest in use here is an attestation, which holds a
    /// chain of certificates.
    public static let cborBytes = 1 << 16

    /// Items in one CBOR item, counting each key, value and element. An empty item is one byte of input and takes about
    /// forty in memory; attestations have fewer than a hundred.
    public static let cborItems = 4_096

    /// Arrays and maps inside each other. Attestations nest four; the decoder recurses, and a stack is finite.
    public static let cborDepth = 16

    /// Bytes of one RLP item, unless the caller knows better. Nodes pass on no transaction above 128 KiB.
    public static let rlpBytes = 1 << 20

    /// Items in one RLP item. An item of one byte takes about fifty in memory. An access list that fills a transaction of
    /// 128 KiB has 4,000.
    public static let rlpItems = 65_536

    /// RLP lists inside each other. Transactions nest four; the decoder recurses, and a stack is finite.
    public static let rlpDepth = 16

    /// Bytes of one JSON value, unless the caller knows better: some twenty times as much in memory.
    public static let jsonBytes = 1 << 20

    /// Arrays and objects of JSON inside each other. Typed data of EIP-712 in use nest less than ten; the reader recurses.
    public static let jsonDepth = 32
}
