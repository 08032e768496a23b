/// An error in a PSBT (BIP-174, BIP-370). It has positions and field numbers only, never the input itself.
public enum PSBTError: Error, Equatable, Sendable {
    /// A PSBT of a version other than 0 (BIP-174) and 2 (BIP-370).
    case unsupportedVersion(UInt32)
    /// A key that occurs twice in a map of a PSBT.
    case duplicateKey(PSBTField)
    /// A field of a PSBT that does not have the form that its standard requires.
    case badField(PSBTField)
    /// A field that a PSBT of its version must have.
    case missingField(PSBTField)
    /// Some inputs of a PSBT ask for a height before which they cannot be spent, and others for a time: no transaction can
    /// have both (BIP-370).
    case conflictingLockTimes
    /// The previous transaction that a PSBT shows for an input is not the one that the input spends.
    case previousTransactionMismatch(input: Int)
    /// Two PSBTs of different transactions, or with different values for one key.
    case conflict(PSBTField)
}
