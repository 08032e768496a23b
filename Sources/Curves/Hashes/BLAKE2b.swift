internal import CSodium
internal import Secrets

/// BLAKE2b with a hash of 64 bytes and without a key (RFC 7693), on libsodium: the hash of files in minisign's
/// signatures. For public input only.
public struct BLAKE2b: HashFunction {
    public static let size = 64

    /// The library's state between two calls. The library wants it at a multiple of 64 bytes, which Swift gives to no
    /// stored property: each call works on a copy.
    private var state = [UInt8](repeating: 0, count: crypto_generichash_statebytes())

    public init() { start() }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        withState { crypto_generichash_update($0, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count)) }
    }

    public mutating func finalize(into hash: UnsafeMutablePointer<UInt8>) {
        withState { crypto_generichash_final($0, hash, Self.size) }
        start()
    }

    private mutating func start() {
        withState { crypto_generichash_init($0, nil, 0, Self.size) }
    }

    private mutating func withState(_ body: (OpaquePointer) -> Int32) {
        withUnsafeTemporaryAllocation(byteCount: state.count, alignment: 64) { aligned in
            guard let address = aligned.baseAddress else { preconditionFailure("a buffer without memory") }
            aligned.copyBytes(from: state)
            // It fails for other sizes of hashes and keys only.
            precondition(body(OpaquePointer(address)) == 0, "BLAKE2b failed")
            state.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(aligned)) }
            wipe(aligned)
        }
    }
}
