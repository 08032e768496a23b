/// The earliest height or time at which a transaction may be mined (BIP-65, transaction field `nLockTime`).
public enum LockTime: Hashable, Sendable {
    /// The transaction may be mined in the block after this height.
    case height(UInt32)
    /// The transaction may be mined after this time, in seconds since 1970.
    case time(UInt32)

    /// Creates a lock time; nil for 0, which means none.
    init?(_ value: UInt32) {
        switch value {
        case 0: return nil
        case ..<500_000_000: self = .height(value)
        default: self = .time(value)
        }
    }
}
