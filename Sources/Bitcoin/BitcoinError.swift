public import Encoding
public import HDKeys

/// What is wrong with an amount, an address, a transaction or a PSBT. Positions and field numbers only, never the input itself.
public enum BitcoinError: Error, Equatable, Sendable {
    /// Bytes or text that do not decode.
    case malformed(EncodingError)
    /// Text that is not a number of the unit, more decimals than the unit has, or a sum outside 0...21,000,000 BTC.
    case badAmount
    /// Text that is not an address of a kind that this library pays to.
    case badAddress
    /// An address of another network.
    case wrongNetwork
    /// Text that is not a descriptor of the form which ``OutputDescriptor`` writes, or whose checksum does not match.
    case badDescriptor
    /// A derivation path or an extended key that is wrong.
    case key(HDKeyError)
    /// A transaction that no node accepts, or one that holds what an unsigned transaction must not hold.
    case badTransaction
    /// An output that does not pay to the wallet's key.
    case foreignOutput
    /// A PSBT of a version other than 0 (BIP-174) and 2 (BIP-370).
    case unsupportedVersion(UInt32)
    /// A key that occurs twice in a map of a PSBT.
    case duplicateKey(PSBTField)
    /// A field of a PSBT that does not have the form which its standard prescribes.
    case badField(PSBTField)
    /// A field that a PSBT of its version must have.
    case missingField(PSBTField)
    /// Some inputs of a PSBT ask for a height before which they cannot be spent, and others for a time: no transaction can
    /// have both (BIP-370).
    case conflictingLockTimes
    /// The previous transaction that a PSBT shows for an input is not the one which the input spends.
    case previousTransactionMismatch(input: Int)
    /// Two PSBTs of different transactions, or with different values for one key.
    case conflict(PSBTField)
    /// A signature that does not verify, or has another signature-hash type than asked for.
    case badSignature(input: Int)
    /// An input lacks what this step needs: the output it spends, or a signature. Or the input does not exist.
    case incomplete(input: Int)
}
