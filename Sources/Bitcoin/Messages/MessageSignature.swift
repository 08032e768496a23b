internal import Encoding

/// The signature of a message by an address (BIP-322), as it is exchanged: read, and not yet verified.
///
/// Two forms are read: the simple one, a witness, and the full one, a transaction, which can have time locks. A proof
/// of funds names outputs that only a node knows. The older form of BIP-137, 65 bytes, is refused: software never
/// agreed what it means for addresses of this wallet's kinds, and it does not commit to the key that signed.
public struct MessageSignature: Equatable, Sendable {
    /// The reasons why a text is not accepted.
    public enum Fault: Error, Hashable, Sendable {
        /// The text is not Base64, or encodes neither a witness nor a transaction.
        case malformed
        /// The text is longer than any signature.
        case tooLong(limit: Int)
        /// The signature has 65 bytes of the older form (BIP-137).
        case legacy
        /// The signature is a proof of funds, whose verification needs a node.
        case proofOfFunds
    }

    enum Form: Equatable {
        case simple([[UInt8]])
        case full(Transaction)
    }

    let form: Form

    init(_ form: Form) { self.form = form }

    /// Reads a text: `smp` or `ful` and Base64. Without a prefix, as older software writes it, it is the Base64 of a
    /// witness or of a transaction.
    public init(_ text: String) throws(Fault) {
        guard text.utf8.count <= BitcoinLimits.messageSignatureCharacters else {
            throw .tooLong(limit: BitcoinLimits.messageSignatureCharacters)
        }
        if text.hasPrefix("pof") { throw .proofOfFunds }
        let prefix = ["smp", "ful"].first { text.hasPrefix($0) }
        guard let bytes = try? Base64.decode(String(text.dropFirst(prefix?.count ?? 0))) else { throw .malformed }
        // BIP-137: a header for the kind of address and the candidate key, then r and s.
        if prefix == nil, bytes.count == 65, let header = bytes.first, (27...42).contains(header) { throw .legacy }
        // BIP-322 omits the number of inputs before the witness; it is one.
        if prefix != "ful", let witness = FieldRules.witness(bytes) {
            form = .simple(witness)
        } else if prefix != "smp", let transaction = try? Transaction(decoding: bytes) {
            form = .full(transaction)
        } else {
            throw .malformed
        }
    }

    /// The signature as text with the standard's prefix.
    public var text: String {
        switch form {
        case .simple: "smp" + base64
        case .full: "ful" + base64
        }
    }

    /// The signature as text without a prefix, for software that does not know the prefix.
    public var base64: String {
        switch form {
        case .simple(let witness):
            var writer = ByteWriter()
            writer.witness(witness)
            return Base64.encode(writer.bytes)
        case .full(let transaction): return Base64.encode(transaction.encoded)
        }
    }
}

extension MessageSignature.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed: "this is not a message signature of BIP-322"
        case .tooLong(let limit): "a signature has at most \(limit) characters"
        case .legacy: "this is a signature of the older form, which names no key (BIP-137)"
        case .proofOfFunds: "this is a proof of funds, which only a node can verify"
        }
    }
}
