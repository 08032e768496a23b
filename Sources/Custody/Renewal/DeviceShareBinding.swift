/// Whether the share of this machine needs the machine's chip after a renewal.
public enum DeviceShareBinding: Equatable, Sendable {
    /// As before the renewal.
    case asBefore
    /// It needs the chip besides the passphrase.
    case chip
    /// The passphrase alone opens it.
    case passphraseOnly
}
