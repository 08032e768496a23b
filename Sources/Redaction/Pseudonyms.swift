internal import Curves
internal import Encoding
public import Secrets

/// Names for identifiers in a log: equal identifiers have equal names, and nobody without the key can try out which
/// identifier a name stands for.
///
/// HMAC (RFC 2104) with SHA-512, of which 80 bits are shown. A hash without a key would be no secret: whoever has a
/// list of addresses or accounts hashes each of them.
public struct Pseudonyms: Sendable {
    private let key: HeldSecret

    /// Creates the names of a key.
    ///
    /// - Parameter key: 32 random bytes, which do not lie beside the log.
    public init(key: borrowing SecretBytes) {
        precondition(key.count >= 32, "a key of pseudonyms has 32 bytes")
        self.key = HeldSecret(key.clone())
    }

    /// Returns the name of an identifier.
    ///
    /// - Parameter kind: what it identifies; the same identifier of another kind has another name.
    public func name(of identifier: String, kind: String) -> String {
        // The kind's size is written first, so that no kind and identifier are those of another pair.
        var message = Array("\(kind.utf8.count):\(kind)\(identifier)".utf8)
        let code = HMACSHA512.code(key: key.bytes, message: SecretBytes(moving: &message))
        return "\(kind)-" + code.withUnsafeBytes { Hex.encode($0.prefix(10)) }
    }
}
