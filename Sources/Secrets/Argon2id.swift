internal import CSodium

/// Argon2id, version 1.3, one lane (RFC 9106): derives a key from a passphrase at a chosen cost in memory and time.
public enum Argon2id {
    /// The size of a salt in bytes.
    public static let saltSize = 16

    /// The system did not have enough memory for the derivation.
    public struct OutOfMemory: Error, Equatable, Sendable {}

    /// Derives `count` bytes from a passphrase.
    ///
    /// The caller decides which costs it accepts: check a cost from a file before the derivation.
    ///
    /// - Parameters:
    ///   - count: the size of the result in bytes, at least 16.
    ///   - passphrase: any bytes; text in UTF-8, in one normal form.
    ///   - salt: ``saltSize`` bytes.
    ///   - memoryKiB: the memory in KiB, at least 8.
    ///   - passes: the number of passes over that memory, at least 1.
    /// - Throws: ``OutOfMemory``.
    public static func derive(
        count: Int, from passphrase: borrowing SecretBytes, salt: [UInt8], memoryKiB: UInt32, passes: UInt32
    ) throws(OutOfMemory) -> SecretBytes {
        precondition(salt.count == saltSize, "an Argon2id salt has \(saltSize) bytes")
        precondition(count >= 16, "Argon2id gives no fewer than 16 bytes here")
        precondition(memoryKiB >= 8 && passes >= 1, "Argon2id needs 8 KiB and one pass at least")
        return try SecretBytes(count: count) { key throws(OutOfMemory) in
            let result = passphrase.withUnsafeBytes { passphrase in
                salt.withUnsafeBytes { salt -> Int32 in
                    guard let key = key.bindMemory(to: UInt8.self).baseAddress,
                        let text = passphrase.bindMemory(to: CChar.self).baseAddress,
                        let salt = salt.bindMemory(to: UInt8.self).baseAddress
                    else { preconditionFailure("a buffer without memory") }
                    return crypto_pwhash(
                        key, UInt64(count), text, UInt64(passphrase.count), salt,
                        UInt64(passes), Int(memoryKiB) * 1024, crypto_pwhash_ALG_ARGON2ID13)
                }
            }
            guard result == 0 else { throw OutOfMemory() }
        }
    }
}
