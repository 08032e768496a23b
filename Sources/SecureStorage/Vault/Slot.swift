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
        /// Argon2id of the passphrase in its normal form.
        static let normalised: UInt8 = 4
        /// Argon2id of the passphrase in its normal form, and a device.
        static let normalisedDevice: UInt8 = 5
    }
    static let wrappedSize = Sealing.keySize + Sealing.overhead

    /// The slot's number, 1...255, unique and ascending within a vault.
    let number: UInt8
    let stretching: Stretching
    /// The form in which the passphrase is stretched.
    let form: PassphraseForm
    let salt: [UInt8]
    /// The device that the passphrase needs; nil for a passphrase alone.
    let binding: DeviceBinding?
    /// The sealed master key.
    let wrapped: [UInt8]

    private init(
        number: UInt8, stretching: Stretching, form: PassphraseForm, salt: [UInt8], binding: DeviceBinding?,
        wrapped: [UInt8]
    ) {
        self.number = number
        self.stretching = stretching
        self.form = form
        self.salt = salt
        self.binding = binding
        self.wrapped = wrapped
    }

    /// Wraps the master key for a passphrase, under a fresh salt and therefore a fresh key.
    ///
    /// - Parameters:
    ///   - device: the device that the passphrase is to need; nil for none.
    ///   - form: the form in which the passphrase is stretched. PBKDF2, which is only read, has the given one.
    init(
        number: UInt8, wrapping masterKey: borrowing SecretBytes, of vault: VaultID,
        for passphrase: borrowing SecretBytes, device: (any DeviceSealer)?,
        stretching: Stretching, form: PassphraseForm, by stretcher: Stretcher, random: some RandomSource
    ) throws(SecureStorageError) {
        let form = stretching.isLegacy ? .given : form
        let salt = random.publicBytes(count: Stretching.saltSize)
        let stretched =
            switch form {
            case .given: try stretcher.derive(passphrase, stretching, salt)
            case .normalised: try stretcher.derive(PassphraseText.normalised(passphrase), stretching, salt)
            }
        var binding: DeviceBinding?
        let key: SymmetricKey
        if let device {
            let secret = SecretBytes(count: Sealing.keySize, from: random)
            binding = try DeviceBinding(sealing: secret, by: device, stretched: stretched, of: vault)
            key = DeviceBinding.wrappingKey(stretched, secret, of: vault)
        } else {
            key = Self.wrappingKey(stretched, of: vault)
        }
        let prefix = Self.prefix(number: number, stretching: stretching, form: form, salt: salt, binding: binding)
        let wrapped = masterKey.withUnsafeBytes { masterKey in
            Sealing.seal(masterKey, key: key, bindingTo: vault.bytes + prefix)
        }
        self.init(
            number: number, stretching: stretching, form: form, salt: salt, binding: binding, wrapped: wrapped)
    }

    /// Returns the master key, or nil if the passphrase is not this slot's.
    ///
    /// A slot that was made from bytes as they were given is tried with those bytes, and then with their normal form.
    /// With a device it is tried once, because the device counts wrong passphrases.
    ///
    /// - Parameter device: the device of this slot's binding; not used without one.
    /// - Throws: the device's errors. A device that counts wrong passphrases throws for one.
    func unwrap(
        of vault: VaultID, with passphrase: borrowing SecretBytes, device: (any DeviceSealer)?, by stretcher: Stretcher
    ) throws(SecureStorageError) -> SecretBytes? {
        let normal = PassphraseText.normalised(passphrase)
        switch form {
        case .normalised: return try unwrap(of: vault, withExactly: normal, device: device, by: stretcher)
        case .given:
            if let key = try unwrap(of: vault, withExactly: passphrase, device: device, by: stretcher) { return key }
            guard binding == nil, !normal.matches(passphrase) else { return nil }
            return try unwrap(of: vault, withExactly: normal, device: device, by: stretcher)
        }
    }

    /// Whether the slot is to be written again with the passphrase that has just opened it: it is from older software,
    /// or takes these bytes only and not the same text in other bytes.
    func isOutdated(for passphrase: borrowing SecretBytes) -> Bool {
        if stretching.isLegacy { return true }
        return form == .given && binding == nil && !PassphraseText.normalised(passphrase).matches(passphrase)
    }

    private func unwrap(
        of vault: VaultID, withExactly passphrase: borrowing SecretBytes, device: (any DeviceSealer)?,
        by stretcher: Stretcher
    ) throws(SecureStorageError) -> SecretBytes? {
        let prefix = Self.prefix(number: number, stretching: stretching, form: form, salt: salt, binding: binding)
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
        number: UInt8, stretching: Stretching, form: PassphraseForm, salt: [UInt8], binding: DeviceBinding?
    ) -> [UInt8] {
        var writer = ByteWriter(reserving: 32)
        writer.append(number)
        if let binding {
            guard case .argon2id(let memoryKiB, let passes) = stretching else {
                preconditionFailure("a slot with a device is written with Argon2id only")
            }
            writer.append(form == .given ? Kind.device : Kind.normalisedDevice)
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
            writer.append(form == .given ? Kind.argon2id : Kind.normalised)
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
        Self.prefix(number: number, stretching: stretching, form: form, salt: salt, binding: binding) + wrapped
    }

    init(from reader: inout ByteReader) throws(EncodingError) {
        let number = try reader.uint8()
        let kind = try reader.uint8()
        let stretching: Stretching
        var device: StoreBackend?
        switch kind {
        case Kind.argon2id, Kind.normalised: stretching = try Self.argon2id(from: &reader)
        case Kind.pbkdf2: stretching = .pbkdf2(rounds: try reader.bigEndian(UInt32.self))
        case Kind.device, Kind.normalisedDevice:
            device = try DeviceBinding.backend(from: &reader)
            stretching = try Self.argon2id(from: &reader)
        default: throw .unsupported
        }
        let salt = [UInt8](try reader.bytes(Stretching.saltSize))
        var binding: DeviceBinding?
        if let device { binding = try DeviceBinding(device, from: &reader) }
        self.init(
            number: number, stretching: stretching,
            form: kind == Kind.normalised || kind == Kind.normalisedDevice ? .normalised : .given, salt: salt,
            binding: binding, wrapped: [UInt8](try reader.bytes(Self.wrappedSize)))
    }

    private static func argon2id(from reader: inout ByteReader) throws(EncodingError) -> Stretching {
        .argon2id(memoryKiB: try reader.bigEndian(UInt32.self), passes: try reader.bigEndian(UInt32.self))
    }
}
