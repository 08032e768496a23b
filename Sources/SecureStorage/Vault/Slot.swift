internal import Crypto
internal import Encoding
internal import Secrets

/// One way to open a vault: the master key, wrapped under a key derived from a passphrase.
struct Slot: Equatable, Sendable {
    private enum Kind {
        static let argon2id: UInt8 = 1
        static let pbkdf2: UInt8 = 2
    }
    static let wrappedSize = Sealing.keySize + Sealing.overhead

    /// The slot's number, 1...255, unique and ascending within a vault.
    let number: UInt8
    let stretching: Stretching
    let salt: [UInt8]
    /// The sealed master key.
    let wrapped: [UInt8]

    private init(number: UInt8, stretching: Stretching, salt: [UInt8], wrapped: [UInt8]) {
        self.number = number
        self.stretching = stretching
        self.salt = salt
        self.wrapped = wrapped
    }

    /// Wraps the master key for a passphrase, under a fresh salt and therefore a fresh key.
    init(
        number: UInt8, wrapping masterKey: borrowing SecretBytes, of vault: VaultID,
        for passphrase: borrowing SecretBytes,
        stretching: Stretching, by stretcher: Stretcher, random: some RandomSource
    ) throws(SecureStorageError) {
        let salt = random.publicBytes(count: Stretching.saltSize)
        let prefix = Self.prefix(number: number, stretching: stretching, salt: salt)
        let key = try stretcher.derive(passphrase, stretching, salt)
        let wrapped = masterKey.withUnsafeBytes { masterKey in
            Sealing.seal(masterKey, key: Self.wrappingKey(key, of: vault), bindingTo: vault.bytes + prefix)
        }
        self.init(number: number, stretching: stretching, salt: salt, wrapped: wrapped)
    }

    /// Returns the master key, or nil if the passphrase is not this slot's.
    func unwrap(
        of vault: VaultID, with passphrase: borrowing SecretBytes, by stretcher: Stretcher
    ) throws(SecureStorageError) -> SecretBytes? {
        let prefix = Self.prefix(number: number, stretching: stretching, salt: salt)
        let key = try stretcher.derive(passphrase, stretching, salt)
        return Sealing.open(wrapped, key: Self.wrappingKey(key, of: vault), bindingTo: vault.bytes + prefix)
    }

    private static func wrappingKey(_ stretched: borrowing SecretBytes, of vault: VaultID) -> SymmetricKey {
        Sealing.key(from: stretched, salt: vault.bytes, purpose: Purpose.slot)
    }

    // MARK: Bytes

    /// Returns the part of the slot before the wrapped key. The wrapped key is bound to it, and to the vault's id.
    private static func prefix(number: UInt8, stretching: Stretching, salt: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: 32)
        writer.append(number)
        switch stretching {
        case .argon2id(let memoryKiB, let passes):
            writer.append(Kind.argon2id)
            writer.bigEndian(memoryKiB)
            writer.bigEndian(passes)
        case .pbkdf2(let rounds):
            writer.append(Kind.pbkdf2)
            writer.bigEndian(rounds)
        }
        writer.append(salt)
        return writer.bytes
    }

    var encoded: [UInt8] { Self.prefix(number: number, stretching: stretching, salt: salt) + wrapped }

    init(from reader: inout ByteReader) throws(EncodingError) {
        let number = try reader.uint8()
        let stretching: Stretching
        switch try reader.uint8() {
        case Kind.argon2id:
            stretching = .argon2id(
                memoryKiB: try reader.bigEndian(UInt32.self), passes: try reader.bigEndian(UInt32.self))
        case Kind.pbkdf2:
            stretching = .pbkdf2(rounds: try reader.bigEndian(UInt32.self))
        default:
            throw .unsupported
        }
        self.init(
            number: number, stretching: stretching, salt: [UInt8](try reader.bytes(Stretching.saltSize)),
            wrapped: [UInt8](try reader.bytes(Self.wrappedSize)))
    }
}
