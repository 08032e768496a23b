/// A file that the wallet's passphrase opens.
public enum PassphraseFile: Hashable, Sendable {
    /// The share file in this place.
    case share(ShareLocation)
    /// The wallet's book.
    case book
}
