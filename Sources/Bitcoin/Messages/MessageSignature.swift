internal import Encoding

/// The signature of a message by whoever holds an address (BIP-322), as it is handed around: read, and not yet verified.
///
/// Two forms are read: the simple one, a witness, and the full one, a transaction, which can have time locks. A proof of funds
/// names outputs that only a node knows. The older form of BIP-137, 65 bytes, is refused: for the addresses of this wallet
/// software has never agreed what it means, and it does not commit to the key that signed.
public struct MessageSignature: Equatable, Sendable {
    /// Why a text is not read.
    public enum Fault: Error, Hashable, Sendable {
        /// Not Base64, or what it encodes is neither a witness nor a transaction.
        case malformed
        /// Longer than any signature.
        case tooLong(limit: Int)
        /// 65 bytes of the older form (BIP-137).
        case legacy
        /// A proof of funds, which takes a node.
        case proofOfFunds
    }

    enum Form: Equatable {
        case simple([[UInt8]])
        case full(Transaction)
    }

    let form: Form

    init(_ form: Form) { self.form = form }

    /// Reads a text: `smp` or `ful` and Base64. Without either, as older software writes it, Base64 of a witness, or of a
    /// transaction.
    public init(_ text: String) throws(Fault) {
        guard text.utf8.count <= BitcoinLimits.messageSignatureCharacters else {
            throw .tooLong(limit: BitcoinLimits.messageSignatureCharacters)
        }
        if text.hasPrefix("pof") { throw .proofOfFunds }
        let prefix = ["smp", "ful"].first { text.hasPrefix($0) }
        guard let bytes = try? Base64.decode(String(text.dropFirst(prefix?.count ?? 0))) else { throw .malformed }
        // BIP-137: a header that tells the kind of address and which of the possible keys it is, then r and s.
        if prefix == nil, bytes.count == 65, let header = bytes.first, (27...42).contains(header) { throw .legacy }
        // BIP-322 has the witness without the number of inputs, which is one.
        if prefix != "ful", let witness = FieldRules.witness(bytes) {
            form = .simple(witness)
        } else if prefix != "smp", let transaction = try? Transaction(decoding: bytes) {
            form = .full(transaction)
        } else {
            throw .malformed
        }
    }

    /// With the prefix that the standard has now.
    public var text: String {
        switch form {
        case .simple: "smp" + base64
        case .full: "ful" + base64
        }
    }

    /// Without a prefix, for software that does not know it yet.
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
        case .malformed: "this is no signature of a message as BIP-322 has them"
        case .tooLong(let limit): "a signature has at most \(limit) characters"
        case .legacy: "this is a signature of the older form, which names no key (BIP-137)"
        case .proofOfFunds: "this is a proof of funds, which only a node can verify"
        }
    }
}
