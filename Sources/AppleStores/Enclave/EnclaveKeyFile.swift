internal import Encoding
internal import SecureStorage

/// The file of one signing key of the Enclave. The key is encrypted by the Enclave; the rest is public.
///
/// | bytes | what |
/// |---|---|
/// | 8 | `FuekiEnK` |
/// | 1 | version, 1 |
/// | 1 | policy: 0 none, 1 user presence, 2 any biometry, 3 the present biometry, 4 passcode, 5 flags |
/// | 8 | the flags, big-endian; zeros unless the policy is 5 |
/// | 1 | accessibility |
/// | 65 | the public key |
/// | 2 | length of the blob, big-endian: 1…2,048 |
/// | | the blob |
struct EnclaveKeyFile: Equatable {
    static let magic = [UInt8]("FuekiEnK".utf8)
    static let version: UInt8 = 1
    static let largest = 8 + 1 + 1 + 8 + 1 + EnclaveKey.publicKeySize + 2 + AppleLimits.enclaveBlob

    let key: EnclaveKey
    let access: EnclaveAccess

    init(key: EnclaveKey, access: EnclaveAccess) {
        self.key = key
        self.access = access
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append(Self.version)
        access.policy.append(to: &writer)
        writer.append(access.accessibility.rawValue)
        writer.append(key.publicKey)
        writer.bigEndian(UInt16(key.blob.count))
        writer.append(key.blob)
        return writer.bytes
    }

    /// Reads a file. The chip checks the key when it uses it.
    ///
    /// - Throws: `SecureStorageError.damaged`, or `SecureStorageError.unsupportedVersion(_:)`.
    init(decoding bytes: [UInt8]) throws(SecureStorageError) {
        let version: UInt8
        do {
            var reader = try ByteReader(bytes, limit: Self.largest)
            guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic) else { throw SecureStorageError.damaged }
            version = try reader.uint8()
            if version == Self.version {
                let policy = try AccessControlPolicy(from: &reader)
                guard let accessibility = Accessibility(rawValue: try reader.uint8()) else {
                    throw SecureStorageError.damaged
                }
                let publicKey = [UInt8](try reader.bytes(EnclaveKey.publicKeySize))
                let length = Int(try reader.bigEndian(UInt16.self))
                key = try EnclaveKey(blob: [UInt8](try reader.bytes(length)), publicKey: publicKey)
                access = try EnclaveAccess(policy, accessibility)
                try reader.finish()
                return
            }
        } catch { throw .damaged }
        throw .unsupportedVersion(UInt16(version))
    }
}
