public import Curves
public import Secrets

/// The hash and the host-key signatures that the suites on secp256k1 share. Their domains keep them apart.
extension Sharing.Ciphersuite where Group == Secp256k1 {
    /// Returns the hash of a secret, without a tag.
    public static func digest(of secret: borrowing SecretBytes) -> SecretBytes {
        var hasher = SHA256()
        hasher.update(secret)
        return hasher.finalizeSecret()
    }

    /// Returns BIP-340's tagged hash.
    public static func hash(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
        Curves.BIP340.taggedHash(domain + tag, bytes)
    }

    /// Returns BIP-340's tagged hash of a secret and the public bytes after it.
    public static func hash(_ tag: String, secret: borrowing SecretBytes, _ bytes: [UInt8]) -> SecretBytes {
        var hasher = Curves.BIP340.taggedHasher(domain + tag)
        hasher.update(secret)
        hasher.update(bytes)
        return hasher.finalizeSecret()
    }

    /// Signs with a host key.
    public static func sign(
        _ message: [UInt8], hostKey: borrowing SecretScalar<Secp256k1>, auxiliary: borrowing SecretBytes
    ) throws(CurvesError) -> [UInt8] {
        try Curves.BIP340.sign(message: message, key: hostKey, auxiliary: auxiliary.withUnsafeBytes { Array($0) })
    }

    /// Returns whether a host key's signature is valid. The parity of the host key is ignored: the signed message
    /// contains all host keys with their parities.
    public static func isValid(signature: [UInt8], message: [UInt8], hostKey: Secp256k1.Point) -> Bool {
        Curves.BIP340.isValid(signature: signature, message: message, publicKey: hostKey.xOnly)
    }
}
