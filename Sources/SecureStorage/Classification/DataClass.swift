/// How much harm the loss or disclosure of some data does, which determines where the data may be kept.
///
/// The types ``CriticalData``, ``SensitiveData``, ``InternalData`` and ``PublicData`` stand for the classes, so that
/// the compiler refuses a storage that is too weak.
public enum DataClass: UInt8, CaseIterable, Sendable {
    /// The data can move funds: seeds, key shares, keys of exchanges. Only in a ``SecretStore``, and bound to the
    /// device.
    case critical = 1
    /// The data can act in a user's name for a while, or tell what the user owns: tokens, balances, past trades. In a
    /// ``SecretStore``, or sealed in a ``SealedFile``.
    case sensitive = 2
    /// The data describe a user, and move nothing: settings, labels. In a file that only its owner can read.
    case `internal` = 3
    /// The data are public: prices. In any file.
    case `public` = 4

    /// Returns whether data of this class may be kept under that accessibility.
    public func allows(_ accessibility: Accessibility) -> Bool {
        self != .critical || accessibility.isBoundToDevice
    }
}
