public import Encoding
public import HDKeys

/// What is wrong with an amount, an address, a key, a transaction or a PSBT. Positions and field numbers only, never the
/// input itself.
public enum WalletError: Error, Equatable, Sendable {
    /// Bytes or text that do not decode.
    case malformed(EncodingError)
    /// No number of this unit, more decimals than the unit has, or a sum outside 0...21,000,000 BTC.
    case badAmount
    /// Text that is no address of a kind this wallet pays to.
    case badAddress
    /// An address or extended key of another network.
    case wrongNetwork
    /// An output that does not pay to the wallet's key.
    case foreignOutput
    /// A derivation path or a key that is wrong, or does not exist in this wallet.
    case key(HDKeyError)
    /// Text that is no descriptor of the form this wallet writes, or whose checksum does not match.
    case badDescriptor
    /// A transaction that no node accepts, or one that holds what an unsigned transaction must not hold.
    case badTransaction
    /// A PSBT of a version that this wallet does not read: neither 0 (BIP-174) nor 2 (BIP-370).
    case unsupportedVersion(UInt32)
    /// A key that occurs twice in a map of a PSBT.
    case duplicateKey(PSBTField)
    /// A field of a PSBT that has not the form which its standard prescribes.
    case badField(PSBTField)
    /// A field that a PSBT of its version must have, and that is not there.
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
    /// An input lacks what this step needs: the output it spends, or a signature. Or there is no such input.
    case incomplete(input: Int)
    /// A transaction of Ethereum that no node accepts, or whose bytes are not in their one form.
    case badEthereumTransaction(EthereumTransaction.Fault)
    /// Bytes that are no signature as Ethereum takes it: not 65, a number out of range, an s that is high.
    case badEthereumSignature
    /// A signature that the expected key did not make.
    case wrongSigner
    /// A document of EIP-712 that cannot be shown exactly as it would be signed.
    case badTypedData(TypedData.Fault)
    /// Arguments of a contract's function that are not in the one form which compilers write.
    case badABI(ABI.Fault)
}
