internal import Crypto
internal import Encoding
internal import Secrets

/// The device that a slot needs besides its passphrase, and the secret that the device sealed for the slot.
struct DeviceBinding: Equatable, Sendable {
    let backend: StoreBackend
    /// The sealed secret, which is useless without the device.
    let sealed: [UInt8]

    /// The number of the backend in the file.
    var code: UInt8 { Self.codes[backend] ?? 0 }

    /// The backends that can seal, by their numbers in the file.
    private static let codes: [StoreBackend: UInt8] = [.tpm: 1, .secureEnclave: 2]

    private init(_ backend: StoreBackend, sealed: [UInt8]) {
        self.backend = backend
        self.sealed = sealed
    }

    /// Seals a fresh secret.
    ///
    /// - Parameter stretched: the stretched passphrase.
    init(
        sealing secret: borrowing SecretBytes, by device: any DeviceSealer, stretched: borrowing SecretBytes,
        of vault: VaultID
    ) throws(SecureStorageError) {
        guard Self.codes[device.backend] != nil else { throw .backend(device.backend, .unsupported) }
        let sealed = try device.seal(secret, authorizedBy: Self.authorization(stretched, of: vault))
        guard (1...Limits.sealedByDevice).contains(sealed.count) else {
            throw .backend(device.backend, .malformedAnswer)
        }
        self.init(device.backend, sealed: sealed)
    }

    func open(
        by device: any DeviceSealer, stretched: borrowing SecretBytes, of vault: VaultID
    ) throws(SecureStorageError) -> SecretBytes {
        let secret = try device.open(sealed, authorizedBy: Self.authorization(stretched, of: vault))
        guard secret.count == Sealing.keySize else { throw .backend(backend, .malformedAnswer) }
        return secret
    }

    /// Returns what the device asks for: derived from the passphrase, so that the device counts wrong ones. A listener
    /// between this program and the device learns nothing about the wrapping key from it.
    private static func authorization(_ stretched: borrowing SecretBytes, of vault: VaultID) -> SecretBytes {
        Sealing.secret(from: stretched, salt: vault.bytes, purpose: Purpose.deviceAuthorization)
    }

    /// Returns the key that wraps the master key. It needs both: the passphrase, and the device's secret.
    static func wrappingKey(
        _ stretched: borrowing SecretBytes, _ secret: borrowing SecretBytes, of vault: VaultID
    ) -> SymmetricKey {
        let both = SecretBytes(count: stretched.count + secret.count) { memory in
            stretched.withUnsafeBytes { memory.copyMemory(from: $0) }
            secret.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: memory[stretched.count...]).copyMemory(from: $0)
            }
        }
        return Sealing.key(from: both, salt: vault.bytes, purpose: Purpose.deviceSlot)
    }

    // MARK: Bytes

    static func backend(from reader: inout ByteReader) throws(EncodingError) -> StoreBackend {
        let code = try reader.uint8()
        guard let backend = codes.first(where: { $0.value == code })?.key else { throw .unsupported }
        return backend
    }

    init(_ backend: StoreBackend, from reader: inout ByteReader) throws(EncodingError) {
        let size = Int(try reader.bigEndian(UInt16.self))
        guard (1...Limits.sealedByDevice).contains(size) else { throw .tooLong(limit: Limits.sealedByDevice) }
        self.init(backend, sealed: [UInt8](try reader.bytes(size)))
    }
}
