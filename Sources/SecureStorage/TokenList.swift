public import Secrets

/// Several tokens in one secret, in order. Adding one makes a new list; the old one is wiped when it is dropped.
///
/// The encoding is a version (1), and each token after its size in two bytes, most significant first.
public struct TokenList: ~Copyable, Sendable {
    static let headerSize = 1
    /// The largest token in bytes.
    static let tokenSize = 16 * 1024
    private static let version: UInt8 = 1

    /// The list as one secret.
    public let encoded: SecretBytes
    /// How many tokens there are.
    public let count: Int

    /// Creates an empty list.
    public init() {
        encoded = SecretBytes(count: Self.headerSize) { $0[0] = Self.version }
        count = 0
    }

    /// Decodes a list, and takes over the memory of its bytes.
    ///
    /// - Throws: ``SecureStorageError/wrongKind`` if the bytes are not those of a list.
    public init(decoding encoded: consuming SecretBytes) throws(SecureStorageError) {
        let count = encoded.withUnsafeBytes { bytes in Self.ranges(in: bytes)?.count }
        guard let count else { throw .wrongKind }
        self.encoded = encoded
        self.count = count
    }

    /// Returns the list with one more token at its end.
    ///
    /// - Parameter token: 1...16,384 bytes.
    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` if the token or the list gets too large.
    public borrowing func appending(_ token: borrowing SecretBytes) throws(SecureStorageError) -> TokenList {
        let size = encoded.count + 2 + token.count
        guard (1...Self.tokenSize).contains(token.count), size <= Limits.itemSize else {
            throw .outsideLimits(.itemSize)
        }
        let old = encoded.count
        let longer = SecretBytes(count: size) { memory in
            encoded.withUnsafeBytes { memory.copyMemory(from: $0) }
            memory[old] = UInt8(token.count >> 8)
            memory[old + 1] = UInt8(token.count & 0xff)
            token.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[(old + 2)...]).copyMemory(from: $0) }
        }
        return try TokenList(decoding: longer)
    }

    /// Returns the token at a position; nil beyond the end.
    public borrowing func token(at position: Int) -> SecretBytes? {
        let range = encoded.withUnsafeBytes { bytes -> Range<Int>? in
            let ranges = Self.ranges(in: bytes) ?? []
            return ranges.indices.contains(position) ? ranges[position] : nil
        }
        guard let range else { return nil }
        return SecretBytes(count: range.count) { memory in
            encoded.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    /// Returns the ranges of the tokens, or nil if the bytes are not well formed.
    private static func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
        guard bytes.first == version else { return nil }
        var ranges: [Range<Int>] = []
        var position = headerSize
        while position < bytes.count {
            guard bytes.count - position > 2 else { return nil }
            let size = Int(bytes[position]) << 8 | Int(bytes[position + 1])
            position += 2
            guard (1...tokenSize).contains(size), size <= bytes.count - position else { return nil }
            ranges.append(position..<(position + size))
            position += size
        }
        return ranges
    }
}
