public import Curves
public import Secrets

/// What the suites on secp256k1 have in common: the hash, and signatures with host keys. Their domains keep them apart.
extension DKG.Ciphersuite where Group == Secp256k1 {
    /// The hash of a secret, without a tag.
    public static func digest(of secret: borrowing SecretBytes) -> SecretBytes {
        var hasher = SHA256()
        hasher.update(secret)
        return hasher.finalizeSecret()
    }

    /// BIP-340's tagged hash.
    public static func hash(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
        Curves.BIP340.taggedHash(domain + tag, bytes)
    }

    /// BIP-340's tagged hash of a secret and the public bytes after it.
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

    /// The parity of the host key does not count here: the signed message holds all host keys, with their parities.
    public static func isValid(signature: [UInt8], message: [UInt8], hostKey: Secp256k1.Point) -> Bool {
        Curves.BIP340.isValid(signature: signature, message: message, publicKey: hostKey.xOnly)
    }
}
