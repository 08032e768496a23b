internal import Crypto
internal import Secrets
internal import SecureStorage

/// The value of a record: the secret, and what it belongs to.
///
/// The encoding is `FKCV`, a version (1), the name, the ``KeychainHeader``, the secret,
/// and SHA-256 of all that. The digest finds damage only. The keychain authenticates its items, and another program of
/// the access group could write a whole envelope.
enum KeychainEnvelope {
    private static let magic = [UInt8]("FKCV".utf8)
    private static let version: UInt8 = 1
    private static let digestSize = 32

    /// Returns the envelope of a secret.
    static func seal(
        _ secret: borrowing SecretBytes, as name: ItemName, header: KeychainHeader
    ) throws(SecureStorageError) -> SecretBytes {
        guard (1...Limits.itemSize).contains(secret.count) else { throw .outsideLimits(.itemSize) }
        let prefix = Self.prefix(of: name, header: header)
        let size = prefix.count + secret.count
        return SecretBytes(count: size + digestSize) { memory in
            memory.copyBytes(from: prefix)
            secret.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: memory[prefix.count...]).copyMemory(from: $0)
            }
            let digest = Self.digest(of: UnsafeRawBufferPointer(rebasing: memory[..<size]))
            digest.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[size...]).copyMemory(from: $0) }
        }
    }

    /// Returns the secret of an envelope, which has to be that of the name and the header.
    ///
    /// - Throws: `BackendFault.malformedAnswer` for bytes of another program,
    ///   `SecureStorageError.unsupportedVersion(_:)`, `SecureStorageError.damaged`,
    ///   `SecureStorageError.itemSwapped` for the envelope of another name, and
    ///   `SecureStorageError.tampered(_:)` if the header is another one.
    static func open(
        _ envelope: borrowing SecretBytes, as name: ItemName, header: KeychainHeader
    ) throws(SecureStorageError) -> SecretBytes {
        guard envelope.count <= AppleLimits.keychainValue else { throw .outsideLimits(.itemSize) }
        let prefix = Self.prefix(of: name, header: header)
        let fault = envelope.withUnsafeBytes { bytes -> SecureStorageError? in
            guard bytes.count > magic.count, bytes.prefix(magic.count).elementsEqual(magic) else {
                return .backend(.keychain, .malformedAnswer)
            }
            let version = bytes[magic.count]
            guard version == Self.version else { return .unsupportedVersion(UInt16(version)) }
            let size = bytes.count - digestSize
            guard size > magic.count + 1 else { return .damaged }
            let digest = Self.digest(of: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
            guard bytes[size...].elementsEqual(digest) else { return .damaged }
            let nameEnd = prefix.count - KeychainHeader.size
            guard bytes[..<size].prefix(nameEnd).elementsEqual(prefix[..<nameEnd]) else { return .itemSwapped }
            guard bytes[..<size].prefix(prefix.count).elementsEqual(prefix) else { return .tampered(.item) }
            guard size > prefix.count else { return .damaged }
            return nil
        }
        if let fault { throw fault }
        return envelope.part(prefix.count, envelope.count - prefix.count - digestSize)
    }

    private static func digest(of bytes: UnsafeRawBufferPointer) -> SHA256.Digest {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        return hash.finalize()
    }

    private static func prefix(of name: ItemName, header: KeychainHeader) -> [UInt8] {
        magic + [version] + name.encoded + header.encoded
    }
}
