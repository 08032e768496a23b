internal import CSodium
internal import Secrets

/// SHA-256 (FIPS 180-4), on libsodium.
public struct SHA256: HashFunction {
    public static let size = 32

    private var state = crypto_hash_sha256_state()

    public init() {
        crypto_hash_sha256_init(&state)
    }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_hash_sha256_update(&state, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }

    public mutating func finalize(into hash: UnsafeMutablePointer<UInt8>) {
        crypto_hash_sha256_final(&state, hash)
        withUnsafeMutableBytes(of: &state) { wipe($0) }
        crypto_hash_sha256_init(&state)
    }

    /// Writes the hash of all that was taken and of `last`, and stays as it is: for thousands of inputs that begin alike.
    package func finalize(with last: UnsafeRawBufferPointer, into hash: UnsafeMutablePointer<UInt8>) {
        var state = state
        crypto_hash_sha256_update(&state, last.bindMemory(to: UInt8.self).baseAddress, UInt64(last.count))
        // The library wipes the state that it has used.
        crypto_hash_sha256_final(&state, hash)
    }
}

extension SHA256 {
    /// A hash that has taken a secret, and stays as it is, in guarded memory: for many inputs that begin with the secret. (An
    /// ``SHA256`` keeps what it has taken where it happens to lie, until it is finalized.)
    package struct Guarded: ~Copyable, Sendable {
        private let memory: SecretBytes

        /// Takes the state over, and wipes it where it was.
        package init(moving hasher: inout SHA256) {
            memory = SecretBytes(fleeting: MemoryLayout<crypto_hash_sha256_state>.size) { memory in
                withUnsafeMutableBytes(of: &hasher.state) {
                    memory.copyMemory(from: UnsafeRawBufferPointer($0))
                    wipe($0)
                }
            }
            hasher = SHA256()
        }

        /// Writes the hash of all that was taken and of `last`.
        package borrowing func finalize(with last: UnsafeRawBufferPointer, into hash: UnsafeMutablePointer<UInt8>) {
            var state = crypto_hash_sha256_state()
            memory.withUnsafeBytes { memory in withUnsafeMutableBytes(of: &state) { $0.copyMemory(from: memory) } }
            crypto_hash_sha256_update(&state, last.bindMemory(to: UInt8.self).baseAddress, UInt64(last.count))
            // The library wipes the state that it has used.
            crypto_hash_sha256_final(&state, hash)
        }
    }
}
