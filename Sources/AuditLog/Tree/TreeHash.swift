internal import Crypto

/// A hash of the tree: 32 bytes of SHA-256.
public struct TreeHash: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The number of bytes.
    public static let size = 32

    /// Creates a hash of its bytes. Nil unless there are 32.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
        self.words = words
    }

    private init(_ digest: SHA256.Digest) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        digest.withUnsafeBytes { digest in withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: digest) } }
        self.words = words
    }

    /// The bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: words) { [UInt8]($0) } }

    /// The root of the tree without leaves: the hash of no bytes (RFC 6962, section 2.1).
    public static let empty = TreeHash(SHA256.hash(data: [UInt8]()))

    /// Returns the hash of a leaf: SHA-256 of 0x00 and the entry.
    public static func leaf(_ entry: some Collection<UInt8>) -> TreeHash {
        var hash = SHA256()
        prefix(&hash, 0)
        if entry.withContiguousStorageIfAvailable({ hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
            hash.update(data: [UInt8](entry))
        }
        return TreeHash(hash.finalize())
    }

    /// Returns the hash of an inner node: SHA-256 of 0x01 and the hashes of its children.
    public static func node(_ left: TreeHash, _ right: TreeHash) -> TreeHash {
        var hash = SHA256()
        prefix(&hash, 1)
        withUnsafeBytes(of: left.words) { hash.update(bufferPointer: $0) }
        withUnsafeBytes(of: right.words) { hash.update(bufferPointer: $0) }
        return TreeHash(hash.finalize())
    }

    /// Returns the hash of bytes that are not part of a tree.
    static func plain(_ bytes: [UInt8]) -> TreeHash { TreeHash(SHA256.hash(data: bytes)) }

    private static func prefix(_ hash: inout SHA256, _ byte: UInt8) {
        withUnsafeBytes(of: byte) { hash.update(bufferPointer: $0) }
    }

    public static func == (left: TreeHash, right: TreeHash) -> Bool { left.words == right.words }

    public func hash(into hasher: inout Hasher) { withUnsafeBytes(of: words) { hasher.combine(bytes: $0) } }
}
