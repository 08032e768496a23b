internal import Crypto
internal import Encoding
internal import Secrets

/// The secret of one epoch, from which the key of its entries comes.
///
/// The secret of the next epoch is made of this one and of fresh randomness. So a thief of a secret can compute neither
/// the ones before it, because this function has no inverse, nor, without being there again, the ones after it.
struct EpochSecret: ~Copyable {
    static let storedSize = 4 + 32

    let epoch: UInt32
    private let secret: SecretBytes

    init(epoch: UInt32, _ secret: consuming SecretBytes) {
        self.epoch = epoch
        self.secret = secret
    }

    /// Makes the secret of an epoch that has no predecessor.
    init(first epoch: UInt32, fresh: borrowing SecretBytes, of log: TreeHash) {
        self.epoch = epoch
        secret = Self.derive(from: fresh, salt: nil, Purpose.firstEpoch + Self.context(epoch, log))
    }

    /// Makes the secret of a later epoch.
    borrowing func next(_ epoch: UInt32, fresh: borrowing SecretBytes, of log: TreeHash) -> EpochSecret {
        let made = fresh.withUnsafeBytes { fresh in
            Self.derive(from: secret, salt: fresh, Purpose.nextEpoch + Self.context(epoch, log))
        }
        return EpochSecret(epoch: epoch, made)
    }

    /// Reads what a store has kept. Nil for anything else.
    init?(stored: borrowing SecretBytes) {
        guard stored.count == Self.storedSize else { return nil }
        epoch = stored.withUnsafeBytes { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
        secret = stored.suffix(32)
    }

    /// The bytes for a store: the number of the epoch, and the secret.
    borrowing func stored() -> SecretBytes {
        SecretBytes(count: Self.storedSize) { memory in
            memory.copyBytes(from: epoch.bigEndianBytes)
            secret.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: memory[4...]).copyMemory(from: $0)
            }
        }
    }

    /// The key of the entries.
    borrowing func entryKey() -> SymmetricKey {
        secret.withUnsafeBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: $0), info: Purpose.entries, outputByteCount: 32)
        }
    }

    borrowing func matches(_ other: borrowing EpochSecret) -> Bool {
        epoch == other.epoch && secret.matches(other.secret)
    }

    /// Returns what the reader gets: the fresh randomness and the secret.
    borrowing func forReader(fresh: borrowing SecretBytes) -> SecretBytes {
        SecretBytes(count: 64) { memory in
            fresh.withUnsafeBytes { memory.copyMemory(from: $0) }
            secret.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[32...]).copyMemory(from: $0) }
        }
    }

    private static func context(_ epoch: UInt32, _ log: TreeHash) -> [UInt8] {
        var writer = ByteWriter(reserving: 36)
        writer.append(log.bytes)
        writer.bigEndian(epoch)
        return writer.bytes
    }

    private static func derive(
        from secret: borrowing SecretBytes, salt: UnsafeRawBufferPointer?, _ purpose: [UInt8]
    ) -> SecretBytes {
        let key = secret.withUnsafeBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: $0), salt: salt.map { [UInt8]($0) } ?? [], info: purpose,
                outputByteCount: 32)
        }
        return SecretBytes(count: 32) { memory in key.withUnsafeBytes { memory.copyMemory(from: $0) } }
    }
}

/// The purpose of each key, as the text that separates it from the others.
enum Purpose {
    static let firstEpoch = [UInt8]("fueki audit v1 first epoch".utf8)
    static let nextEpoch = [UInt8]("fueki audit v1 next epoch".utf8)
    static let entries = [UInt8]("fueki audit v1 entries".utf8)
    static let entry = [UInt8]("fueki audit v1 entry".utf8)
    static let envelope = [UInt8]("fueki audit v1 envelope".utf8)
}
