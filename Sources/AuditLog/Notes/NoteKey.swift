internal import Crypto
public import Encoding

/// A key that verifies signatures of notes: a log's own, or a witness's (C2SP signed-note, tlog-cosignature).
public struct NoteKey: Hashable, Sendable {
    /// The messages that a key signs.
    public enum Kind: UInt8, Sendable {
        /// The text of a note, by Ed25519.
        case signature = 0x01
        /// A checkpoint and a time, by Ed25519: the cosignature of a witness.
        case cosignature = 0x04
    }

    /// The name, without spaces and `+`.
    public let name: String
    /// The messages that the key signs.
    public let kind: Kind
    /// The public key, 32 bytes (RFC 8032).
    public let publicKey: [UInt8]

    /// Creates a key.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` for a name that a note cannot contain, or a key of another size.
    public init(name: String, kind: Kind, publicKey: some Collection<UInt8>) throws(AuditLogError) {
        guard Self.isValid(name: name), publicKey.count == 32 else { throw .outsideLimits }
        self.name = name
        self.kind = kind
        self.publicKey = Array(publicKey)
    }

    /// Reads the text form of a key (a “vkey”).
    ///
    /// - Throws: `EncodingError` for any other text, also if the id is not that of the key.
    public init(parsing text: String) throws(EncodingError) {
        guard text.utf8.count <= AuditLimits.name + 64 else { throw .tooLong(limit: AuditLimits.name + 64) }
        let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let name = parts.first, let encoded = parts.last else { throw .truncated }
        let material = try Base64.decode(encoded)
        guard let kind = material.first.flatMap(Kind.init(rawValue:)) else { throw .unsupported }
        guard let key = try? NoteKey(name: name, kind: kind, publicKey: material.dropFirst()) else {
            throw .unsupported
        }
        guard key.text == text else { throw .notCanonical }
        self = key
    }

    /// The text form: the name, the id and the key.
    public var text: String { "\(name)+\(Hex.encode(id))+\(Base64.encode([kind.rawValue] + publicKey))" }

    /// The first four bytes of a hash of the name, the kind and the key. It tells keys of one name apart, and protects
    /// nothing.
    public var id: [UInt8] {
        TreeHash.plain([UInt8](name.utf8) + [0x0A, kind.rawValue] + publicKey).bytes.prefix(4).map { $0 }
    }

    /// Returns whether a note can contain the name.
    static func isValid(name: String) -> Bool {
        (1...AuditLimits.name).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0 != "+" && $0.value >= 0x20 && $0.value != 0x7F
            }
    }

    func verifies(_ signature: some Collection<UInt8>, of message: [UInt8]) -> Bool {
        guard signature.count == 64, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else {
            return false
        }
        return key.isValidSignature([UInt8](signature), for: message)
    }
}
