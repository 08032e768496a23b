public import Time

/// The limits of this module, each with its reason.
public enum CredentialLimits {
    /// Characters of a key's label: it is a part of an item's name and of no file's name.
    public static let labelCharacters = 64
    /// Characters of an API key of Binance: what Binance issues.
    public static let binanceKeyCharacters = 64
    /// Characters of an HMAC secret of Binance: what Binance issues.
    public static let binanceSecretCharacters = 64
    /// Characters of an API key of Kraken: Base64 of 42 bytes.
    public static let krakenKeyCharacters = 56
    /// Characters of a secret of Kraken: Base64 of 64 bytes.
    public static let krakenSecretCharacters = 88
    /// Bytes of a key file with an Ed25519 key. The usual one has 119 bytes; the rest is for line ends.
    public static let keyFileBytes = 256
    /// Bytes of a passphrase of a key.
    public static let passphraseBytes = 256
    /// Rights of a key in a record: the exchanges have about 15.
    public static let rights = 64
    /// Characters of the name of a right: `enablePortfolioMarginTrading` has 28.
    static let rightNameCharacters = 64
    /// The time for which the last use of a key is not written again: each write flushes a disk.
    public static let usePrecision = Timestamp.Span.hours(1)
}
