internal import Curves

/// The size and the BLAKE2b-512 digest of a file: what a signature of the file covers.
///
/// ```swift
/// var hasher = FileDigest.Hasher()
/// while let part = try nextPart() { hasher.update(part) }
/// let digest = hasher.finalize()
/// ```
public struct FileDigest: Hashable, Sendable {
    /// The number of bytes in the file.
    public let size: UInt64
    /// The BLAKE2b-512 digest of the file: 64 bytes.
    public let blake2b: [UInt8]

    /// Computes the digest of a file of any size, part by part.
    public struct Hasher: Sendable {
        private var hash = BLAKE2b()
        private var size: UInt64 = 0

        public init() {}

        /// Adds the next bytes of the file.
        public mutating func update(_ bytes: some Collection<UInt8>) {
            hash.update(bytes)
            size += UInt64(bytes.count)
        }

        /// Returns the digest of all parts. Starts again without input.
        public mutating func finalize() -> FileDigest {
            defer { size = 0 }
            return FileDigest(size: size, blake2b: hash.finalize())
        }
    }
}
