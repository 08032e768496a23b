public import Secrets

/// A hash function that takes its input in parts. Those of this package: ``SHA256``, ``SHA512`` and ``Keccak256``.
public protocol HashFunction: Sendable {
    /// The size of a hash in bytes.
    static var size: Int { get }

    /// Takes nothing yet.
    init()

    /// Takes more of the input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Writes the hash of all that was taken, in ``size`` bytes. Wipes the state, and begins anew.
    mutating func finalize(into hash: UnsafeMutablePointer<UInt8>)
}

extension HashFunction {
    /// Takes more of the input.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        let contiguous: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if contiguous == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// Takes a secret. What the state keeps of it is wiped by `finalize`.
    public mutating func update(_ secret: borrowing SecretBytes) {
        secret.withUnsafeBytes { update($0) }
    }

    /// The hash of all that was taken. Wipes the state, and begins anew.
    public mutating func finalize() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Self.size)
        finalize(into: &hash)
        return hash
    }

    /// The hash as a secret. Wipes the state, and begins anew.
    public mutating func finalizeSecret() -> SecretBytes {
        SecretBytes(fleeting: Self.size) { finalize(into: $0.start) }
    }

    /// The hash of some bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hasher = Self()
        hasher.update(bytes)
        return hasher.finalize()
    }
}
