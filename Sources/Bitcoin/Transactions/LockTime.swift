/// When a transaction may be mined at the earliest (BIP-65, transaction field `nLockTime`).
public enum LockTime: Hashable, Sendable {
    /// Not before the block after this height.
    case height(UInt32)
    /// Not before this time, in seconds since 1970.
    case time(UInt32)

    /// Nothing for 0, which means at once.
    init?(_ value: UInt32) {
        switch value {
        case 0: return nil
        case ..<500_000_000: self = .height(value)
        default: self = .time(value)
        }
    }
}
