internal import CSodium
public import Secrets

/// SHA-256 (FIPS 180-4), on libsodium.
public struct SHA256: Sendable {
    /// The size of a hash in bytes.
    public static let size = 32

    private var state = crypto_hash_sha256_state()

    public init() {
        crypto_hash_sha256_init(&state)
    }

    /// Takes more of the input.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        let contiguous: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if contiguous == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// Takes more of the input.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_hash_sha256_update(&state, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }

    /// Takes a secret. What the state keeps of it is wiped by `finalize`.
    public mutating func update(_ secret: borrowing SecretBytes) {
        secret.withUnsafeBytes { update($0) }
    }

    /// The hash of all that was taken, in ``size`` bytes. Wipes the state, and begins anew.
    public mutating func finalize() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Self.size)
        finalize(into: &hash)
        return hash
    }

    /// The hash as a secret. Wipes the state, and begins anew.
    public mutating func finalizeSecret() -> SecretBytes {
        SecretBytes(fleeting: Self.size) { finalize(into: $0.start) }
    }

    private mutating func finalize(into hash: UnsafeMutablePointer<UInt8>) {
        crypto_hash_sha256_final(&state, hash)
        withUnsafeMutableBytes(of: &state) { wipe($0) }
        crypto_hash_sha256_init(&state)
    }

    /// The hash of some bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(bytes)
        return hasher.finalize()
    }
}
