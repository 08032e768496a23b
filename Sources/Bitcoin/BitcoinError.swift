public import Encoding
public import HDKeys

/// An error in an amount, an address or a transaction. It has positions and field numbers only, never the input itself.
public enum BitcoinError: Error, Equatable, Sendable {
    /// Bytes or text that do not decode.
    case malformed(EncodingError)
    /// Text that is not a number of the unit, more decimals than the unit has, or a sum outside 0...21,000,000 BTC.
    case badAmount
    /// Text that is not an address of a kind that this library pays to.
    case badAddress
    /// A text that was meant as a native segwit address is invalid, for this reason and at these characters.
    case badSegwitAddress(SegwitAddress.Fault)
    /// An address of another network.
    case wrongNetwork
    /// Text that is not a request for a payment (BIP-21) that can be paid.
    case badURI(BitcoinURI.Fault)
    /// Text that is not a descriptor of the form which ``OutputDescriptor`` writes, or whose checksum does not match.
    case badDescriptor
    /// A derivation path or an extended key that is wrong.
    case key(HDKeyError)
    /// A transaction that no node accepts, an unsigned one with signatures, or previous outputs that do not match it.
    case badTransaction
    /// An output that does not pay to the wallet's key.
    case foreignOutput
    /// A PSBT that does not follow its standard, or that cannot be combined with another.
    case psbt(PSBTError)
    /// A signature that does not verify, or has another signature-hash type than asked for.
    case badSignature(input: Int)
    /// An input lacks what this step needs: the output it spends, or a signature. Or the input does not exist.
    case incomplete(input: Int)
}
