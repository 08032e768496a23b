internal import Crypto
internal import Encoding
internal import Secrets

/// One way to open a vault: the master key, wrapped under a key derived from a passphrase, or from a passphrase and a
/// secret that only one device opens.
struct Slot: Equatable, Sendable {
    private enum Kind {
        static let argon2id: UInt8 = 1
        static let pbkdf2: UInt8 = 2
        /// Argon2id, and a device.
        static let device: UInt8 = 3
    }
    static let wrappedSize = Sealing.keySize + Sealing.overhead

    /// The slot's number, 1...255, unique and ascending within a vault.
    let number: UInt8
    let stretching: Stretching
    let salt: [UInt8]
    /// The device that the passphrase needs; nil for a passphrase alone.
    let binding: DeviceBinding?
    /// The sealed master key.
    let wrapped: [UInt8]

    private init(number: UInt8, stretching: Stretching, salt: [UInt8], binding: DeviceBinding?, wrapped: [UInt8]) {
        self.number = number
        self.stretching = stretching
        self.salt = salt
        self.binding = binding
        self.wrapped = wrapped
    }

    /// Wraps the master key for a passphrase, under a fresh salt and therefore a fresh key.
    ///
    /// - Parameter device: the device that the passphrase is to need; nil for none.
    init(
        number: UInt8, wrapping masterKey: borrowing SecretBytes, of vault: VaultID,
        for passphrase: borrowing SecretBytes, device: (any DeviceSealer)?,
        stretching: Stretching, by stretcher: Stretcher, random: some RandomSource
    ) throws(SecureStorageError) {
        let salt = random.publicBytes(count: Stretching.saltSize)
        let stretched = try stretcher.derive(passphrase, stretching, salt)
        var binding: DeviceBinding?
        let key: SymmetricKey
        if let device {
            let secret = SecretBytes(count: Sealing.keySize, from: random)
            binding = try DeviceBinding(sealing: secret, by: device, stretched: stretched, of: vault)
            key = DeviceBinding.wrappingKey(stretched, secret, of: vault)
        } else {
            key = Self.wrappingKey(stretched, of: vault)
        }
        let prefix = Self.prefix(number: number, stretching: stretching, salt: salt, binding: binding)
        let wrapped = masterKey.withUnsafeBytes { masterKey in
            Sealing.seal(masterKey, key: key, bindingTo: vault.bytes + prefix)
        }
        self.init(number: number, stretching: stretching, salt: salt, binding: binding, wrapped: wrapped)
    }

    /// Returns the master key, or nil if the passphrase is not this slot's.
    ///
    /// - Parameter device: the device of this slot's binding; not used without one.
    /// - Throws: the device's errors. A device that counts wrong passphrases throws for one.
    func unwrap(
        of vault: VaultID, with passphrase: borrowing SecretBytes, device: (any DeviceSealer)?, by stretcher: Stretcher
    ) throws(SecureStorageError) -> SecretBytes? {
        let prefix = Self.prefix(number: number, stretching: stretching, salt: salt, binding: binding)
        let stretched = try stretcher.derive(passphrase, stretching, salt)
        let key: SymmetricKey
        if let binding {
            guard let device, device.backend == binding.backend else { throw .backend(binding.backend, .required) }
            let secret = try binding.open(by: device, stretched: stretched, of: vault)
            key = DeviceBinding.wrappingKey(stretched, secret, of: vault)
        } else {
            key = Self.wrappingKey(stretched, of: vault)
        }
        return Sealing.open(wrapped, key: key, bindingTo: vault.bytes + prefix)
    }

    private static func wrappingKey(_ stretched: borrowing SecretBytes, of vault: VaultID) -> SymmetricKey {
        Sealing.key(from: stretched, salt: vault.bytes, purpose: Purpose.slot)
    }

    // MARK: Bytes

    /// Returns the part of the slot before the wrapped key. The wrapped key is bound to it, and to the vault's id.
    private static func prefix(
        number: UInt8, stretching: Stretching, salt: [UInt8], binding: DeviceBinding?
    ) -> [UInt8] {
        var writer = ByteWriter(reserving: 32)
        writer.append(number)
        if let binding {
            guard case .argon2id(let memoryKiB, let passes) = stretching else {
                preconditionFailure("a slot with a device is written with Argon2id only")
            }
            writer.append(Kind.device)
            writer.append(binding.code)
            writer.bigEndian(memoryKiB)
            writer.bigEndian(passes)
            writer.append(salt)
            writer.bigEndian(UInt16(binding.sealed.count))
            writer.append(binding.sealed)
            return writer.bytes
        }
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

    var encoded: [UInt8] {
        Self.prefix(number: number, stretching: stretching, salt: salt, binding: binding) + wrapped
    }

    init(from reader: inout ByteReader) throws(EncodingError) {
        let number = try reader.uint8()
        let stretching: Stretching
        var device: StoreBackend?
        switch try reader.uint8() {
        case Kind.argon2id: stretching = try Self.argon2id(from: &reader)
        case Kind.pbkdf2: stretching = .pbkdf2(rounds: try reader.bigEndian(UInt32.self))
        case Kind.device:
            device = try DeviceBinding.backend(from: &reader)
            stretching = try Self.argon2id(from: &reader)
        default: throw .unsupported
        }
        let salt = [UInt8](try reader.bytes(Stretching.saltSize))
        var binding: DeviceBinding?
        if let device { binding = try DeviceBinding(device, from: &reader) }
        self.init(
            number: number, stretching: stretching, salt: salt, binding: binding,
            wrapped: [UInt8](try reader.bytes(Self.wrappedSize)))
    }

    private static func argon2id(from reader: inout ByteReader) throws(EncodingError) -> Stretching {
        .argon2id(memoryKiB: try reader.bigEndian(UInt32.self), passes: try reader.bigEndian(UInt32.self))
    }
}
