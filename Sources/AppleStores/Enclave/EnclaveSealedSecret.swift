internal import Encoding
internal import SecureStorage

/// The bytes in which an Enclave key keeps a secret. They are not secret, and useless without the chip.
///
/// | bytes | what |
/// |---|---|
/// | 8 | `FuekiEnc` |
/// | 1 | version, 1 |
/// | 2 | length of the blob, big-endian: 1…2,048 |
/// | | the blob: the Enclave's key, encrypted by the Enclave |
/// | 65 | the Enclave's public key |
/// | 65 | the public key that was made for this secret |
/// | 32 | HMAC-SHA256 of all bytes before it: only the chip can check it |
/// | 48 | the secret, AES-256-GCM |
struct EnclaveSealedSecret: Equatable {
    static let magic = [UInt8]("FuekiEnc".utf8)
    static let version: UInt8 = 1
    static let checkSize = 32
    static let ciphertextSize = secretSize + Sealing.overhead
    /// The size of a sealed secret in bytes.
    static let secretSize = 32

    let key: EnclaveKey
    let ephemeralKey: [UInt8]
    let check: [UInt8]
    let ciphertext: [UInt8]

    /// The bytes that the check authenticates.
    var header: [UInt8] { Self.header(key, ephemeralKey) }

    var encoded: [UInt8] { header + check + ciphertext }

    init(key: EnclaveKey, ephemeralKey: [UInt8], check: [UInt8], ciphertext: [UInt8]) {
        self.key = key
        self.ephemeralKey = ephemeralKey
        self.check = check
        self.ciphertext = ciphertext
    }

    /// Reads the bytes. The keys are checked when the chip uses them.
    ///
    /// - Throws: `SecureStorageError.damaged`, or `SecureStorageError.unsupportedVersion(_:)`.
    init(decoding bytes: [UInt8]) throws(SecureStorageError) {
        let version: UInt8
        do {
            var reader = try ByteReader(bytes, limit: Limits.sealedByDevice)
            guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic) else { throw SecureStorageError.damaged }
            version = try reader.uint8()
            if version == Self.version {
                let length = Int(try reader.bigEndian(UInt16.self))
                let blob = [UInt8](try reader.bytes(length))
                key = try EnclaveKey(blob: blob, publicKey: [UInt8](try reader.bytes(EnclaveKey.publicKeySize)))
                ephemeralKey = [UInt8](try reader.bytes(EnclaveKey.publicKeySize))
                check = [UInt8](try reader.bytes(Self.checkSize))
                ciphertext = [UInt8](try reader.bytes(Self.ciphertextSize))
                try reader.finish()
                return
            }
        } catch { throw .damaged }
        throw .unsupportedVersion(UInt16(version))
    }

    static func header(_ key: EnclaveKey, _ ephemeralKey: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(magic)
        writer.append(version)
        writer.bigEndian(UInt16(key.blob.count))
        writer.append(key.blob)
        writer.append(key.publicKey)
        writer.append(ephemeralKey)
        return writer.bytes
    }
}
