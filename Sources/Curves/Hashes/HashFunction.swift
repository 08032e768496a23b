public import Secrets

/// A hash function that takes its input in parts. This package has ``SHA256``, ``SHA512``, ``BLAKE2b`` and
/// ``Keccak256``.
public protocol HashFunction: Sendable {
    /// The size of a hash in bytes.
    static var size: Int { get }

    /// Creates a hasher without input.
    init()

    /// Adds bytes to the input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Writes the hash of the input, in ``size`` bytes. Wipes the state, and starts again without input.
    mutating func finalize(into hash: UnsafeMutablePointer<UInt8>)
}

extension HashFunction {
    /// Adds bytes to the input.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        let contiguous: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if contiguous == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// Adds a secret to the input. `finalize` wipes the traces of the secret in the state.
    public mutating func update(_ secret: borrowing SecretBytes) {
        secret.withUnsafeBytes { update($0) }
    }

    /// Returns the hash of the input. Wipes the state, and starts again without input.
    public mutating func finalize() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Self.size)
        finalize(into: &hash)
        return hash
    }

    /// Returns the hash of the input as a secret. Wipes the state, and starts again without input.
    public mutating func finalizeSecret() -> SecretBytes {
        SecretBytes(fleeting: Self.size) { finalize(into: $0.start) }
    }

    /// Returns the hash of bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hasher = Self()
        hasher.update(bytes)
        return hasher.finalize()
    }
}
